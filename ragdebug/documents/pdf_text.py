"""Characters of PDF text: ligatures to letters, unknown signs away, hyphenated words together."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

# Forms that stand for other letters only because of how they are drawn: Latin, Armenian, Hebrew and
# Arabic presentation forms, and the radicals that some PDF writers put in place of CJK letters.
_FORMS = "\ufb00-\ufdff\ufe70-\ufefc\u2e80-\u2fdf\uf900-\ufaff"
_UNWANTED = re.compile(f"[{_FORMS}\ufeff\ufffe\uffff\x00-\x08\x0b-\x1f\x7f\u00a0\u00ad\uf0b7]")
_UNKNOWN = re.compile("[\ue000-\uf8ff\ufffd]")
_BLANKS = re.compile("  +")
_LAST_WORD = re.compile(r"[^\W\d_]+\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def clean_line(text: str) -> str:
    """A line with compatibility forms as the letters they stand for.

    U+FB00 to U+FB06 become ff, fi, fl, ffi, ffl, st, st; no-break blanks become blanks; NUL, other
    control characters, soft hyphens inside a line and U+FFFE (pdfium: no known character) go.
    """
    if text.isascii() and text.isprintable():
        return text
    changed, count = _UNWANTED.subn(lambda match: plain(match[0]), text)
    return _BLANKS.sub(" ", changed).strip() if count else text


def plain(sign: str) -> str:
    """What stands for one character of pdfium's text in the canonical text; may be "" or longer."""
    if not _UNWANTED.match(sign):
        return sign
    if sign == "\xa0":
        return " "
    if sign == "\uf0b7":  # the bullet of the Symbol font
        return "\u2022"
    if sign > "\x7f" and sign not in "\xad\ufeff\ufffe\uffff":
        return unicodedata.normalize("NFKC", sign)
    return ""


def unknown_share(text: str) -> float:
    """Share of characters that no one can read: private use and U+FFFD, 0 to 1."""
    if text.isascii():
        return 0.0
    return len(_UNKNOWN.findall(text)) / max(1, len(text))


class Hyphens:
    """What to do with a word cut by a hyphen at the end of a line.

    A soft hyphen is only there to be taken away. A hard one goes when the joined word stands whole
    somewhere else in the document at least as often as the word with the hyphen, stays with its
    halves joined (``well-known``) when that form stands elsewhere, and otherwise stays where it
    was, at the end of its line: without a second sight of the word nothing is sure.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
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
            text = "\n".join(self._lines).casefold()
            self._seen = Counter(_WORDS.findall(text))
        return self._seen
