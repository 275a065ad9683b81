"""``fixed``: windows of exactly the size, in tokens or characters, whatever the text says."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ragdebug.chunk.borders import cluster_ceil, cluster_floor, trim
from ragdebug.chunk.layout import section_starts
from ragdebug.chunk.sentence_spans import sentence_spans
from ragdebug.protocols import Measure
from ragdebug.records import ParsedDocument, Piece
from ragdebug.settings import ChunkingSettings


def fixed(parsed: ParsedDocument, settings: ChunkingSettings, measure: Measure) -> list[Piece]:
    """Cut a document into windows; each begins `overlap` units before the end of the last.

    A window is shorter where it would cut a character from its combining marks, an overlap where it
    would reach across a heading. No window lies inside the one before it. See
    `ragdebug.chunk.run.pieces`.
    """
    text = parsed.text
    walls = section_starts(parsed)
    sentence_starts: Sequence[int] = ()
    if settings.overlap_unit == "sentences" and settings.overlap:
        sentence_starts = [s for s, _ in sentence_spans(text, language=parsed.language)]

    def stop(start: int) -> int:
        return cluster_floor(text, start, measure.fit(start, settings.size))

    def repeat_from(start: int, end: int) -> int:
        """Where the window after ``[start, end)`` begins."""
        if not settings.overlap:
            return end
        if settings.overlap_unit == "sentences":
            at = bisect_left(sentence_starts, end) - settings.overlap
            low = bisect_right(sentence_starts, start)
            at = max(at, low)
            following = sentence_starts[at] if at < len(sentence_starts) else end
        else:
            following = cluster_ceil(text, measure.back(end, settings.overlap), end)
        wall = bisect_left(walls, end) - 1
        if wall >= 0:
            following = max(following, walls[wall])
        # Where the step would be none, or the next window would end no later, there is no overlap.
        return following if start < following < end and stop(following) > end else end

    pieces: list[Piece] = []
    start, last = trim(text, 0, len(text))
    while start < last:
        end = min(stop(start), last)
        pieces.append(Piece(start, end))
        if end == last:
            break
        start = repeat_from(start, end)
    return pieces
