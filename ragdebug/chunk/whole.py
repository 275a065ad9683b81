"""``document``: the whole document as one chunk, however long it is."""

from __future__ import annotations

from ragdebug.chunk.borders import trim
from ragdebug.protocols import Measure
from ragdebug.records import ParsedDocument, Piece
from ragdebug.settings import ChunkingSettings


def whole(parsed: ParsedDocument, settings: ChunkingSettings, measure: Measure) -> list[Piece]:
    """One piece, or none where the document is blank. See `ragdebug.chunk.run.pieces`."""
    start, end = trim(parsed.text, 0, len(parsed.text))
    return [Piece(start, end)] if start < end else []
