"""Cutting documents into chunks: spans of the text that lose no non-blank character."""

from ragdebug.chunk.check import check_settings
from ragdebug.chunk.labels import compose
from ragdebug.chunk.measure import measure_for
from ragdebug.chunk.report import ChunkReport, report
from ragdebug.chunk.run import CHUNKER_VERSION, chunk, pieces
from ragdebug.chunk.sentence_spans import sentence_spans

__all__ = [
    "CHUNKER_VERSION",
    "ChunkReport",
    "check_settings",
    "chunk",
    "compose",
    "measure_for",
    "pieces",
    "report",
    "sentence_spans",
]
