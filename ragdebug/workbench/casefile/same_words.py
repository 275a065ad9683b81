"""Whether a text shows words that somebody chose not to show, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable

FEWEST = 20  # letters of a sentence that is told from chance
WITHHELD = "…"
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+|\s*\|\s*")


class Secrets:
    """Texts that are withheld.

    A text shows one of them when it holds a whole sentence or line of it, or is itself a part of
    it. White space, case and the marks of headings and lists make no difference.

    Args:
        texts: as they stand in their documents.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        kept = [t for t in texts if t.strip()]
        self._whole = [_flat(t) for t in kept if len(_flat(t)) >= FEWEST]
        lines = [_flat(piece) for t in kept for piece in _ENDS.split(t)]
        self._lines = set(lines)
        self._pieces = {p for p in (*lines, *map(_flat, kept)) if len(p) >= FEWEST}

    def in_text(self, text: str) -> bool:
        """Whether a text shows some of them."""
        flat = _flat(text)
        if not flat:
            return False
        part = len(flat) >= FEWEST and any(flat in whole for whole in self._whole)
        return part or any(piece in flat for piece in self._pieces)

    def in_quote(self, quote: str) -> bool:
        """The same for a quote, which may be short: whole words of them count."""
        flat = _flat(quote)
        words = re.compile(rf"(?<!\w){re.escape(flat)}(?!\w)")
        return self.in_text(quote) or any(words.search(whole) for whole in self._whole if flat)

    def headings(self, titles: Iterable[str]) -> tuple[str, ...]:
        """Titles of sections, those that are a line of them as an ellipsis."""
        return tuple(WITHHELD if _flat(t) in self._lines or self.in_text(t) else t for t in titles)


def _flat(text: str) -> str:
    return " ".join(text.casefold().replace("**", "").split()).lstrip("#>*- ").rstrip(" #*")
