"""Chunks one after the other with what a model reads of them, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ragdebug.model_files import info as model_info
from ragdebug.records import Chunk
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
from ragdebug.workbench.chunking import DocumentReport

BATCH_CHUNKS = 512


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as one model sees it.

    Attributes:
        chunk: with its text.
        tokens: of its index text, by the model's tokenizer, without special tokens.
        truncated: whether that is more than the model reads.
    """

    chunk: Chunk
    tokens: int
    truncated: bool


def window_of(embedder: str) -> int:
    """Tokens a model reads beside its special ones; 0 for no limit."""
    model = model_info(embedder)
    return max(0, model.window - model.special_tokens) if model.window else 0


def rows_of_document(report: DocumentReport, limit: int = 0) -> list[ChunkRow]:
    """The chunks of one document, the first `limit` of them; 0 for all."""
    made = zip(report.chunks, report.tokens, strict=True)
    return [_row(c, n, report.window) for c, n in islice(made, limit or None)]


def rows_of_corpus(table: ChunkTable, embedder: str, limit: int = 0) -> Iterator[ChunkRow]:
    """All chunks in row order, or the first `limit`; a few hundred are in memory at a time."""
    count_many, window = counter(embedder).count_many, window_of(embedder)
    end = min(len(table), limit or len(table))
    for start in range(0, end, BATCH_CHUNKS):
        chunks = [table.chunk(row) for row in range(start, min(end, start + BATCH_CHUNKS))]
        for chunk, tokens in zip(chunks, count_many([c.index_text for c in chunks]), strict=True):
            yield _row(chunk, tokens, window)


def _row(chunk: Chunk, tokens: int, window: int) -> ChunkRow:
    return ChunkRow(chunk, tokens, bool(window) and tokens > window)
