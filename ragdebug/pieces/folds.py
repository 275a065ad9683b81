"""Texts as they are compared: folded code points that know where they stand in the text.

Folding is done on arrays. A text of a million letters is folded in a few dozen milliseconds,
and a hundred thousand pieces are folded in one go, joined to one text.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ragdebug.typography import ELLIPSIS, VARIANTS

_T = TypeVar("_T", bound=np.generic)
Codes = NDArray[np.uint32]
Positions = NDArray[np.int32]  # a string of 2 GB is no document

# Characters that show nothing: controls, soft hyphens, zero width and direction marks, tags.
UNSEEN = "".join(
    chr(c)
    for first, last in (
        (0x00, 0x08), (0x0E, 0x1B), (0x7F, 0x84), (0x86, 0x9F), (0xAD, 0xAD), (0x61C, 0x61C),
        (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064), (0x2066, 0x206F),
        (0xFEFF, 0xFEFF), (0xE0001, 0xE007F),
    )
    for c in range(first, last + 1)
)  # fmt: skip
BLANKS = "".join(chr(c) for c in range(0x3001) if chr(c).isspace())
EDGES = UNSEEN + BLANKS  # what a span neither begins nor ends with

_LONGER = {ELLIPSIS: "...", "\u2025": ".."} | {
    chr(c): unicodedata.normalize("NFKC", chr(c)) for c in range(0xFB00, 0xFB07)
}
_BETWEEN = "\U0010ffff"  # no character; stands between texts that are folded together
_PART = 1 << 16
_BLANK = ord(" ")
_DROP = 0xFFFFFFFF
_TABLE_SIZE = 0xE0080
_MARK, _OLD = 1, 2
_LETTERS = 0x1F000  # no letter beyond has a case, and no mark beyond joins one


@dataclass(frozen=True, slots=True)
class View:
    """A text, or several, as they are compared; n folded code points.

    Attributes:
        codes: shape (n,), uint32.
        starts: shape (n,), where the character behind each code begins in the source; several codes
            share one where a character stands for several letters.
        ends: shape (n,), one past it.
        loose: shape (n,), bool: of a blank, whether its run has more than plain spaces in it (a
            line end, a tab, a no-break space); of others, whether such a run stood before them.
        tight: shape (n,), bool: whether plain spaces alone stood before; only without blanks.
    """

    codes: Codes
    starts: Positions
    ends: Positions
    loose: NDArray[np.bool_]
    tight: NDArray[np.bool_] | None = None

    def without_blanks(self) -> View:
        """The same without white space, remembering where it stood."""
        blank = self.codes == _BLANK
        before = np.zeros(len(blank), bool)
        before[1:] = blank[:-1]
        loose = np.zeros(len(blank), bool)
        loose[1:] = blank[:-1] & self.loose[:-1]
        keep = ~blank
        return View(
            self.codes[keep],
            self.starts[keep],
            self.ends[keep],
            loose[keep],
            (before & ~loose)[keep],
        )

    def without_case(self) -> View:
        """The same with small letters for capitals, where one stands for one."""
        return replace(self, codes=_mapped(self.codes, _small()))


def raw(text: str) -> View:
    """A text as it is."""
    codes = codes_of(text)
    starts = np.arange(len(codes), dtype=np.int32)
    return View(codes, starts, starts + 1, np.zeros(len(codes), bool))


def folded(text: str) -> View:
    """A text with white space and typography folded.

    Any run of white space is one space; characters that show nothing are gone; quotes, dashes,
    ellipses, ligatures and full width forms are plain; letters and their marks are composed (NFC).
    """
    parts = [_folded_part(text[low:high], low) for low, high in _parts(text)]
    if len(parts) == 1:
        return parts[0]
    codes, starts, ends, loose = (
        [getattr(p, name) for p in parts] for name in ("codes", "starts", "ends", "loose")
    )
    parts.clear()
    return View(_whole(codes), _whole(starts), _whole(ends), _whole(loose))


def _whole(parts: list[NDArray[_T]]) -> NDArray[_T]:
    """Parts as one; each is let go, or a long text would be here twice."""
    whole = np.empty(sum(map(len, parts)), parts[0].dtype)
    at = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        whole[at : at + len(part)] = part
        at += len(part)
    return whole


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Parts that can be folded by themselves, each small enough for a processor's cache.

    A part begins with a character that shows something and joins nothing before it.
    """
    low = 0
    while len(text) - low > 2 * _PART:
        high, reach = low + _PART, 1_000
        while high < len(text):
            codes = codes_of(text[high : high + reach])
            shown = _mapped(codes, _plain())
            free = (shown != _BLANK) & (shown != _DROP) & (_mapped(codes, _kinds()) != _MARK)
            if free.any():
                high += int(np.argmax(free))
                break
            high, reach = high + reach, 2 * reach
        yield low, min(high, len(text))
        low = min(high, len(text))
    yield low, len(text)


