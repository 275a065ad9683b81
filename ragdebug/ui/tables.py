"""What tables on several pages share."""

from __future__ import annotations

from typing import Literal

ROW_PX = 33  # at the app's font size, the header too


def height(rows: int, most_px: int) -> int | Literal["content"]:
    """Height of a table: all its rows, or `most_px` where that is less."""
    return "content" if (rows + 1) * ROW_PX < most_px else most_px
