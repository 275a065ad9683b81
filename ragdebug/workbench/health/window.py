"""Chunks that are longer than a model reads."""

from __future__ import annotations

from collections import Counter

from ragdebug.counting import many
from ragdebug.protocols import ModelInfo, Progress, TokenCounter, silent
from ragdebug.settings import DEFAULT_RERANKER
from ragdebug.table import ChunkTable
from ragdebug.workbench.health.findings import (
    CHUNKS,
    Finding,
    Where,
    finding,
    graded,
    percent,
)
from ragdebug.workbench.health.sample import Sample

BATCH = 512
SHOWN = 4


def check(
    table: ChunkTable,
    model: ModelInfo,
    counter: TokenCounter,
    sample: Sample,
    progress: Progress = silent,
) -> list[Finding]:
    """Count the tokens of the index texts of the documents looked at.

    A cross-encoder reads the query in the same window, so that a chunk may be cut which just fits;
    only what cannot fit whatever the query is counted.
    """
    room = model.window - model.special_tokens
    if not model.window:
        return []
    rows = [row for d in sample.documents for row in table.rows_of(d.id)]
    tokens: list[int] = []
    for at in range(0, len(rows), BATCH):
        progress(at, len(rows), f"chunks counted with {model.name}")
        tokens += counter.count_many([table.index_text(r) for r in rows[at : at + BATCH]])
    long = [(row, n) for row, n in zip(rows, tokens, strict=True) if n > room]
    if not long:
        return []
    unseen = sum(n - room for _, n in long)
    reranker = model.kind == "reranker"
    reads = "the reranker" if reranker else "vector search"
    return [
        finding(
            "beyond_reranker" if reranker else "beyond_window",
            graded(len(long) / len(rows)),
            f"{len(long):,} of {many(len(rows), 'chunk')} "
            f"{'is' if len(long) == 1 else 'are'} longer than the {room:,} tokens that "
            f"{model.name} reads{_of(model) if reranker else ''}, the longest "
            f"{max(n for _, n in long):,}: {reads} does not see {percent(unseen, sum(tokens))} of "
            f"the tokens.{sample.said}",
            len(long),
            len(rows),
            _where(table, model, long),
            (table.document(row).id for row, _ in long),
        )
    ]


def _of(reranker: ModelInfo) -> str:
    """Late interaction reads a text apart from the query; a cross-encoder reads both at once."""
    apart = reranker.name == DEFAULT_RERANKER
    return " of a text, apart from the query" if apart else " of query and text"


def _where(table: ChunkTable, model: ModelInfo, long: list[tuple[int, int]]) -> list[Where]:
    """The documents with most such chunks, each at its first one."""
    counts = Counter(int(table.document_of[row]) for row, _ in long)
    first = {int(table.document_of[row]): row for row, _ in reversed(long)}
    found = sorted(counts, key=lambda at: (-counts[at], table.documents[at].source))
    return [
        Where(
            CHUNKS,
            f"{table.documents[at].source}: {many(counts[at], 'chunk')}",
            table.documents[at].id,
            at=int(table.spans[first[at], 0]),
            chunk=table.chunk_id(first[at]),
            chunking=table.chunking,
            model="" if model.kind == "reranker" else model.name,
        )
        for at in found[:SHOWN]
    ]
