"""Letters as they are typed: ligatures and other forms that only say how a letter is drawn.

Used on text that a program laid out (PDF, DOCX), where nobody typed the form; text files keep
theirs.
"""

from __future__ import annotations

import re
import unicodedata

# Forms that stand for other letters only because of how they are drawn: Latin, Armenian, Hebrew and
# Arabic presentation forms, and the radicals that some PDF writers put in place of CJK letters.
_FORMS = "\ufb00-\ufdff\ufe70-\ufefc\u2e80-\u2fdf\uf900-\ufaff"
_UNWANTED = re.compile(f"[{_FORMS}\ufeff\ufffe\uffff\x00-\x08\x0b-\x1f\x7f\u00a0\u00ad\uf0b7]")
_UNKNOWN = re.compile("[\ue000-\uf8ff\ufffd]")
_BLANKS = re.compile("  +")


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
