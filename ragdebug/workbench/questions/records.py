"""What goes into an import of questions and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass

from ragdebug.records import Place

Problems = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Given:
    """One row of a file: a question and, unless it is not labelled, one place that answers it.

    Attributes:
        question: its text; may be blank where `id` names a question that is known.
        id: what the file calls the question, "" when it has no name.
        source: document as the file names it: source, file name, stem, record key or id.
        quote: words of the passage; blank for a region or a bare span.
        need: rows of a question with the same value are places of one need; "" is its own need.
        start: first code point, None when not given; so `end`, one past the last.
        page: sheet number: the region itself where there is no quote, else a hint.
        section: title of a section, likewise.
        region: ``page``, ``section`` or ``document`` where the file says so itself.
        tags: as given.
        notes: a person's.
        not_answerable: None when the file does not say.
        grade: gain of the need.
        level: ``passage``, ``document``, or "" when the file does not say.
        rejected: the place was judged as not answering.
        status: of the label, from files written by this program.
        origin: of the label, likewise.
        given: what an earlier file said of the label, likewise.
        asked: origin of the question, likewise.
        line: of the file, from 1; 0 when unknown.
    """

    question: str = ""
    id: str = ""
    source: str = ""
    quote: str = ""
    need: str = ""
    start: int | None = None
    end: int | None = None
    page: int | None = None
    section: str = ""
    region: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    not_answerable: bool | None = None
    grade: float = 1.0
    level: str = ""
    rejected: bool = False
    status: str = ""
    origin: str = ""
    given: str = ""
    asked: str = ""
    line: int = 0

    @property
    def has_place(self) -> bool:
        """Whether the row says where something stands."""
        return bool(self.source or self.quote.strip() or self.section or self.region)


@dataclass(frozen=True, slots=True)
class Rows:
    """What a reader made of a file. A problem is a line, 0 when there is none, and a sentence."""

    rows: tuple[Given, ...]
    problems: Problems = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a row's passage stands.

    Attributes:
        status: placed, suggested or unplaced.
        how: exact, folded, fuzzy, region, or "" when it stands nowhere.
        place: for an unplaced one the source and quote as given, start and end -1.
        nearest: for one that is not placed the most similar passage, None when there is none.
        similarity: of the quote and `nearest`, 0 to 100; 100 for one that is placed.
        note: what a person should know, "" for nothing.
    """

    status: str
    how: str
    place: Place
    nearest: Place | None = None
    similarity: float = 100.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A quote that stands nowhere, or that only a similar passage was found for.

    Attributes:
        question: text of its question.
        quote: as given.
        nearest: the most similar passage, None when nothing is similar at all.
        similarity: 0 to 100.
        id: of the question.
        source: document as given.
        note: why, in a sentence.
    """

    question: str
    quote: str
    nearest: Place | None
    similarity: float
    id: str = ""
    source: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        added: questions that are new.
        changed: questions that were there and differ now.
        unchanged: questions that were there as they are.
        joined: questions of the file that ask the same as another one of it, and became that one.
        placed: quotes and regions that stand where the file says, or exactly once.
        folded: quotes found with white space, case and typography folded.
        suggested: quotes that a similar passage waits for a yes on.
        unplaced: quotes that stand nowhere, each with the nearest passage; they stay with their
            questions.
        problems: (line, sentence); line 0 where no line is to blame.
        ids: of the questions of the file, in its order.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    joined: int = 0
    placed: int = 0
    folded: int = 0
    suggested: int = 0
    unplaced: tuple[Unplaced, ...] = ()
    problems: Problems = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceChoice:
    """Sentences of a hit, the likeliest ones chosen.

    Attributes:
        document: id; positions count in `version` of it.
        version: see `document`.
        spans: (start, end) of each sentence, in order; whole ones, also where the hit cuts them.
        first: position in `spans` of the first chosen sentence.
        last: position of the last chosen one, itself included.
        scores: for each sentence how likely it answers, from 0; comparable within this choice.
    """

    document: str
    version: str
    spans: tuple[tuple[int, int], ...]
    first: int
    last: int
    scores: tuple[float, ...] = ()

    @property
    def start(self) -> int:
        """First code point of what is chosen."""
        return self.spans[self.first][0]

    @property
    def end(self) -> int:
        """One past the last code point of what is chosen."""
        return self.spans[self.last][1]

    def changed(self, first: int = 0, last: int = 0) -> SentenceChoice:
        """Its ends moved by so many sentences, within the hit; at least one stays chosen."""
        low = min(max(self.first + first, 0), len(self.spans) - 1)
        high = min(max(self.last + last, 0), len(self.spans) - 1)
        if low > high:
            low = high = self.first if first else self.last
        return SentenceChoice(self.document, self.version, self.spans, low, high, self.scores)


def same_text_key(text: str) -> str:
    """The same for questions that differ in blanks and case only."""
    return " ".join(text.split()).casefold()
