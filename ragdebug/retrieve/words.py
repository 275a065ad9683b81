"""What a token of `scan` is made of: a word, an identifier with its parts, or pairs of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragdebug.retrieve.folding import Word, fold
from ragdebug.retrieve.identifiers import split
from ragdebug.retrieve.scan import is_run, pairs, singles

MAX_TOKEN = 1024
"""Longest token, in characters, that is looked at as an identifier."""

MAX_TERM = 255
"""Longest term, in characters: what is longer (encoded data) is cut, as Lucene does."""


def words(token: str) -> tuple[Word, ...]:
    """Take a token of `scan.pattern` apart. What it gives depends on the token alone."""
    if token.isalpha() and token.isascii() and (token.islower() or token[1:].islower()):
        return (Word(token.lower(), 0, len(token)),) if len(token) <= MAX_TERM else _long(token)
    if is_run(token):
        return tuple(_run(token))
    if len(token) > MAX_TOKEN:
        return _long(token)
    return tuple(_limit(word) for word in split(token) if word.text)


def run_terms(run: str) -> tuple[str, ...]:
    """The texts of `words` for a run, hidden ones included, without the words: there are many."""
    text = fold(run)
    if len(text) == len(run) and text.isalpha():  # no marks: a letter is a character
        twos = map("".join, zip(text, text[1:], strict=False)) if len(text) > 1 else [text]
        return (*twos, *(text[a:b] for a, b in singles(text)))
    spans = [*pairs(run), *singles(run)]
    return tuple(fold(run[a:b]) for a, b in spans)


def _run(token: str) -> Iterator[Word]:
    for start, end in pairs(token):
        yield Word(fold(token[start:end]), start, end)
    # Only as hidden parts: a query of two characters is not about each of them.
    alone = tuple(Word(fold(token[a:b]), a, b) for a, b in singles(token))
    if alone:
        yield Word("", 0, len(token), hidden=alone)


def _long(token: str) -> tuple[Word, ...]:
    """A token that no person wrote: only its runs of letters and digits, cut to length."""
    runs = re.finditer(rf"[^\W_]{{1,{MAX_TERM}}}", token)
    return tuple(Word(fold(m[0]), m.start(), m.end()) for m in runs)


def _limit(word: Word) -> Word:
    if len(word.text) <= MAX_TERM:
        return word
    parts = tuple(map(_limit, word.parts)) or tuple(
        Word(word.text[i : i + MAX_TERM], word.start, word.end)
        for i in range(0, len(word.text), MAX_TERM)
    )
    return Word("", word.start, word.end, parts)
