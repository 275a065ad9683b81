"""Chunks of another system that stand nowhere in the documents."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ragdebug.counting import many
from ragdebug.settings import ChunkingSettings
from ragdebug.table import ChunkTable
from ragdebug.workbench.health.findings import CHUNKS, SEARCH, Finding, Where, finding, graded

SHOWN = 4
_DONE = {"chunk": "cut. They are searched", "hit": "returned. They are shown"}


def check(table: ChunkTable) -> list[Finding]:
    """Count them. They are searched like the others, and never count as found."""
    lost = np.flatnonzero(table.spans[:, 0] < 0)
    if not len(lost):
        return []
    counts = Counter(int(at) for at in table.document_of[lost])
    name, what = ChunkingSettings.parse(table.chunking).name, "chunk"
    if ":" in name:
        what = "hit"
    else:
        name = table.chunking
    worst = sorted(counts, key=lambda at: (-counts[at], table.documents[at].source))
    return [
        finding(
            "not_placed",
            graded(len(lost) / len(table)),
            f"{len(lost):,} of {many(len(table), what)} of {name} "
            f"{'stands' if len(lost) == 1 else 'stand'} nowhere in the documents: the texts may be "
            f"of another version, or rewritten before they were {_DONE[what]}, and never count as "
            "found.",
            len(lost),
            len(table),
            [
                _where(table, at, f"{table.documents[at].source}: {many(counts[at], what)}")
                for at in worst[:SHOWN]
            ],
        )
    ]


def _where(table: ChunkTable, at: int, label: str) -> Where:
    """The chunks of a document; of another system's list, which has no chunks to show, its hits."""
    name = ChunkingSettings.parse(table.chunking).name
    if ":" in name:
        return Where(SEARCH, label, strategy=name)
    return Where(CHUNKS, label, table.documents[at].id, chunking=table.chunking)
