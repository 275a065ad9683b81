"""Identifiers, kept whole and in parts; and compounds of plain words.

    ERR_4021               err_4021 > err, 4021
    HttpClientPool         httpclientpool > http, client, pool
    AB-1200-X              ab-1200-x > ab, 1200, x
    v14.2.1                v14.2.1 > 14.2.1 > 14.2
    ops.desk@example.com   ops.desk@example.com > ops.desk > ops, desk; example.com > example, com
    drop-down              drop-down > drop, down

A text is indexed under the whole and under every part, so a search for one of the parts finds it.
The other way round parts must not win over the whole: a passage that says "err" and "4021" three
times is not about ERR_4021. So an *identifier* in a query stands for its parts only where the
corpus does not hold it at all (`Word.alternative`). Where the parts are plain words and the mark
between them is a matter of spelling (drop-down, and/or, O'Brien), whole and parts are both asked
for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from ragdebug.retrieve.folding import Word, fold

_MANY = 12
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_NUMBERS = re.compile(r"[vV]?[0-9]+(?:\.[0-9]+)+")
_CONTRACTION = re.compile(r"(?:n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_LETTERS_DIGITS = re.compile(r"([^\W\d_]{2,})([0-9]{2,})")
_DIGITS_LETTERS = re.compile(r"([0-9]{2,})([^\W\d_]{2,})")
_DASHES = "-\u2010\u2011"
_APOSTROPHES = "'\u2019"

Splitter = Callable[[str, int, int, int], "list[Word] | None"]


def split(token: str) -> list[Word]:
    """Take a token apart. What it gives depends on the token alone."""
    return _split(token, 0, len(token), 0)


def _split(token: str, start: int, end: int, level: int) -> list[Word]:
    """Words of ``token[start:end]``, trying the splitters from `level` on."""
    for next_level in _levels("".join(sorted(set(token) & _SPECIAL))):
        if next_level >= level:
            found = _SPLITTERS[next_level][1](token, start, end, next_level)
            if found is not None:
                return found
    return [Word(fold(token[start:end]), start, end)] if start < end else []


@lru_cache(maxsize=4096)
def _levels(special: str) -> tuple[int, ...]:
    """The splitters that have something to do in a token with these marks."""
    return tuple(
        i
        for i, (marks, _) in enumerate(_SPLITTERS)
        if not marks or any(m in special for m in marks)
    )


def _pieces(token: str, start: int, end: int, marks: str) -> list[tuple[int, int]]:
    """Ranges between single marks; empty ones left out."""
    matches = _between(marks).finditer(token, start, end)
    return [m.span() for m in matches]


@cache
def _between(marks: str) -> re.Pattern[str]:
    return re.compile(f"[^{re.escape(marks)}]+")


def _whole(
    token: str, start: int, end: int, spans: list[tuple[int, int]], level: int, alternative: bool
) -> list[Word]:
    """A word with the parts that stand at `spans`, split at the levels after `level`."""
    parts = [w for a, b in spans for w in _split(token, a, b, level + 1) if w.text]
    text = fold(token[start:end])
    if len(parts) == 1 and parts[0].text == text:
        return parts
    return [Word(text, start, end, tuple(parts), alternative)]


def _plain(token: str, spans: list[tuple[int, int]]) -> bool:
    """Whether all pieces are made of letters, so that they are words of a language."""
    return all(fold(token[a:b]).isalpha() for a, b in spans)


def _ending(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """``C++``, ``C++17``, ``C#``; and the leading dot of ``.NET``."""
    if token[start] == ".":
        return _whole(token, start, end, [(start + 1, end)], level, True)
    if m := re.search(r"\+\+[0-9]*$|#$", token[start:end]):
        at = start + m.start()
        if m[0] == "#" and at - start > 2:
            return _split(token, start, at, level + 1)
        named = end if m[0] == "#" else at + 2  # C++17 is C++ too
        found = _whole(token, start, named, [(start, at)], level, True)
        whole = Word(fold(token[start:end]), start, end, tuple(found), True)
        return [whole] if named < end else found
    return None


