"""The passage that is most like a quote.

Looking at every place of a corpus letter by letter would take minutes. Windows where many of the
quote's words stand close together are found first; only the best of those are aligned.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz

from ragdebug.typography import VARIANTS

SUGGEST = 85.0  # from here on a passage is offered as the one that was meant
_WINDOWS = 8  # aligned letter by letter
_ANCHORS = 12
_TOO_COMMON = 150  # occurrences in one text; such a word says nothing about where to look
_WIDE = "\u2e80"  # scripts that write no blanks between words begin here

_BLANKS = "\t\n\r\x0b\x0c\x85\u00a0\u2002\u2003\u2009\u200a\u202f\u205f\u3000\u2028\u2029"
_FOLD = str.maketrans({v: c for c, others in (*VARIANTS.items(), (" ", _BLANKS)) for v in others})


@dataclass(frozen=True, slots=True)
class Match:
    """A passage like a quote: position of its text among those given, span, similarity 0 to 100."""

    text: int
    start: int
    end: int
    similarity: float


def fold(text: str) -> str:
    """Case, blanks and typographic variants folded, each character to one character."""
    low = text.translate(_FOLD)
    lower = low.lower()
    if len(lower) == len(low):
        return lower
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in low)


def nearest(quote: str, texts: Iterable[str], most: int = 1) -> list[Match]:
    """The passages most like a quote, best first, at most one a text unless they lie apart.

    Args:
        quote: any text.
        texts: folded by `fold`; positions stay those of the unfolded texts.
        most: how many to give.
    """
    wanted = " ".join(fold(quote).split())
    anchors = _anchors(wanted)
    if not wanted or not anchors:
        return []
    kept: dict[int, str] = {}
    windows: list[tuple[float, int, int]] = []  # words in it, text, position
    room = max(_WINDOWS, most)
    for at, text in enumerate(texts):
        for weight, position in _windows(text, anchors, len(wanted)):
            if len(windows) < room or weight > windows[-1][0]:
                kept[at] = text
                windows.append((weight, at, position))
                windows.sort(key=lambda w: (-w[0], w[1], w[2]))
                del windows[room:]
    found = [m for _, at, position in windows if (m := _align(wanted, kept[at], at, position))]
    found.sort(key=lambda m: (-m.similarity, m.text, m.start))
    result: list[Match] = []
    for match in found:
        if all(m.text != match.text or m.end <= match.start or match.end <= m.start
               for m in result):  # fmt: skip
            result.append(match)
    return result[:most]


def _anchors(quote: str) -> list[str]:
    """Words to look for, the longest and so the rarest ones; pairs where words have no blanks."""
    words: dict[str, None] = {}
    for word in re.findall(r"[^\W_]+", quote):
        if word[0] >= _WIDE and len(word) > 2:
            words.update(dict.fromkeys(word[i : i + 2] for i in range(len(word) - 1)))
        else:
            words[word] = None
    ordered = sorted(words, key=lambda w: -len(w))[:_ANCHORS]
    # Short words stand everywhere; they are looked for only where there are few others.
    return [w for at, w in enumerate(ordered) if at < 4 or len(w) > 3 or w[0] >= _WIDE]


def _windows(text: str, anchors: list[str], length: int) -> list[tuple[float, int]]:
    """(weight of the different words that stand close together, position), best first."""
    hits: list[tuple[int, int]] = []
    for number, word in enumerate(anchors):
        places: list[tuple[int, int]] = []
        at = text.find(word)
        while at >= 0 and len(places) <= _TOO_COMMON:
            places.append((at, number))
            at = text.find(word, at + len(word))
        if len(places) <= _TOO_COMMON or not hits:
            hits += places
    if not hits:
        return []
    hits.sort()
    span = length + length // 4 + 20
    inside: Counter[int] = Counter()
    weight, low = 0.0, 0
    scored: list[tuple[float, int]] = []
    for position, number in hits:
        inside[number] += 1
        if inside[number] == 1:
            weight += len(anchors[number])
        while hits[low][0] < position - span:
            gone = hits[low][1]
            inside[gone] -= 1
            if not inside[gone]:
                weight -= len(anchors[gone])
            low += 1
        scored.append((weight, hits[low][0]))
    scored.sort(key=lambda s: (-s[0], s[1]))
    best: list[tuple[float, int]] = []
    for one in scored:
        if all(abs(one[1] - other[1]) > span for other in best):
            best.append(one)
            if len(best) == _WINDOWS:
                break
    return best


def _align(wanted: str, text: str, at: int, position: int) -> Match | None:
    low = max(0, position - len(wanted) // 2 - 20)
    window = text[low : position + 2 * len(wanted) + 40]
    if len(window) <= len(wanted):
        start, end = low, low + len(window)
        score = fuzz.ratio(wanted, window)
    else:
        found = fuzz.partial_ratio_alignment(wanted, window)
        if found is None or found.dest_end <= found.dest_start:
            return None
        start, end, score = low + found.dest_start, low + found.dest_end, found.score
        start, end = _stretch(wanted, text, start, end)
        score = max(score, fuzz.ratio(wanted, text[start:end]))
    start, end = _whole_words(text, start, end)
    return Match(at, start, end, float(score)) if start < end else None


def _stretch(wanted: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The span made longer where that is more alike: an aligned one is no longer than the quote."""
    room = len(wanted) // 4 + 5
    ends = range(end, min(len(text), end + room) + 1)
    end = max(ends, key=lambda e: (fuzz.ratio(wanted, text[start:e]), -e))
    starts = range(max(0, start - room), start + 1)
    return max(starts, key=lambda s: (fuzz.ratio(wanted, text[s:end]), s)), end


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks at its ends, and without half words."""
    while start < end and text[start] == " ":
        start += 1
    while start < end and text[end - 1] == " ":
        end -= 1
    if start == end:
        return start, end
    for _ in range(30):
        if start == 0 or not _inside_word(text, start):
            break
        start -= 1
    for _ in range(30):
        if end == len(text) or not _inside_word(text, end):
            break
        end += 1
    return start, end


def _inside_word(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and before < _WIDE and after < _WIDE
