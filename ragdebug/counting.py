"""Numbers of things in words."""

from __future__ import annotations


def many(count: int, one: str, several: str = "") -> str:
    """``1 chunk``, ``1,200 chunks``; `several` where the plural is not made with an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"
