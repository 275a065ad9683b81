"""Result lists that this program wrote as CSV, known again by their header.

A text cell that starts with = + - @, a tab or a line end would be taken for a formula by
spreadsheets. Such a cell gets an apostrophe in front, as does one that starts with an apostrophe
already, so that exactly what was there can be given back. Numbers stay numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
NUMBERS = ("rank", "score", "start", "end", "page")
COLUMNS = (
    "query", "list", "strategy", "rank", "score", "score_kind", "source", "section", "page",
    "page_label", "start", "end", "document", "version", "chunk", "shares", "notes", "text",
)  # fmt: skip
TEXT = "text"


def guard(text: str) -> str:
    """A text as a cell that no spreadsheet runs."""
    return f"'{text}" if text.startswith((*FORMULA_STARTS, "'")) else text


def unguard(cell: str) -> str:
    """What `guard` was given."""
    return cell.removeprefix("'")


def is_ours(columns: Sequence[str]) -> bool:
    """Whether a header is that of an exported result list."""
    return tuple(columns) == COLUMNS
