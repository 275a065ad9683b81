"""Many strings in one text, against looking for each by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.pieces import occurrences as many
from ragdebug.pieces.folds import codes_of, joined

LETTERS = st.sampled_from("ab\U0001f600")
STRINGS = st.lists(st.text(LETTERS, min_size=1, max_size=20), max_size=8)


def find(text: str, strings: list[str]) -> list[list[int]]:
    together, begins, ends = joined(strings)
    found = many.occurrences(codes_of(text), codes_of(together), begins, ends)
    return [found.of(at).tolist() for at in range(len(strings))]


def one_by_one(text: str, strings: list[str]) -> list[list[int]]:
    return [[at for at in range(len(text)) if text.startswith(s, at)] for s in strings]


@given(text=st.text(LETTERS, max_size=80), strings=STRINGS)
def test_all_places_are_found_and_no_others(text: str, strings: list[str]) -> None:
    strings += [text[at : at + 1 + at] for at in range(0, len(text), 9)]
    assert find(text, strings) == one_by_one(text, strings)


@given(text=st.text(LETTERS, max_size=80), strings=STRINGS)
def test_places_are_found_across_the_borders_of_parts(text: str, strings: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many, "_WINDOW", 3)
        patch.setattr(many, "_TOGETHER", 2)
        assert find(text, strings) == one_by_one(text, strings)


def test_nothing_to_find_or_nowhere() -> None:
    assert find("", ["a"]) == [[]]
    assert find("a", []) == []
    assert find("ab", ["abc", "b", "b"]) == [[], [1], [1]]
