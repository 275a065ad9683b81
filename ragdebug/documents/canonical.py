"""The canonical text: line ends, byte order marks and NUL normalised, and nothing else.

Everything here runs before a position is computed, on bodies, titles and section names alike.
"""

from __future__ import annotations

import re

BOM = "\ufeff"
REPLACEMENT = "\ufffd"
_SURROGATES = re.compile("[\ud800-\udfff]")


def normalise(text: str) -> str:
    r"""The same text with ``\n`` as its only line end and without U+FEFF and U+0000.

    U+FEFF goes wherever it stands: files that were joined have one in the middle. Characters that
    are line ends to Unicode alone (U+2028, U+0085, vertical tab) are text and stay.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if BOM in text:
        text = text.replace(BOM, "")
    if "\0" in text:
        text = text.replace("\0", "")
    return text


def storable(text: str) -> tuple[str, int]:
    """The text with each lone surrogate replaced by U+FFFD, and how many there were.

    JSON can spell half of a surrogate pair; UTF-8 cannot store it.
    """
    if text.isascii():
        return text, 0
    return _SURROGATES.subn(REPLACEMENT, text)


def clean(text: str) -> str:
    """`normalise` and `storable` in one, for names and values whose losses nobody counts."""
    return normalise(storable(text)[0])


def one_line(text: str) -> str:
    """A title or section name: cleaned, on one line, single blanks, nothing around it."""
    return " ".join(clean(text).split())
