"""Positions counted in code points and in UTF-16 units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.ui.offsets import Utf16Map

# Letters, combining marks, emoji with joiners, skin tones and flags, a lone surrogate, bidi marks.
PIECES = ["a", "é", "e\u0301", "日", "😀", "👩‍👩‍👧", "👍🏽", "🇩🇪", "𝒳", "\u202e", "\n", "\ud83d"]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=60)


def units(text: str) -> int:
    """Length in UTF-16 units, by Python's own codec."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(texts)
def test_every_position_is_the_length_of_the_encoded_prefix(text: str) -> None:
    positions = Utf16Map(text)
    # A lone high surrogate before a low one would be joined by a codec, so count each by itself.
    expected = 0
    for i in range(len(text) + 1):
        assert positions.to_utf16(i) == expected
        if i < len(text):
            expected += units(text[i])
    assert positions.units == expected


@given(texts)
def test_positions_survive_the_way_there_and_back(text: str) -> None:
    positions = Utf16Map(text)
    for i in range(len(text) + 1):
        assert positions.to_code_point(positions.to_utf16(i)) == i
        assert positions.to_code_point(positions.to_utf16(i), up=True) == i


@given(texts, st.integers(-5, 200), st.integers(-5, 200))
def test_a_span_of_units_never_splits_a_pair_and_is_ordered(text: str, a: int, b: int) -> None:
    positions = Utf16Map(text)
    start, end = positions.span(a, b)
    assert 0 <= start <= end <= len(text)
    low, high = sorted(min(max(x, 0), positions.units) for x in (a, b))
    assert positions.to_utf16(start) <= low
    assert low == high or positions.to_utf16(end) >= high


@pytest.mark.parametrize(
    ("text", "unit", "down", "up"),
    [("😀x", 0, 0, 0), ("😀x", 1, 0, 1), ("😀x", 2, 1, 1), ("x😀", 2, 1, 2), ("x😀", 3, 2, 2)],
)
def test_a_unit_inside_a_pair_moves_outwards(text: str, unit: int, down: int, up: int) -> None:
    assert Utf16Map(text).to_code_point(unit) == down
    assert Utf16Map(text).to_code_point(unit, up=True) == up


def test_a_combining_mark_is_a_code_point_of_its_own() -> None:
    positions = Utf16Map("e\u0301😀!")
    assert [positions.to_utf16(i) for i in range(5)] == [0, 1, 2, 4, 5]


def test_positions_outside_the_text_are_clipped() -> None:
    positions = Utf16Map("😀")
    assert (positions.to_utf16(-3), positions.to_utf16(9)) == (0, 2)
    assert (positions.to_code_point(-3), positions.to_code_point(9)) == (0, 1)
