"""The records that every stage speaks: documents, chunks, rankings, traces.

Positions are code points of the document's canonical text, half-open, 0-based. Ranks and pages
start at 1. All records are frozen; arrays inside them must not be written to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]

# Documents ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points of a canonical text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def overlap(self, other: Span) -> int:
        """Length of the range both share; 0 when they do not touch."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def mostly(self, other: Span) -> bool:
        """Whether both share more than half of the shorter: what makes them one passage."""
        return 2 * self.overlap(other) > min(len(self), len(other))


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and all that stands under it, subsections included.

    Attributes:
        start: where the heading's line starts (or where the section starts, if it has no line).
        end: where the next heading of the same or a higher level starts, or the text ends.
        level: 1 is outermost.
        title: the heading's text, without marks.
        body: where the text after the heading line starts.
    """

    start: int
    end: int
    level: int
    title: str
    body: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the source. `number` is the sheet, from 1; `label` is what is printed on it."""

    number: int
    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of structure that a chunker wants to keep whole, in document order.

    Blocks do not overlap, except that a container may be followed by its parts in `rows`. Text
    between blocks is blank, or is treated as a paragraph.

    Attributes:
        kind: heading, paragraph, list_item, table, code, quote, or unit (function, class, article).
        start: first code point.
        end: one past the last.
        level: heading level, list depth or nesting of a unit; 0 where it means nothing.
        rows: spans of a table's rows, header rows included; lines or inner units of a unit.
        header: the part of a table that has to be repeated when it is cut (header row and its
            rule), or None.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    rows: tuple[Span, ...] = ()
    header: Span | None = None


@dataclass(frozen=True, slots=True)
class ParseWarning:
    """Something a user should know about how a file was read.

    Attributes:
        code: stable short name: no_text_layer, encoding_guessed, replaced_characters,
            columns_suspected, duplicate, broken_row, truncated, password, ...
        message: one sentence for a person.
        page: sheet number, or None.
        line: line of the source file from 1, or None.
    """

    code: str
    message: str
    page: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a parser makes of one file, or of one row of it.

    Attributes:
        text: the canonical text.
        kind: markdown, text, html, pdf, docx, table, record, json, code.
        parser: name and version of the parser, such as ``markdown/1``; part of the version hash.
        key: row key of a record inside a file (the document is then ``file#key``), else "".
        title: from front matter, metadata or first heading; "" when unknown.
        sections: the section tree in document order, outer before inner.
        pages: page map in order, covering the text; empty for unpaged formats.
        blocks: see `Block`.
        metadata: keys and values as text (front matter, columns, properties).
        language: ISO 639-1 code such as "en", or "" when unknown.
        warnings: what a user should know.
    """

    text: str
    kind: str
    parser: str
    key: str = ""
    title: str = ""
    sections: tuple[Section, ...] = ()
    pages: tuple[Page, ...] = ()
    blocks: tuple[Block, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    warnings: tuple[ParseWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One version of one document, as stored.

    Attributes:
        id: stable; from the source key, kept when the file moves.
        version: hash of canonical text and parser.
        source: what people call it, such as ``handbook/refunds.md`` or ``faq.csv#12``.
    """

    id: str
    version: str
    source: str
    parsed: ParsedDocument

    @property
    def text(self) -> str:
        """The canonical text."""
        return self.parsed.text


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document without its text, for lists.

    `status` is one of added, unchanged, changed, moved, removed, failed. `tokens` is counted by the
    workspace's tokenizer. `error` is the message for a file that could not be read, else "".
    """

    id: str
    version: str
    source: str
    status: str
    kind: str = ""
    title: str = ""
    chars: int = 0
    tokens: int = 0
    pages: int = 0
    language: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[ParseWarning, ...] = ()
    error: str = ""
    hint: str = ""
    tenant: str | None = None
    removed: bool = False
    origin: str = ""
    updated_at: str = ""


# Chunks -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """What a chunker returns: a span and what else has to be indexed with it.

    Attributes:
        start: first code point of the returned span; never a blank one.
        end: one past the last; the code point before it is never blank.
        context: text repeated from elsewhere, such as a table's header row; not part of the span.
        index_start: start of the span that is embedded, where it differs; -1 when it is the same.
        index_end: see `index_start`.
    """

    start: int
    end: int
    context: str = ""
    index_start: int = -1
    index_end: int = -1


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk of one document version.

    Attributes:
        id: ``document.version8:start-end``, the same in caches, store and URLs.
        label: section path as it is put in front of `index_text`, such as ``Billing > Refunds``;
            "" when labels are off.
        section: the whole section path, always.
        index_text: what is embedded and indexed: label, context, text.
        size: in the unit of the chunking, of the chunk's own text.

    A piece of another system that stands nowhere in its document is not placed: its start and end
    lie below 0, as far apart as it is long, and its text is the piece's own.
    """

    id: str
    document: str
    version: str
    source: str
    start: int
    end: int
    index_text: str
    text: str
    label: str = ""
    context: str = ""
    section: tuple[str, ...] = ()
    page: int | None = None
    page_label: str = ""
    size: int = 0

    @property
    def span(self) -> Span:
        """The returned span."""
        return Span(self.start, self.end)

    @property
    def placed(self) -> bool:
        """Whether it has a span in its document; another system's piece may have none."""
        return self.start >= 0


# Rankings -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RankedList:
    """One list of chunks in rank order, as positions in a chunk table.

    Attributes:
        name: ``vector``, ``bm25``, ``hybrid``, ``reranked``, or what a strategy calls it.
        score_kind: cosine, bm25, okapi, rrf, weighted, maxsim, cross-encoder, identity.
        rows: shape (n,), int64, positions in the chunk table, best first.
        scores: shape (n,), float64, never rising, of `score_kind`.
        depth: how many were asked for.
        allowed: how many chunks the filter let through.
        elapsed_s: seconds this stage took by itself.
    """

    name: str
    score_kind: str
    rows: Rows
    scores: Scores
    depth: int
    allowed: int
    elapsed_s: float = 0.0

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(self.rows.tolist(), self.scores.tolist(), strict=True))

    def rank_of(self, row: int) -> int | None:
        """Rank of a chunk in this list, from 1, or None when it is not in it."""
        at = np.flatnonzero(self.rows == row)
        return int(at[0]) + 1 if len(at) else None


