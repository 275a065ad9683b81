"""Size of spans, in characters or tokens.

A document is tokenised once; after that a size is two binary searches, so that a slider can cut a
long document again while it is dragged.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import InvalidSetting
from ragdebug.protocols import Measure, TokenCounter
from ragdebug.settings import ChunkingSettings


class CharMeasure:
    """Counts code points of a text of `length` code points."""

    __slots__ = ("_length",)

    def __init__(self, length: int) -> None:
        self._length = length

    def size(self, start: int, end: int) -> int:
        """Code points in ``text[start:end]``."""
        return max(0, end - start)

    def fit(self, start: int, limit: int) -> int:
        """Largest end such that the span has at most `limit` code points; above `start`."""
        return min(self._length, start + max(1, limit))

    def back(self, end: int, limit: int) -> int:
        """Smallest start such that the span has at most `limit` code points."""
        return max(0, end - limit)


class TokenMeasure:
    """Counts the tokens that share at least one code point with a span.

    A token cut in two by a border therefore counts on both sides: a limit is never passed by way
    of a cut inside a word.

    Args:
        offsets: shape (n, 2), int64, code point range of each token, in order. Tokens may share
            a range (an emoji of four byte tokens).
        length: code points of the text.
    """

    __slots__ = ("_ends", "_length", "_starts")

    def __init__(self, offsets: NDArray[np.int64], length: int) -> None:
        table = np.asarray(offsets, dtype=np.int64).reshape(-1, 2)
        # Tokens of no width (some tokenizers mark the start of the text) belong to no character.
        table = table[table[:, 1] > table[:, 0]]
        # Lists, since bisect on a list is several times as fast as searchsorted for one position.
        self._starts: list[int] = np.maximum.accumulate(table[:, 0]).tolist()
        self._ends: list[int] = np.maximum.accumulate(table[:, 1]).tolist()
        self._length = length

    def size(self, start: int, end: int) -> int:
        """Tokens that overlap ``text[start:end]``."""
        if end <= start:
            return 0
        return max(0, bisect_left(self._starts, end) - bisect_right(self._ends, start))

    def fit(self, start: int, limit: int) -> int:
        """Largest end such that ``size(start, end) <= limit``; always above `start`.

        A single code point of more than `limit` tokens is the one thing that can be larger.
        """
        first_out = bisect_right(self._ends, start) + max(1, limit)
        end = self._starts[first_out] if first_out < len(self._starts) else self._length
        return min(self._length, max(end, start + 1))

    def back(self, end: int, limit: int) -> int:
        """Smallest start such that ``size(start, end) <= limit``; `end` when limit is 0."""
        if limit <= 0:
            return end
        last_out = bisect_left(self._starts, end) - limit - 1
        return min(end, self._ends[last_out]) if last_out >= 0 else 0


def measure_for(
    text: str,
    settings: ChunkingSettings,
    counter: TokenCounter | None,
    offsets: NDArray[np.int64] | None = None,
) -> Measure:
    """The measure that these settings count in.

    Args:
        text: a document's canonical text.
        settings: says whether tokens or characters are counted.
        counter: the tokenizer that the settings name; not needed for characters.
        offsets: token offsets of `text`, shape (n, 2), where they are known already.

    Raises:
        InvalidSetting: when tokens are to be counted and there is nothing to count them with.
    """
    if settings.unit == "tokens" and (offsets is not None or counter is not None):
        if offsets is None:
            assert counter is not None
            offsets = counter.offsets(text)
        return TokenMeasure(offsets, len(text))
    # A whole document needs no size to be cut by; its size is then told in characters.
    if settings.unit == "chars" or settings.strategy == "document":
        return CharMeasure(len(text))
    raise InvalidSetting(
        f"Sizes in tokens need the tokenizer {settings.tokenizer!r}, and none was given.",
        hint="Choose an installed model, or count in characters.",
    )
