"""Chunks of another system that stand nowhere in the documents."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ragdebug.settings import ChunkingSettings
from ragdebug.table import ChunkTable
from ragdebug.workbench.health.findings import CHUNKS, Finding, Where, finding, graded, many

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
                Where(
                    CHUNKS,
                    f"{table.documents[at].source}: {many(counts[at], what)}",
                    table.documents[at].id,
                    chunking=table.chunking,
                )
                for at in worst[:SHOWN]
            ],
        )
    ]
