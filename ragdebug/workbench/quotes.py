"""Where a pasted quote stands: exactly, else with white space, case and typography folded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ragdebug.records import Place
from ragdebug.typography import ELLIPSIS, VARIANTS

_CLASS = {
    c: f"[{re.escape(plain + others)}]"
    for plain, others in VARIANTS.items()
    for c in plain + others
}
_ELLIPSIS = rf"(?:{ELLIPSIS}|\.\.\.)"
MOST = 200  # a passage that stands in more places tells nothing about a search


def pattern(quote: str) -> re.Pattern[str]:
    """A pattern that finds a quote with white space, case and typographic variants folded."""
    words = []
    for word in quote.replace(ELLIPSIS, "...").split():
        parts = word.split("...")
        words.append(
            _ELLIPSIS.join("".join(_CLASS.get(c) or re.escape(c) for c in p) for p in parts)
        )
    return re.compile(r"\s+".join(words), re.IGNORECASE)


def find(quote: str, texts: Iterable[tuple[str, str, str, str]], most: int = MOST) -> list[Place]:
    """Places of a quote; the exact ones, else the folded ones.

    Args:
        quote: what was pasted; blanks at its ends are ignored.
        texts: (document, version, source, canonical text).
        most: stop after so many places.
    """
    wanted = quote.strip()
    if not wanted:
        return []
    folded = pattern(wanted)
    exact: list[Place] = []
    loose: list[Place] = []
    for document, version, source, text in texts:
        for start in _occurrences(text, wanted):
            exact.append(Place(document, version, source, start, start + len(wanted), wanted))
            if len(exact) >= most:
                return exact
        if not exact and len(loose) < most:
            for m in folded.finditer(text):
                loose.append(Place(document, version, source, m.start(), m.end(), m[0]))
    return exact or loose[:most]


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + len(wanted))
