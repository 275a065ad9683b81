"""Texts cut at random, mangled and shuffled: every piece comes back to a place of its own text."""

from __future__ import annotations

import random
import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ragdebug.pieces import GivenPiece, PiecePlacement, place_pieces
from ragdebug.pieces.folds import folded

PARAGRAPHS = (
    "Yes.",
    "alpha beta gamma",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "Cafe\u0301 \U0001f600 \u201equoted\u201c",
    "---",
    "x",
    "A longer paragraph of text, which says more.",
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """A text of few different paragraphs, and spans of whole words that cover it."""
    alphabet = draw(st.lists(st.sampled_from(PARAGRAPHS), min_size=1, max_size=4, unique=True))
    parts = draw(st.lists(st.sampled_from(alphabet), min_size=1, max_size=14))
    text = draw(st.sampled_from(["\n\n", "\n", " "])).join(parts)
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text)]
    cuts = draw(st.sets(st.integers(1, max(1, len(words) - 1)), max_size=8))
    bounds = sorted({0, len(words), *(c for c in cuts if c < len(words))})
    return text, [(words[low][0], words[high - 1][1]) for low, high in pairwise(bounds)]


def mangled(text: str, seed: int) -> str:
    """With other white space, as a splitter that strips lines or joins them leaves it."""
    rng = random.Random(seed)
    return re.sub(r"\s+", lambda _: rng.choice([" ", "\n", "  \n", "\r\n\r\n", "\u00a0"]), text)


def same(text: str) -> list[int]:
    return folded(text).codes.tolist()


def spans(placements: list[PiecePlacement]) -> list[tuple[int, int]]:
    return [(p.start, p.end) for p in placements]


@given(documents(), st.booleans(), st.integers(0, 99))
def test_pieces_in_order_that_cover_the_text_are_where_they_were(
    document: tuple[str, list[tuple[int, int]]], mangle: bool, seed: int
) -> None:
    text, truth = document
    pieces = [text[start:end] for start, end in truth]
    if mangle:
        pieces = [mangled(p, seed + at) for at, p in enumerate(pieces)]
    found = place_pieces(text, [GivenPiece(p) for p in pieces])
    assert spans(found) == truth
    for piece, one in zip(pieces, found, strict=True):
        is_same = piece.replace("\r\n", "\n") == text[one.start : one.end]
        assert one.how == ("exact" if is_same else "folded")


@given(documents(), st.data())
def test_any_pieces_stand_where_their_text_is(
    document: tuple[str, list[tuple[int, int]]], data: st.DataObject
) -> None:
    text, _ = document
    ends = st.integers(0, len(text))
    some = data.draw(st.lists(st.tuples(ends, ends).map(sorted).map(tuple), max_size=10))
    seed = data.draw(st.integers(0, 99))
    pieces = [mangled(text[start:end], seed) for start, end in some]
    found = place_pieces(text, [GivenPiece(p) for p in pieces])
    for (start, end), piece, one in zip(some, pieces, found, strict=True):
        if not piece.strip():
            assert not one.placed
        elif same(piece.strip()) == same(text[start:end].strip()):
            # A letter cut from its mark is another letter; everything else is found.
            there = text[one.start : one.end]
            assert not one.placed or same(there) == same(piece.strip())
            assert one.placed or "\u0301" in text[max(0, start - 1) : end + 1]
            assert not one.placed or (not there[0].isspace() and not there[-1].isspace())


@given(documents(), st.randoms(use_true_random=False))
def test_shuffled_pieces_take_each_place_once(
    document: tuple[str, list[tuple[int, int]]], rng: random.Random
) -> None:
    text, truth = document
    pieces = [text[start:end] for start, end in truth]
    rng.shuffle(pieces)
    found = place_pieces(text, [GivenPiece(p) for p in pieces])
    assert all(p.placed for p in found)
    by_text: dict[str, list[int]] = {}
    for piece, one in zip(pieces, found, strict=True):
        assert same(text[one.start : one.end]) == same(piece)
        by_text.setdefault(piece, []).append(one.start)
    # As many different places as pieces of one text.
    assert all(len(set(starts)) == len(starts) for starts in by_text.values())


@given(documents(), st.integers(0, 99))
def test_given_offsets_win_over_any_order(
    document: tuple[str, list[tuple[int, int]]], seed: int
) -> None:
    text, truth = document
    shuffled = list(truth)
    random.Random(seed).shuffle(shuffled)
    found = place_pieces(text, [GivenPiece(text[s:e], start=s, end=e) for s, e in shuffled])
    assert spans(found) == shuffled
    assert {p.how for p in found} == {"offsets"}
