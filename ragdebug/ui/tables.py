"""What tables on several pages share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Literal

ROW_PX = 33  # at the app's font size, the header too
WRAPPING_PX = 66  # Streamlit breaks lines only in rows of more than 64 px
CHAR_PX, PADDING_PX = 6.5, 16  # of a cell


def height(rows: int, most_px: int) -> int | Literal["content"]:
    """Height of a table: all its rows, or `most_px` where that is less."""
    return "content" if (rows + 1) * ROW_PX < most_px else most_px


def row_px(rows: Iterable[Mapping[str, str]], widths: Mapping[str, int]) -> int:
    """Height of each row, so that the longest cell can be read in its column's width."""
    lines = max((_lines(text, widths[n]) for row in rows for n, text in row.items()), default=1)
    return ROW_PX if lines <= 1 else max(WRAPPING_PX, 10 + 19 * lines)


def _lines(text: str, width_px: int) -> int:
    """How many lines a cell takes, broken between words."""
    return len(textwrap.wrap(text, int((width_px - PADDING_PX) / CHAR_PX)))