def _folded_part(text: str, offset: int) -> View:
    text, starts, ends = _respelled(text)
    starts, ends = starts + np.int32(offset), ends + np.int32(offset)
    source = codes_of(text)
    codes = _mapped(source, _plain())
    keep = codes != _DROP
    if not keep.all():
        source, codes, starts, ends = source[keep], codes[keep], starts[keep], ends[keep]
    blank = codes == _BLANK
    first = np.ones(len(blank), bool)
    first[1:] = ~(blank[1:] & blank[:-1])
    last = np.ones(len(blank), bool)
    last[:-1] = first[1:]
    loose = np.zeros(int(first.sum()), bool)
    loose[(np.cumsum(first) - 1)[blank & (source != _BLANK)]] = True
    return View(codes[first], starts[first], ends[last], loose)


def joined(texts: Sequence[str]) -> tuple[str, NDArray[np.int64], NDArray[np.int64]]:
    """Texts as one, to be folded together, and where each begins and ends in it; shape (n,)."""
    lengths = np.fromiter((len(t) for t in texts), np.int64, len(texts))
    ends = np.cumsum(lengths + 1) - 1
    return _BETWEEN.join(texts), ends - lengths, ends


def codes_of(text: str) -> Codes:
    """Code points; shape (len(text),)."""
    order = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
    return np.frombuffer(text.encode(order, "surrogatepass"), np.uint32)


def seen(text: str) -> Positions:
    """Where the characters stand that show something, ascending."""
    plain = _mapped(codes_of(text), _plain())
    return np.flatnonzero((plain != _BLANK) & (plain != _DROP)).astype(np.int32)


def _mapped(codes: Codes, table: Codes) -> Codes:
    if not len(codes) or int(codes.max()) < len(table):
        return table[codes]
    return np.where(codes < len(table), table[np.minimum(codes, len(table) - 1)], codes)


@lru_cache(maxsize=1)
def _plain() -> Codes:
    table = np.arange(_TABLE_SIZE, dtype=np.uint32)
    for plain, others in VARIANTS.items():
        table[[ord(c) for c in others]] = ord(plain)
    table[0xFF01:0xFF5F] = np.arange(0x21, 0x7F)
    table[0xD800:0xE000] = 0xFFFD  # halves of pairs, which no document here holds
    table[[ord(c) for c in BLANKS]] = _BLANK
    table[[ord(c) for c in UNSEEN]] = _DROP
    return table


@lru_cache(maxsize=1)
def _small() -> Codes:
    table = np.arange(_LETTERS, dtype=np.uint32)
    for code in range(_LETTERS):
        low = chr(code).lower()
        if len(low) == 1:
            table[code] = ord(low)
    return table


def _respelled(text: str) -> tuple[str, Positions, Positions]:
    """The text with characters written out or composed, and where each one came from."""
    counts = np.ones(len(text), np.int32)
    changes: list[tuple[int, int, str]] = []
    if not text.isascii():
        changes = [(m.start(), m.end(), _LONGER[m[0]]) for m in _longer().finditer(text)]
        if not unicodedata.is_normalized("NFC", text):
            for start, end in _apart(codes_of(text)):
                letter = text[start:end]
                composed = unicodedata.normalize("NFC", letter)
                if composed != letter:
                    changes.append((start, end, composed))
            changes.sort()
    if not changes:
        starts = np.arange(len(text), dtype=np.int32)
        return text, starts, starts + 1
    parts: list[str] = []
    until = np.arange(1, len(text) + 1, dtype=np.int32)
    at = 0
    for start, end, new in changes:
        if start < at:
            continue  # a ligature with a mark on it
        parts += (text[at:start], new)
        counts[start:end] = 0
        counts[start] = len(new)
        until[start] = end
        at = end
    parts.append(text[at:])
    starts = np.repeat(np.arange(len(text), dtype=np.int32), counts)
    return "".join(parts), starts, until[starts]


@lru_cache(maxsize=1)
def _longer() -> re.Pattern[str]:
    return re.compile("[" + "".join(_LONGER) + "]")


def _apart(codes: Codes) -> Iterator[tuple[int, int]]:
    """Spans of letters with marks or Hangul parts after them, and of those with a newer form."""
    kinds = _mapped(codes, _kinds())
    kinds = np.where(kinds > _OLD, 0, kinds)  # beyond the table
    begins = np.flatnonzero(kinds != _MARK)
    if not len(begins) or begins[0]:
        begins = np.insert(begins, 0, 0)
    ends = np.append(begins[1:], len(codes))
    some = (ends - begins > 1) | (kinds[begins] == _OLD)
    return zip(begins[some].tolist(), ends[some].tolist(), strict=True)


@lru_cache(maxsize=1)
def _kinds() -> Codes:
    """Of each code point: whether it joins the one before it, or has a newer form (NFC)."""
    table = np.zeros(0x2FA20, np.uint32)
    for code in (*range(0xA0, _LETTERS), *range(0x2F800, 0x2FA20)):
        letter = chr(code)
        if unicodedata.category(letter)[0] == "M" or 0x1160 <= code < 0x1200:
            table[code] = _MARK
        elif not 0xD800 <= code < 0xE000 and unicodedata.normalize("NFC", letter) != letter:
            table[code] = _OLD
    return table
