"""Where a text may be cut when there is no better place: words, then grapheme clusters.

Positions are code points. A grapheme cluster is what a reader takes for one character: a letter
with its combining marks, a flag, a family emoji joined by zero-width joiners. The rules are those
of Unicode Standard Annex 29, section 3.1.1, without the rare prepended marks.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

ZWJ = "\u200d"
SENTENCE_MARKS = frozenset(".?!。？！．｡…‼⁇⁈⁉؟۔।॥።։")
CLOSERS = SENTENCE_MARKS | frozenset(",;:)]}»”’›、，；：）］｝」』】〉》〕〗・ー％")
OPENERS = frozenset("([{«“‘‹（［｛「『【〈《〔〖¿¡")
# Scripts that are written without blanks between words, so that a line may break anywhere.
_CJK = (
    (0x2E80, 0x303F), (0x3040, 0x30FF), (0x3100, 0x312F), (0x3190, 0x31FF), (0x3200, 0x4DBF),
    (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF00, 0xFF9F), (0x20000, 0x323AF),
)  # fmt: skip
_CJK_STARTS = [low for low, _ in _CJK]
_CJK_ENDS = [high for _, high in _CJK]
CJK_CLASS = "[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _CJK) + "]"
_WORD_START = re.compile(rf"(?<!\S)\S|{CJK_CLASS}")
_WORD_END = re.compile(rf"\s|{CJK_CLASS}")
_FIRST_SOLID = re.compile(r"\S")


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks at both ends; ``(end, end)`` when nothing else is in it."""
    found = _FIRST_SOLID.search(text, start, end)
    if found is None:
        return end, end
    if not text[end - 1].isspace():
        return found.start(), end
    return found.start(), found.start() + len(text[found.start() : end].rstrip())


def is_cjk(char: str) -> bool:
    """Whether the character is of a script that is written without blanks."""
    code = ord(char)
    if code < 0x2E80:
        return False
    at = bisect_right(_CJK_STARTS, code) - 1
    return at >= 0 and code <= _CJK_ENDS[at]


def _extends(char: str) -> bool:
    """Whether the character belongs to the one before it."""
    code = ord(char)
    if code < 0x300:
        return False
    if char == ZWJ or 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        return True
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:  # vowels and finals of Hangul
        return True
    if code in (0x0E33, 0x0EB3):  # Thai and Lao AM, letters that stand on the one before
        return True
    return unicodedata.category(char) in ("Mn", "Me", "Mc")


def _is_flag_letter(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def is_cluster_border(text: str, at: int) -> bool:
    """Whether a cut at `at` leaves every grapheme cluster whole."""
    if at <= 0 or at >= len(text):
        return True
    here, before = text[at], text[at - 1]
    if here < "\u0300" and before < "\u0300":
        return not (before == "\r" and here == "\n")
    if before.isspace():
        return True  # a mark on a blank stands alone: chunks never start or end with the blank
    if _extends(here):
        return False
    if before == ZWJ:
        return not _is_pictograph(here)
    if _is_flag_letter(here) and _is_flag_letter(before):
        first = at - 1
        lowest = max(0, at - 200)  # nobody writes longer rows of flags; looking on would be slow
        while first > lowest and _is_flag_letter(text[first - 1]):
            first -= 1
        return (at - first) % 2 == 0
    # A consonant after a virama is written as one sign with the consonant before it.
    return not (unicodedata.combining(before) == 9 and unicodedata.category(here) == "Lo")


def _is_pictograph(char: str) -> bool:
    return ord(char) >= 0x2190 and unicodedata.category(char) in ("So", "Sk", "Sm", "Cn", "Po")


def cluster_floor(text: str, low: int, at: int) -> int:
    """The last position in ``(low, at]`` that cuts no cluster; `at` when there is none."""
    for position in range(at, low, -1):
        if is_cluster_border(text, position):
            return position
    return at


def cluster_ceil(text: str, at: int, high: int) -> int:
    """The first position in ``[at, high]`` that cuts no cluster; `high` when there is none."""
    while at < high and not is_cluster_border(text, at):
        at += 1
    return at


def hard_cut(text: str, low: int, at: int) -> int:
    """A cut in ``(low, at]`` inside a word that is too long by itself.

    No cluster is cut and no closing mark stands at the start of what follows, as far as the room
    allows; else `at`.
    """
    for position in range(at, max(low, at - 32), -1):
        here = text[position] if position < len(text) else "x"
        if here not in CLOSERS and not here.isspace() and is_cluster_border(text, position):
            return position
    return cluster_floor(text, low, at)


def word_cut(text: str, low: int, at: int) -> int:
    """The last border between words in ``(low, at]``, or -1.

    Blanks, and any place between characters of a script without blanks, are such borders, except
    where a closing mark would come to stand at the start of what follows.
    """
    for position in range(at, low, -1):
        before = text[position - 1]
        here = text[position] if position < len(text) else " "
        if here.isspace():
            if before.isspace():
                continue
            after = _FIRST_SOLID.search(text, position)
            if after is None or after[0] not in SENTENCE_MARKS:
                return position
        elif before.isspace():
            if here not in SENTENCE_MARKS:
                return position
        elif (
            (is_cjk(here) or is_cjk(before))
            and here not in CLOSERS
            and before not in OPENERS
            and is_cluster_border(text, position)
        ):
            return position
    return -1


def first_word_end(text: str, start: int, end: int) -> int:
    """Where the word that starts at `start` ends: at a blank, or after one CJK character."""
    if is_cjk(text[start]):
        return cluster_ceil(text, start + 1, end)
    found = _WORD_END.search(text, start + 1, end)
    return found.start() if found else end


def next_word_start(text: str, at: int, end: int) -> int:
    """The first start of a word in ``[at, end)`` that is no closing mark, or `end`."""
    found = _WORD_START.search(text, at, end)
    while found and (found[0] in CLOSERS or not is_cluster_border(text, found.start())):
        found = _WORD_START.search(text, found.start() + 1, end)
    return found.start() if found else end
