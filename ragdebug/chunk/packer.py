"""Fills chunks from left to right, with overlap, never beyond the size.

The one place that knows sizes and overlap: chunkers hand it atoms (sentences, rows, words) in the
order of the text and say where walls are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from ragdebug.chunk.borders import (
    cluster_floor,
    first_word_end,
    hard_cut,
    next_word_start,
    trim,
    word_cut,
)
from ragdebug.protocols import Measure
from ragdebug.records import Piece
from ragdebug.settings import ChunkingSettings


class Packer:
    """Packs atoms of one document into pieces.

    Args:
        text: the canonical text.
        measure: counts in the unit of the settings.
        settings: size and overlap.
        sentence_starts: gives, when first needed, the starts of sentences, ascending; overlap
            begins at one of them where it can.
        walls: places, ascending, that no overlap reaches across although pieces may.
    """

    def __init__(
        self,
        text: str,
        measure: Measure,
        settings: ChunkingSettings,
        sentence_starts: Callable[[], Sequence[int]],
        walls: Sequence[int] = (),
    ) -> None:
        self.pieces: list[Piece] = []
        self.size = settings.size
        self._text = text
        self._measure = measure
        self._overlap = settings.overlap
        self._by_sentences = settings.overlap_unit == "sentences"
        self._sentence_starts = sentence_starts
        self._starts: Sequence[int] | None = None
        self._walls = walls
        self._floor = 0  # no overlap starts before this
        self._start = -1  # of the open piece, overlap included; -1 when none is open
        self._own = -1  # where its own, not repeated text starts
        self._end = -1
        self._limit = self.size
        self._context = ""
        self._headed = False  # the open piece holds heading lines only

    def fits(self, end: int) -> bool:
        """Whether the open piece can take all up to `end`."""
        return self._start >= 0 and self._measure.size(self._start, end) <= self._limit

    def too_long(self, start: int, end: int) -> bool:
        """Whether a span cannot be one piece."""
        return self._measure.size(start, end) > self.size

    def small(self, part: int) -> bool:
        """Whether the open piece is heading lines only, or less than 1/`part` of the size."""
        if self._start < 0:
            return False
        return self._headed or part * self._measure.size(self._own, self._end) <= self._limit

    def add(self, start: int, end: int, context: str = "", limit: int = 0) -> None:
        """Take an atom of at most `size`; starts a new piece when the open one is full.

        `context` and `limit` (0: the size) hold for a piece that starts with this atom.
        """
        if not self.fits(end):
            self.close()
            self._open(start, end, context, limit)
        self._end = end
        self._headed = False

    def head(self, start: int, end: int) -> None:
        """Take a heading line; it is never repeated as overlap."""
        alone = self._start < 0 or self._headed
        if self.too_long(start, end):
            self.pour(start, end, repeat=False)
            alone = False
        else:
            alone = alone or not self.fits(end)
            self.add(start, end)
        self._headed = alone
        self.guard(end)

    def pour(
        self,
        start: int,
        end: int,
        words: bool = True,
        context: str = "",
        limit: int = 0,
        repeat: bool = True,
    ) -> None:
        """Take text that is longer than a piece, cut between words, inside them where it must be.

        Without `words` every place between two characters is as good as another. With `repeat`
        its pieces overlap.
        """
        at = start
        while at < end:
            fresh = self._start < 0
            if fresh:
                # Looked at no further than a piece: a word may be as long as the document.
                reach = min(self._measure.fit(at, limit or self.size), end)
                word = first_word_end(self._text, at, reach) if words else at + 1
                self._open(at, word, context, limit)
            stop = min(self._measure.fit(self._start, self._limit), end)
            if stop < end:
                cut = word_cut(self._text, at, stop) if words else -1
                if cut < 0 and not fresh:
                    self.close()
                    continue
                if cut < 0:
                    cut = (hard_cut if words else cluster_floor)(self._text, at, stop)
                stop = cut
            self._end = trim(self._text, at, stop)[1]
            self._headed = False
            at = trim(self._text, stop, end)[0]
            if at < end:
                self.close()
            if not repeat:
                self.guard(at)

    def close(self) -> None:
        """End the open piece."""
        if self._start >= 0:
            self.pieces.append(Piece(self._start, self._end, self._context))
            self._start = -1
            self._headed = False

    def guard(self, at: int) -> None:
        """Allow no overlap that starts before `at`."""
        self._floor = max(self._floor, at)

    def wall(self, at: int) -> None:
        """End the open piece, and let nothing of it be repeated after `at`."""
        self.close()
        self.guard(at)

    def _open(self, start: int, end: int, context: str, limit: int) -> None:
        self._limit = limit or self.size
        self._context = context
        self._own = start
        self._start = self._overlap_start(start, end) if self._overlap and self.pieces else start
        self._headed = False

    def _overlap_start(self, start: int, end: int) -> int:
        """Where a piece whose own text begins with ``[start, end)`` starts, overlap included."""
        last = self.pieces[-1]
        wall = bisect_right(self._walls, start)
        if wall:
            self.guard(self._walls[wall - 1])
        low = max(self._floor, last.start + 1, self._measure.back(end, self._limit))
        if not self._by_sentences:
            low = max(low, self._measure.back(last.end, self._overlap))
        if low >= last.end:
            return start
        if self._starts is None:
            self._starts = self._sentence_starts()
        at = bisect_left(self._starts, low)
        if self._by_sentences:
            at = max(at, bisect_left(self._starts, start) - self._overlap)
        if at < len(self._starts) and self._starts[at] < last.end:
            return self._starts[at]
        if self._by_sentences:
            return start
        word = next_word_start(self._text, low, last.end)
        return word if word < last.end else start
