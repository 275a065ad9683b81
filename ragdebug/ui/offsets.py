"""Code points (Python, and everything stored here) and UTF-16 units (the browser).

This is the only place that converts between them.

    map = Utf16Map(text)
    map.to_utf16(code_point)            0 <= code_point <= len(text)
    map.to_code_point(unit)             a unit inside a surrogate pair is moved outwards
    map.span(start, end)                UTF-16 range -> code point range, never splitting a pair
"""

from __future__ import annotations

import numpy as np


class Utf16Map:
    """Positions of one text, counted both ways.

    Building it is linear in the text; every look-up is logarithmic in the number of code points
    beyond the basic plane (emoji, historic scripts). Lone surrogates count as one unit each.
    """

    __slots__ = ("_first", "_positions", "_second", "code_points", "units")

    def __init__(self, text: str) -> None:
        """Count the pairs of `text`."""
        if text.isascii():
            self._positions = np.empty(0, dtype=np.int64)
        else:
            values = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
            self._positions = np.flatnonzero(values > 0xFFFF)
        # The units that the first and the second half of each pair take.
        self._first = self._positions + np.arange(len(self._positions))
        self._second = self._first + 1
        self.code_points = len(text)
        self.units = self.code_points + len(self._positions)

    def to_utf16(self, code_point: int) -> int:
        """The UTF-16 position of a code point position; clipped to the text."""
        at = min(max(code_point, 0), self.code_points)
        return at + int(np.searchsorted(self._positions, at, "left"))

    def to_code_point(self, unit: int, *, up: bool = False) -> int:
        """The code point position of a UTF-16 position; clipped to the text.

        A position inside a surrogate pair goes to the pair's start, or with `up` to its end.
        """
        at = min(max(unit, 0), self.units)
        return at - int(np.searchsorted(self._second if up else self._first, at, "left"))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The smallest code point range that holds a UTF-16 range; the ends may be swapped."""
        low, high = min(start, end), max(start, end)
        first = self.to_code_point(low)
        return first, max(first, self.to_code_point(high, up=low < high))
