"""Where words stand in a text: runs of word characters with what holds them together.

A token is one of
  * a run of Chinese and Japanese characters, of Hangul, or of Thai, Lao, Khmer and Burmese, which
    put no blanks between words (Korean does, but glues particles to nouns);
  * a cluster: words joined without a blank by the marks that identifiers, paths, e-mail addresses
    and versions use (``ops.desk@example.com``, ``AB-1200-X``, ``src/app.py``), with the endings of
    ``C++`` and ``C#`` and the leading dot of ``.NET``.

Other punctuation is never part of a token, so "(Marlin)," and "Marlin" are the same word. Letters
and digits follow the word rule of Unicode's UAX #29: combining marks and joiners stay with the
letter before them. What a cluster is made of is decided in `identifiers`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

IGNORABLE = "\u00ad\u200c\u200d\u2060\ufe0e\ufe0f\ufeff\u20e3"
"""Soft hyphen, joiners, variation selectors, keycap: inside words, and no part of the term."""

HAN = (
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
KANA = (
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    "\U0001aff0-\U0001b16f"
)
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uffa1-\uffdc"
# Thai, Lao, Khmer and Myanmar letters; their digits are left to be digits.
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f"
    "\u109a-\u109d\u1780-\u17d3\u17d7\u17dc\u17dd"
)
RUNS = HAN + KANA + HANGUL + UNSPACED
# The voiced-sound marks of half-width kana are letters to Unicode, and marks to a reader.
KANA_MARKS = "\u3099\u309a\uff9e\uff9f"


def _ranges(points: list[int]) -> str:
    """A character class (without brackets) of sorted code points."""
    spans: list[list[int]] = []
    for point in points:
        if spans and point == spans[-1][1] + 1:
            spans[-1][1] = point
        else:
            spans.append([point, point])
    return "".join(rf"\U{low:08x}-\U{high:08x}" for low, high in spans)


@cache
def _in_run() -> re.Pattern[str]:
    return re.compile(f"[{RUNS}{KANA_MARKS}]")


@cache
def classes() -> tuple[str, str]:
    """Letters and digits that are not part of a run; combining marks (as character classes)."""
    run = _in_run()
    letters, marks = [], [ord(c) for c in IGNORABLE]
    for point in range(0x30, 0x10000):
        character = chr(point)
        if unicodedata.category(character)[0] == "M":
            marks.append(point)
        elif character.isalnum() and not run.match(character):
            letters.append(point)
    # Beyond the basic plane whole blocks do: scripts, mathematical letters, more scripts.
    letters_beyond = "\U00010000-\U0001afef\U0001b170-\U0001cfff\U0001d400-\U0001d7ff"
    letters_beyond += "\U0001e000-\U0001e9ff\U0001ec70-\U0001eeff"
    return _ranges(letters) + letters_beyond, _ranges(sorted(set(marks))) + "\U000e0100-\U000e01ef"


@cache
def pattern() -> re.Pattern[str]:
    """One match a token, in order; no groups, so that `findall` gives the tokens themselves."""
    letters, marks = classes()
    first = f"[{letters}_]"
    word = f"{first}[{letters}_{marks}]*+"
    joint = r"(?:://|:[\\]|::|[.:@/\\&+'\u2019\u2010\u2011-]|(?<=[0-9]),(?=[0-9]))"
    # A dot after a letter is a joint already, so a leading dot only has to follow no other dot.
    cluster = (
        rf"(?:\.(?<!\.\.))?{word}(?:{joint}{word})*+"
        r"(?:\+\+(?:[0-9][0-9]?)?(?![A-Za-z0-9_])|\#(?![A-Za-z0-9_]))?"
    )
    runs = "|".join(
        f"[{script}][{script}{marks}]*+" for script in (HAN + KANA + KANA_MARKS, HANGUL, UNSPACED)
    )
    return re.compile(f"{cluster}|{runs}")


def is_run(token: str) -> bool:
    """Whether a token of `pattern` is a run without blanks, to be cut into pairs."""
    return _in_run().match(token) is not None


def pairs(run: str) -> list[tuple[int, int]]:
    """Ranges of the overlapping pairs of characters of a run; of the run itself if it has one.

    Marks count with their letter.
    """
    letters = [m.span() for m in _letter().finditer(run)]
    if len(letters) < 2:
        return [(0, len(run))]
    return [(a, b) for (a, _), (_, b) in zip(letters, letters[1:], strict=False)]


def singles(run: str) -> list[tuple[int, int]]:
    """Ranges of the characters of a run that are often a word alone: Chinese and Korean ones.

    Empty when the run has one character only, which is its own pair.
    """
    spans = [m.span() for m in _single().finditer(run)]
    return [] if spans == [(0, len(run))] else spans


@cache
def _letter() -> re.Pattern[str]:
    _, marks = classes()
    return re.compile(f"[^{marks}{KANA_MARKS}][{marks}{KANA_MARKS}]*")


@cache
def _single() -> re.Pattern[str]:
    _, marks = classes()
    return re.compile(f"[{HAN}{HANGUL}][{marks}{KANA_MARKS}]*")
