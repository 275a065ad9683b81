"""``sentences``: whole sentences, packed up to the size."""

from __future__ import annotations

from collections.abc import Iterator

from ragdebug.chunk.layout import TEXT_KINDS, Run, layout, lines, section_starts
from ragdebug.chunk.packer import Packer
from ragdebug.chunk.sentence_spans import sentence_spans
from ragdebug.chunk.tables import row_spans
from ragdebug.protocols import Measure
from ragdebug.records import ParsedDocument, Piece
from ragdebug.settings import ChunkingSettings


def sentences(parsed: ParsedDocument, settings: ChunkingSettings, measure: Measure) -> list[Piece]:
    """Cut a document between sentences only, and inside one where it alone is too long.

    A heading, a table row and a line of code count as sentences. See `ragdebug.chunk.run.pieces`.
    """
    atoms = list(_atoms(parsed))
    packer = Packer(
        parsed.text, measure, settings, lambda: [s for s, _ in atoms], walls=section_starts(parsed)
    )
    for start, end in atoms:
        if packer.too_long(start, end):
            packer.pour(start, end)
        else:
            packer.add(start, end)
    packer.close()
    return packer.pieces


def _atoms(parsed: ParsedDocument) -> Iterator[tuple[int, int]]:
    for run in layout(parsed):
        yield from _of(parsed, run)


def _of(parsed: ParsedDocument, run: Run) -> Iterator[tuple[int, int]]:
    if run.kind in TEXT_KINDS:
        yield from sentence_spans(parsed.text, run.start, run.end, parsed.language)
    elif run.kind == "table":
        yield from row_spans(parsed.text, run)
    elif run.kind == "heading":
        yield run.start, run.end
    else:
        yield from lines(parsed.text, run.start, run.end)
