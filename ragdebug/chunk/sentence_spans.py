"""Splitting running text into sentences, as spans, for several languages without a model.

A sentence keeps its mark and the closing quotes behind it; none starts with a full stop, question
or exclamation mark. Blank lines end a sentence, single line ends do not.
"""

from __future__ import annotations

import re

from ragdebug.chunk.abbreviations import (
    BEFORE_NUMBER,
    DOTTED_TRAILING,
    LEADING,
    ORDINAL_LANGUAGES,
    TRAILING,
)
from ragdebug.chunk.borders import SENTENCE_MARKS, trim

_CLOSING = "\"'”’»›)\\]}」』】〉》）"
# A full stop or its like with what closes behind it; marks that need no blank after them; or a
# blank line.
_CANDIDATE = re.compile(
    rf"""
    (?P<cjk> [。！？｡︒]+ [!?…]* [{_CLOSING}“]* )
  | (?P<other> [.!?…‼⁇⁈⁉؟۔।॥።։．]+
        (?P<closing> (?: [{_CLOSING}“‘] | [\ \u00a0\u202f]»(?=\s|$) )* ) (?= \s | $ ) )
  | (?P<gap> \n [^\S\n]* \n )
    """,
    re.VERBOSE,
)
_SOLID = re.compile(r"\S")
_LAST_WORD = re.compile(r"[^\s\"'“”‘’«»‹›()\[\]{}/,;:]+$")
_MARKER = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{1,5})[.)]?")
_NUMBER = re.compile(r"[(§]?\s?(?:\d|[IVXLCDM]+\b|[ivxlcdm]+\b)")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]")
_PARTICLES = ("と", "って", "に", "は", "が", "を", "の", "も", "で")


def sentence_spans(
    text: str, start: int = 0, end: int | None = None, language: str = ""
) -> list[tuple[int, int]]:
    """The sentences of ``text[start:end]``: spans without blanks at their ends, in order.

    Together they hold every non-blank character of the range.

    Args:
        text: any text.
        start: where to begin.
        end: where to stop; the text's end when None.
        language: ISO 639-1 code, used only for what a full stop after a number means.
    """
    end = len(text) if end is None else end
    ordinals = language in ORDINAL_LANGUAGES
    spans: list[tuple[int, int]] = []
    first, _ = trim(text, start, end)
    for found in _CANDIDATE.finditer(text, first, end):
        at = found.end()
        if at <= first:
            continue
        if found["gap"] is not None:
            at = found.start()
        following = _SOLID.search(text, found.end(), end)
        if following is None:
            break
        if text[following.start()] in SENTENCE_MARKS:
            continue
        if found["gap"] is None and not _ends(text, first, found, following.start(), ordinals):
            continue
        if at > first:
            spans.append(trim(text, first, at))
        first = following.start()
    if first < end:
        last = trim(text, first, end)
        if last[0] < last[1]:
            spans.append(last)
    return spans


def _ends(text: str, first: int, found: re.Match[str], after: int, ordinals: bool) -> bool:
    """Whether the mark at `found` ends the sentence that began at `first`."""
    following = text[after]
    if found["cjk"] is not None:
        # A quotation inside a sentence goes on with a particle: 「はい。」と言った。
        quoted = found[0][-1] in "」』”"
        return not (quoted and after == found.end() and text.startswith(_PARTICLES, after))
    mark = text[found.start()]
    closed = bool(found["closing"])
    if mark != ".":
        return not (following.islower() and (closed or mark == "…"))
    if found.end() - found.start() - len(found["closing"]) > 1:  # an ellipsis, or "?." and the like
        return not following.islower()
    if closed and following.islower():
        return False
    return _full_stop_ends(text, first, found.start(), after, ordinals)


def _full_stop_ends(text: str, first: int, stop: int, after: int, ordinals: bool) -> bool:
    """Whether the single full stop at `stop` ends a sentence; what follows starts at `after`."""
    before = _LAST_WORD.search(text, max(first, stop - 40), stop)
    following = text[after]
    if before is None:  # "wait . . . what" goes on
        return not following.islower()
    word = before[0]
    if before.start() <= first + 1 and _MARKER.fullmatch(text[first:stop]):
        return False  # "1." or "(a)." at the start of a sentence is its number
    if word.isdigit():
        return not (ordinals and len(word) <= 2) and not following.islower()
    if not word[-1].isalpha():
        return True
    low = word.lower()
    if "." in word:
        if _DOTTED.fullmatch(word):
            return low in DOTTED_TRAILING and not following.islower()
        low = low.rpartition(".")[2]
    if len(word) == 1:
        # An initial, "p. 7", "z. B."; a word only beyond Latin, as Russian я is.
        alone = word.islower() and word > "\u024f"
        return alone and following.isupper() and not text.startswith(".", after + 1)
    if low in BEFORE_NUMBER and _NUMBER.match(text, after):
        return False
    if low in LEADING:
        return False
    if low in TRAILING:
        return not following.islower()
    if following.islower():
        # Unknown short forms are followed by small letters too; a real word is not short.
        return len(low) >= 4
    return True