@dataclass(frozen=True, slots=True)
class Share:
    """What one list gave to a fused hit: rank and score there (None: not in it), and the share."""

    list: str
    rank: int | None
    score: float | None
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A row of a result list as it is shown."""

    rank: int
    score: float
    score_kind: str
    chunk: Chunk
    row: int
    shares: tuple[Share, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TermInfo:
    """A query term after analysis. `frequency` is the number of chunks that hold it."""

    term: str
    surface: str
    frequency: int


@dataclass(frozen=True, slots=True)
class Trace:
    """All that happened to one query in one strategy: each stage's ranking, scores and seconds.

    Attributes:
        stages: in the order they ran; the last one is the list that is shown (cut to k, with
            minimum score applied).
        shares: for fused lists, chunk row -> what every list gave.
        terms: the query's terms for BM25 lists.
        notes: warnings for the column head, such as "41% indexed".
        indexed: share of the allowed chunks that the dense index holds, 0 to 1.
    """

    query: str
    strategy: str
    stages: tuple[RankedList, ...]
    shares: Mapping[int, tuple[Share, ...]] = field(default_factory=dict)
    terms: tuple[TermInfo, ...] = ()
    notes: tuple[str, ...] = ()
    indexed: float = 1.0
    elapsed_s: float = 0.0
    extras: Mapping[str, Any] = field(default_factory=dict)

    @property
    def final(self) -> RankedList:
        """The list that is shown."""
        return self.stages[-1]

    def stage(self, name: str) -> RankedList | None:
        """The stage of that name, or None."""
        return next((s for s in self.stages if s.name == name), None)


# Evidence -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer stands: a span with its quote, or a region (whole document, page, section).

    `quote` is empty for a region.
    """

    document: str
    version: str
    source: str
    start: int
    end: int
    quote: str = ""
    region: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedChunk:
    """A chunk that holds part of the expected passage, and where it stands in one list.

    `coverage` is the share (0 to 1) of the passage's non-blank characters inside the chunk. `rank`
    is over the whole corpus where the list allows it, None when the chunk is not in the list.
    """

    chunk: Chunk
    row: int
    coverage: float
    rank: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class Expected:
    """Where the expected passage stands in one list.

    Attributes:
        chunks: those that hold any of it, best coverage first.
        rank: smallest r such that the first r chunks together cover `found_share`; None when never.
        score: score of the chunk at that rank.
        gap: score of the last chunk shown minus `score`, 0 when it is shown itself; None unknown.
        note: a sentence when there is no rank ("not among the 50 of either list").
    """

    chunks: tuple[ExpectedChunk, ...]
    rank: int | None
    score: float | None
    gap: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ResultList:
    """One column: a strategy's hits with all that is shown above them."""

    name: str
    strategy: str
    chunking: str
    embedder: str
    allowed: int
    total: int
    elapsed_s: float
    hits: tuple[Hit, ...]
    trace: Trace
    expected: Expected | None = None
    notes: tuple[str, ...] = ()
    error: str = ""
    error_hint: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """All columns of one search."""

    query: str
    terms: tuple[TermInfo, ...]
    lists: Mapping[str, ResultList]
    expected: tuple[Place, ...] = ()


def texts_of(chunks: Sequence[Chunk]) -> list[str]:
    """The texts that are embedded and indexed, in order."""
    return [c.index_text for c in chunks]