def _address(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """URLs (the scheme tells nothing) and paths."""
    scheme = token.find("://", start, end)
    if scheme >= 0:
        start = scheme + 3
    spans = _pieces(token, start, end, "/\\")
    if scheme < 0 and len(spans) < 2:
        return None
    if token[spans[0][1] - 1] == ":":  # C:\
        spans[0] = (spans[0][0], spans[0][1] - 1)
    if len(spans) == 1:
        return _split(token, *spans[0], level + 1)
    spelling = len(spans) == 2 and _plain(token, spans) and "\\" not in token[start:end]
    return _whole(token, start, end, spans, level, not spelling)


def _marks(marks: str, spelling: bool) -> Splitter:
    """Split at marks. With `spelling`, plain words on both sides are searched as words too."""

    def split(token: str, start: int, end: int, level: int) -> list[Word] | None:
        spans = _pieces(token, start, end, marks)
        if len(spans) < 2:
            return None
        alternative = not (spelling and _plain(token, spans))
        return _whole(token, start, end, spans, level, alternative)

    return split


def _colons(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """``std::vector`` is a name; ``tenant:acme`` is two words."""
    return _marks(":", spelling="::" not in token[start:end])(token, start, end, level)


def _number(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """``1,000`` is 1000. A version also stands for its line: 14.2.1 for 14.2."""
    text = token[start:end]
    if _GROUPED.fullmatch(text):
        return [Word(text.replace(",", ""), start, end)]
    if not _NUMBERS.fullmatch(text):
        return None
    bare = start + (text[0] in "vV")
    chain: tuple[Word, ...] = ()
    points = [i for i in range(bare, end) if token[i] == "."]
    for stop in [*points[1:8], end]:
        chain = (Word(token[bare:stop], bare, stop, chain, True),)
    return [Word(fold(text), start, end, chain, True)] if bare > start else list(chain)


def _dashed_number(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """``10.2.1-rc1``, ``nginx-1.25.3``: at the dashes before the dots."""
    spans = _pieces(token, start, end, _DASHES)
    if len(spans) < 2 or not any(_NUMBERS.fullmatch(token[a:b]) for a, b in spans):
        return None
    return _whole(token, start, end, spans, level, True)


def _dots(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """Host and file names, and abbreviations (U.S.A.)."""
    spans = _pieces(token, start, end, ".")
    if len(spans) < 2:
        return None
    if all(b - a == 1 and token[a].isalpha() for a, b in spans):
        return [Word(fold(token[start:end].replace(".", "")), start, end)]
    if len(spans) < 3:
        return _whole(token, start, end, spans, level, True)
    # docs.example.com is example.com too
    last = _whole(token, spans[-2][0], end, spans[-2:], level, True)
    first = [w for a, b in spans[:-2] for w in _split(token, a, b, level + 1) if w.text]
    return [Word(fold(token[start:end]), start, end, (*first, *last), True)]


def _apostrophe(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """A dog's is dog, don't is one word, O'Brien and l'eau have parts."""
    spans = _pieces(token, start, end, _APOSTROPHES)
    if len(spans) < 2:
        return None
    text = token[start:end]
    if m := _CONTRACTION.search(text):
        if m[0][1:] in "sS":
            return _split(token, start, end - 2, level)
        if len(spans) == 2:
            return [Word(fold(text), start, end)]
    kept = [(a, b) for a, b in spans if b - a > 1 or token[a].isdigit()]
    parts = tuple(w for a, b in kept for w in _split(token, a, b, level + 1) if w.text)
    return [Word(fold(text), start, end, parts, elided=True)]


def _snake(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """``load_user_profile``; ``__init__`` keeps its marks, ``_emphasis_`` does not."""
    spans = _pieces(token, start, end, "_")
    if not spans:
        return []
    text = token[start:end]
    if text.startswith("__") and text.endswith("__"):
        return _whole(token, start, end, spans, level, True)
    if len(spans) == 1:
        return _split(token, *spans[0], level + 1) if spans[0] != (start, end) else None
    return _whole(token, spans[0][0], spans[-1][1], spans, level, True)


def _camel(token: str, start: int, end: int, level: int) -> list[Word] | None:
    """``HttpClientPool`` at its humps, ``ERR4021`` and ``v14`` between letters and digits."""
    text = token[start:end]
    if text.isalpha():
        if text.islower() or text.isupper():
            return None
    elif text[:1] in "vV" and text[1:].isdecimal():
        return _whole(token, start, end, [(start + 1, end)], level, True)
    elif m := _LETTERS_DIGITS.fullmatch(text):
        middle = start + m.end(1)
        return _whole(token, start, end, [(start, middle), (middle, end)], level, True)
    elif m := _DIGITS_LETTERS.fullmatch(text):  # 500mg: a quantity, not a code
        middle = start + m.end(1)
        return _whole(token, start, end, [(start, middle), (middle, end)], level, False)
    cuts = [0, *(i for i in range(1, len(text)) if _hump(text, i)), len(text)]
    if len(cuts) == 2 or len(cuts) > _MANY:  # encoded data has humps everywhere
        return None
    humps = [(start + a, start + b) for a, b in zip(cuts, cuts[1:], strict=False) if b - a > 1]
    return _whole(token, start, end, humps, level, True)


def _hump(text: str, i: int) -> bool:
    """Whether a new word begins at ``text[i]``: loadProfile, HTTPClient, but not PDFs."""
    before, here, after = text[i - 1], text[i], text[i + 1 : i + 2]
    if not here.isupper():
        return False
    if before.isupper():
        plural = after == "s" and not text[i + 2 : i + 3].islower()
        return after.islower() and not plural
    return before.islower() or (before.isdigit() and after.islower())


# In this order; a splitter is only called on tokens that hold one of its marks.
_SPLITTERS: tuple[tuple[str, Splitter], ...] = (
    (".+#", _ending),
    ("/\\", _address),
    ("@", _marks("@", spelling=False)),
    (":", _colons),
    ("&", _marks("&", spelling=False)),
    ("+", _marks("+", spelling=True)),
    (".", _dashed_number),
    (".,", _number),
    (",", _marks(",", spelling=False)),
    (".", _dots),
    (_DASHES, _marks(_DASHES, spelling=True)),
    (_APOSTROPHES, _apostrophe),
    ("_", _snake),
    ("", _camel),
)
_SPECIAL = frozenset("".join(marks for marks, _ in _SPLITTERS))
