"""Text that no chunk holds, so that no search can find it."""

from __future__ import annotations

from collections.abc import Callable

from ragdebug.chunk.report import uncovered
from ragdebug.counting import many
from ragdebug.protocols import Progress, silent
from ragdebug.records import Span
from ragdebug.table import ChunkTable
from ragdebug.workbench.health.findings import (
    CHUNKS,
    SERIOUS,
    WARNING,
    Finding,
    Where,
    finding,
    percent,
)
from ragdebug.workbench.health.sample import Sample

SERIOUS_SHARE = 0.01
SHOWN = 4


def check(
    table: ChunkTable,
    sample: Sample,
    text_of: Callable[[str, str], str],
    progress: Progress = silent,
) -> list[Finding]:
    """Count the non-blank characters outside all chunks of the documents looked at."""
    lost: list[tuple[int, str, str, int]] = []
    solid = 0
    for at, info in enumerate(sample.documents):
        progress(at, len(sample.documents), "documents looked at for gaps")
        text = text_of(info.id, info.version)
        rows = table.rows_of(info.id)
        spans = [Span(*pair) for pair in table.spans[rows.start : rows.stop].tolist()]
        gaps = uncovered(text, sorted(spans))
        solid += _solid(text)
        if gaps:
            missing = sum(_solid(text[g.start : g.end]) for g in gaps)
            lost.append((missing, info.id, info.source, gaps[0].start))
    if not lost:
        return []
    lost.sort(key=lambda one: (-one[0], one[2]))
    count = sum(one[0] for one in lost)
    return [
        finding(
            "in_no_chunk",
            SERIOUS if count > SERIOUS_SHARE * solid else WARNING,
            f"{many(count, 'character')} of {solid:,} ({percent(count, solid)}, blanks aside) "
            f"{'stands' if count == 1 else 'stand'} in no chunk, in "
            f"{many(len(lost), 'document')}; no list can find them.{sample.said}",
            count,
            solid,
            [
                Where(
                    CHUNKS,
                    f"{source}: {many(missing, 'character')}",
                    document,
                    at=at,
                    chunking=table.chunking,
                )
                for missing, document, source, at in lost[:SHOWN]
            ],
        )
    ]


def _solid(text: str) -> int:
    return sum(map(len, text.split()))
