"""Words that a hyphen cuts at the end of a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_LAST_WORD = re.compile(r"[^\W\d_]+\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Hyphens:
    """What to do with a word cut by a hyphen at the end of a line.

    A soft hyphen is only there to be taken away. A hard one goes when the joined word stands whole
    somewhere else in the document at least as often as the word with the hyphen, stays with its
    halves joined (``well-known``) when that form stands elsewhere, and otherwise stays where it
    was, at the end of its line: without a second sight of the word nothing is sure.
    """

    def __init__(self, pages: Iterable[Iterable[str]]) -> None:
        self._pages = pages
        self._seen: Counter[str] | None = None

    def join(self, before: str, after: str, hyphen: str) -> tuple[str, str]:
        """The two lines with the cut word mended: the tail of the word moves up.

        Args:
            before: the line up to the hyphen, which is not part of it.
            after: the next line.
            hyphen: "-" or U+00AD.
        """
        left, right = _LAST_WORD.search(before), _FIRST_WORD.match(after)
        soft = hyphen != "-"
        plain = before if soft else before + "-"
        if not left or not right:
            return plain, after
        tail = after.split(" ", 1)
        moved, rest = tail[0], tail[1] if len(tail) > 1 else ""
        if soft:
            return before + moved, rest
        if not right[0][0].islower():
            return plain, after
        seen = self._words()
        whole = seen[(left[0] + right[0]).casefold()]
        apart = seen[f"{left[0]}-{right[0]}".casefold()]
        if whole and whole >= apart:
            return before + moved, rest
        if apart:
            return f"{before}-{moved}", rest
        return plain, after

    def _words(self) -> Counter[str]:
        if self._seen is None:
            text = "\n".join(line for page in self._pages for line in page).casefold()
            self._seen = Counter(_WORDS.findall(text))
        return self._seen
