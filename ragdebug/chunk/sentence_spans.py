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
from ragdebug.chunk.borders import SENTENCE_MARKS, is_cluster_border, trim

_CLOSING = "\"'”’»›)\\]}」』】〉》）"
_CJK_MARKS = "。！？｡︒"
_MARKS = ".!?…‼⁇⁈⁉؟۔।॥።։．"
# Marks with what closes behind them, the first kind without a blank after it; or a blank line.
# Possessive, and only from the first of several marks: a row of dots must not cost its square.
_CANDIDATE = re.compile(
    rf"""
    [{_CJK_MARKS}]+ [!?…]* [{_CLOSING}“]*
  | (?<![{_MARKS}]) [{_MARKS}]++ (?: [{_CLOSING}“‘] | [\ \u00a0\u202f]»(?=\s|$) )*+ (?= \s | $ )
  | \n [^\S\n]* \n
    """,
    re.VERBOSE,
)
_SOLID = re.compile(r"\S")
_WORD_BOUNDS = frozenset(" \t\n\u00a0\u202f\u3000\"'“”‘’«»‹›()[]{}/,;:")
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
        begin, at = found.span()
        if at <= first:
            continue
        following = _SOLID.search(text, at, end)
        if following is None:
            break
        after = following.start()
        if text[after] in SENTENCE_MARKS:
            continue
        gap = text[begin] == "\n"
        if gap:
            at = begin
        elif not _ends(text, first, begin, at, after, ordinals):
            continue
        if at > first:
            spans.append(trim(text, first, at) if gap else (first, at))
        first = after
    if first < end:
        last = trim(text, first, end)
        if last[0] < last[1]:
            spans.append(last)
    return spans


def _ends(text: str, first: int, begin: int, at: int, after: int, ordinals: bool) -> bool:
    """Whether a mark ends the sentence that began at `first`.

    The mark with what closes behind it is ``text[begin:at]``; what follows starts at `after`.
    """
    following = text[after]
    mark = text[begin]
    if not is_cluster_border(text, at):
        return False
    if mark in _CJK_MARKS:
        # A quotation inside a sentence goes on with a particle: 「はい。」と言った。
        quoted = text[at - 1] in "」』”"
        return not (quoted and after == at and text.startswith(_PARTICLES, after))
    small = following.islower()
    closed = text[at - 1] not in _MARKS
    if mark != ".":
        return not (small and (closed or mark == "…"))
    if small and closed:
        return False
    if begin + 1 < at and text[begin + 1] in _MARKS:  # an ellipsis, or ".?" and the like
        return not small
    return _full_stop_ends(text, first, begin, after, ordinals)


def _full_stop_ends(text: str, first: int, stop: int, after: int, ordinals: bool) -> bool:
    """Whether the single full stop at `stop` ends a sentence; what follows starts at `after`."""
    if stop - first <= 7 and _MARKER.fullmatch(text, first, stop):
        return False  # "1." or "(a)." at the start of a sentence is its number
    start = stop
    lowest = max(first, stop - 40)
    while start > lowest and text[start - 1] not in _WORD_BOUNDS:
        start -= 1
    word = text[start:stop]
    following = text[after]
    if not word:  # "wait . . . what" goes on
        return not following.islower()
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
        return len(low) >= 3
    return True
