"""What a case file holds: facts and texts, and nothing of the machine that it was made on."""

from __future__ import annotations

from dataclasses import dataclass

from ragdebug.workbench.tracing.reports import DELIVERED, WhyReport

Box = tuple[float, float, float, float]
Marks = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One place that answers the question, as a person finds it in the document.

    Attributes:
        document: id; `version` of it is what start and end count in; "" where nothing was found.
        source: what people call the document.
        start: first code point; -1 for a quote that stands nowhere.
        end: one past the last.
        page: sheet number, None for a text without pages; `page_label` is what is printed on it.
        section: headings above it, outermost first.
        quote: its words; "" for a region, and where they are withheld.
        region: such as ``page 3``; "" for a passage.
        withheld: whether somebody chose not to show its words.
    """

    document: str
    version: str
    source: str
    start: int
    end: int
    page: int | None = None
    page_label: str = ""
    section: tuple[str, ...] = ()
    quote: str = ""
    region: str = ""
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class CaseHit:
    """One row of a list.

    Attributes:
        chunk: its id.
        marks: (start, end) in `text` of what answers the question.
        coverage: share of the answer's non-blank characters inside it, 0 to 1.
        shares: for each fused list its name, the rank there and what it gave.
        cut: characters of the text that are left out at its end, so that the file stays small.
    """

    rank: int
    score: float
    score_kind: str
    chunk: str
    document: str
    version: str
    source: str
    start: int
    end: int
    page: int | None
    page_label: str
    section: tuple[str, ...]
    text: str
    marks: Marks = ()
    coverage: float = 0.0
    shares: tuple[tuple[str, int | None, float], ...] = ()
    notes: tuple[str, ...] = ()
    cut: int = 0
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class HitList:
    """What one strategy returned.

    Attributes:
        name: what it is called in this file.
        strategy: its text form.
        hits: best first.
        allowed: chunks that its filter lets through, of `total`.
        rank: at which the list has covered a place that answers; None when it never does.
        note: where there is no rank, why; or why there are no hits at all.
        notes: warnings.
    """

    name: str
    strategy: str
    hits: tuple[CaseHit, ...]
    allowed: int
    total: int
    rank: int | None = None
    note: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """A strategy followed through its stages."""

    list: HitList
    why: WhyReport


@dataclass(frozen=True, slots=True)
class Effect:
    """What a fix that was tried does.

    Attributes:
        name: of the fix.
        helps: whether all that answers the question is delivered with it.
        ranks: of the question's needs with it, 0 for never.
        rescued: other questions that get better; `harmed` those that get worse, of `others`.
        verdict: of the test on the others.
        distinguishable: whether the test found a difference.
        milliseconds_added: a question.
    """

    name: str
    helps: bool
    ranks: tuple[int, ...]
    rescued: int
    harmed: int
    others: int
    verdict: str
    distinguishable: bool
    milliseconds_added: float = 0.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as it looks; boxes are (left, top, right, bottom) as shares of width and height.

    Attributes:
        image: PNG or JPEG.
        width: pixels.
        height: pixels.
        document: id; start and end say which characters of it stand on the page.
        text: what is written on it; it is in no file, and tells what must not be shown.
        evidence: boxes of what answers the question, one a line.
        cuts: boxes of the first line of each chunk that begins on the page.
    """

    source: str
    page: int
    document: str
    start: int
    end: int
    image: bytes
    width: int
    height: int
    evidence: tuple[Box, ...] = ()
    cuts: tuple[Box, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The text around an answer.

    Attributes:
        start: position of `text` in its document.
        marks: (start, end) in `text` of the answer.
        cuts: positions in `text` where a chunk begins.
        withheld: the text is left out.
    """

    source: str
    document: str
    start: int
    text: str
    marks: Marks = ()
    cuts: tuple[int, ...] = ()
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers with a head; every row is as long as the head.

    Attributes:
        passage: (document, start, end) whose words stand in it; None where none do.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    passage: tuple[str, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One question, where its answer was lost, and what brings it back.

    Attributes:
        query: what was asked.
        question: id of the labelled question; "" for a query that is none.
        answers: for each need the places of which any is enough.
        today: the strategy that is looked at.
        proposed: a second strategy, or the one with a fix.
        effect: what the proposal does, where it was tried on all questions.
        others: more lists.
        picture: of the page with the answer.
        excerpt: the text around the answer.
        tables: explanations of scores.
        corpus: fingerprint of all documents; `documents` is how many.
        made_at: UTC, ISO 8601.
        version: of the program.
        blacked_out: how often something that looks like a key was made unreadable.
        notes: what was left out or made smaller.
    """

    query: str
    question: str
    answers: tuple[tuple[Answer, ...], ...]
    today: Side
    proposed: Side | None = None
    effect: Effect | None = None
    others: tuple[HitList, ...] = ()
    picture: Picture | None = None
    excerpt: Excerpt | None = None
    tables: tuple[Table, ...] = ()
    corpus: str = ""
    documents: int = 0
    made_at: str = ""
    version: str = ""
    blacked_out: int = 0
    notes: tuple[str, ...] = ()

    @property
    def brings_back(self) -> bool:
        """Whether the second strategy delivers what today's loses: only then it is proposed."""
        return (
            self.proposed is not None
            and self.today.why.stage != DELIVERED
            and self.proposed.why.stage == DELIVERED
        )

    @property
    def titles(self) -> tuple[str, str]:
        """What the two strategies are called above their lists."""
        return "Today", "Proposed" if self.brings_back else "Also tried"

    @property
    def lists(self) -> tuple[HitList, ...]:
        """All lists: today's, the second one, then the others."""
        proposed = (self.proposed.list,) if self.proposed is not None else ()
        return (self.today.list, *proposed, *self.others)
