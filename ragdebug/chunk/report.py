"""What is worth knowing about the chunks of one document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragdebug.chunk.borders import trim
from ragdebug.chunk.layout import TEXT_KINDS, Run, layout
from ragdebug.chunk.sentence_spans import sentence_spans
from ragdebug.chunk.tables import row_spans
from ragdebug.records import Chunk, Document, Span

# Fewer non-blank characters than this say little to a retriever: a heading, a stray line.
TINY_CHARS = 30


@dataclass(frozen=True, slots=True)
class ChunkReport:
    """Sizes, counts and warnings; all positions are indices into the chunks, ascending.

    Attributes:
        document: its id.
        count: number of chunks.
        sizes: of each chunk's own text, in the unit of the chunking.
        index_tokens: of each index text, by the embedder's tokenizer.
        window: most tokens of an index text that the embedder reads; 0 for no limit.
        beyond_window: chunks whose index text is longer than that.
        mid_sentence: chunks that end inside a sentence, or begin inside one that the chunk before
            does not hold to its start.
        torn_table: chunks with part of a row, or with rows whose header is neither in text nor in
            context.
        torn_code: chunks with part of a code block or function that no chunk holds whole.
        duplicates: chunks whose text, blanks aside, an earlier chunk has too.
        tiny: chunks of less than `TINY_CHARS` non-blank characters.
        overlaps: text that two neighbours share.
        uncovered: spans of non-blank characters that no chunk holds; always empty for our chunkers.

    What depends on the place of a chunk holds for none that is not placed.
    """

    document: str
    count: int
    sizes: tuple[int, ...]
    index_tokens: tuple[int, ...]
    window: int
    beyond_window: tuple[int, ...]
    mid_sentence: tuple[int, ...]
    torn_table: tuple[int, ...]
    torn_code: tuple[int, ...]
    duplicates: tuple[int, ...]
    tiny: tuple[int, ...]
    overlaps: tuple[Span, ...]
    uncovered: tuple[Span, ...]

    def warnings_of(self, row: int) -> tuple[str, ...]:
        """Names of the warnings that hold for one chunk."""
        names = (
            "beyond_window", "mid_sentence", "torn_table", "torn_code", "duplicates", "tiny",
        )  # fmt: skip
        return tuple(n for n in names if row in getattr(self, n))


def report(
    doc: Document, chunks: Sequence[Chunk], index_tokens: Sequence[int], window: int
) -> ChunkReport:
    """Look at the chunks of one document.

    Args:
        doc: the document they were cut from.
        chunks: in order, as `chunk` gives them.
        index_tokens: shape (n,), tokens of each index text, special ones not counted.
        window: tokens the embedder reads beside its special ones; 0 for no limit.
    """
    seen: set[str] = set()
    duplicates: list[int] = []
    tiny: list[int] = []
    for row, chunk in enumerate(chunks):
        plain = "".join(chunk.text.split())
        if len(plain) < TINY_CHARS:
            tiny.append(row)
        if plain in seen:
            duplicates.append(row)
        seen.add(plain)
    runs = list(_flat(layout(doc.parsed)))
    rows = [row for row, c in enumerate(chunks) if c.placed]
    placed = [chunks[row] for row in rows]
    ordered = [Span(c.start, c.end) for c in placed]

    def at(found: Sequence[int]) -> tuple[int, ...]:
        return tuple(rows[i] for i in found)

    return ChunkReport(
        document=doc.id,
        count=len(chunks),
        sizes=tuple(c.size for c in chunks),
        index_tokens=tuple(index_tokens),
        window=window,
        beyond_window=tuple(i for i, n in enumerate(index_tokens) if 0 < window < n),
        mid_sentence=at(_mid_sentence(doc, runs, ordered)),
        torn_table=at(_torn_table(doc.text, runs, placed)),
        torn_code=at(_torn_code(runs, ordered)),
        duplicates=tuple(duplicates),
        tiny=tuple(tiny),
        overlaps=tuple(
            Span(b.start, a.end)
            for a, b in zip(ordered, ordered[1:], strict=False)
            if b.start < a.end
        ),
        uncovered=uncovered(doc.text, ordered),
    )


def uncovered(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans of a text that hold non-blank characters and lie in none of `spans` (ascending)."""
    found: list[Span] = []
    at = 0
    for start, end in [*((s.start, s.end) for s in spans), (len(text), len(text))]:
        if start > at:
            low, high = trim(text, at, start)
            if low < high:
                found.append(Span(low, high))
        at = max(at, end)
    return tuple(found)


def _flat(runs: Sequence[Run]) -> Iterator[Run]:
    """Leaves of the forest of runs."""
    for run in runs:
        if run.inner:
            yield from _flat(run.inner)
        else:
            yield run


def _mid_sentence(doc: Document, runs: Sequence[Run], spans: Sequence[Span]) -> tuple[int, ...]:
    sentences = [
        s
        for run in runs
        if run.kind in TEXT_KINDS
        for s in sentence_spans(doc.text, run.start, run.end, doc.parsed.language)
    ]
    starts = [s for s, _ in sentences]

    def torn(at: int) -> tuple[int, int] | None:
        """The sentence that has `at` inside it."""
        index = bisect_left(starts, at) - 1
        return sentences[index] if index >= 0 and at < sentences[index][1] else None

    rows = []
    for row, span in enumerate(spans):
        first = torn(span.start)
        before = spans[row - 1] if row else None
        # A sentence that overlap repeats in part is whole in the chunk before.
        held = first and before and before.start <= first[0] and first[1] <= before.end
        if torn(span.end) or (first and not held):
            rows.append(row)
    return tuple(rows)


def _torn_table(text: str, runs: Sequence[Run], chunks: Sequence[Chunk]) -> tuple[int, ...]:
    rows: set[int] = set()
    for run in (r for r in runs if r.kind == "table"):
        parts = row_spans(text, run)
        starts = [s for s, _ in parts]
        for row in _touching(chunks, run):
            chunk = chunks[row]
            for edge in (chunk.start, chunk.end):
                index = bisect_right(starts, edge) - 1
                if index >= 0 and parts[index][0] < edge < parts[index][1]:
                    rows.add(row)
            header = run.header
            if header and not chunk.context and chunk.start > header.start:
                rows.add(row)
    return tuple(sorted(rows))


def _torn_code(runs: Sequence[Run], spans: Sequence[Span]) -> tuple[int, ...]:
    rows: set[int] = set()
    for run in (r for r in runs if r.kind in ("code", "unit")):
        parts = _touching(spans, run)
        if not any(spans[r].start <= run.start and run.end <= spans[r].end for r in parts):
            rows.update(parts)
    return tuple(sorted(rows))


def _touching(spans: Sequence[Span] | Sequence[Chunk], run: Run) -> range:
    """Positions of the chunks that share a character with a run; starts and ends both ascend."""
    first = bisect_right(spans, run.start, key=lambda s: s.end)
    return range(first, bisect_left(spans, run.end, key=lambda s: s.start))
