from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import InvalidSetting
from ragdebug.fuse import rbo, shared

keys = st.lists(st.integers(0, 8), max_size=9, unique=True)


def by_definition(first: list[int], second: list[int], p: float) -> float:
    """Agreement summed far beyond the ends, each list going on as its agreement says.

    For lists of equal length n: below n the agreement stays what it is at n.
    """
    n = len(first)
    total = 0.0
    for d in range(1, 3000):
        depth = min(d, n)
        agreement = len(set(first[:depth]) & set(second[:depth])) / depth
        total += (1 - p) * p ** (d - 1) * agreement
    return total


def test_shared_hits_are_counted_down_to_k() -> None:
    assert shared("abcd", "dcxy") == 2
    assert shared("abcd", "dcxy", 2) == 0
    assert shared("abcd", "bxya", 2) == 1
    assert shared("", "abc") == 0


@given(st.permutations(range(5)), st.permutations(range(2, 7)), st.floats(0.1, 0.98))
def test_for_lists_of_equal_length_it_is_the_infinite_sum(
    first: list[int], second: list[int], p: float
) -> None:
    assert rbo(first, second, p) == pytest.approx(by_definition(first, second, p), abs=1e-9)


def test_lists_of_unequal_length_follow_equation_32() -> None:
    # S = a b, L = b x a; X = 0, 1, 2 and s = 2, l = 3
    p = 0.9
    sums = 0 / 1 * p + 1 / 2 * p**2 + 2 / 3 * p**3 + 1 * (3 - 2) / (2 * 3) * p**3
    expected = (1 - p) / p * sums + ((2 - 1) / 3 + 1 / 2) * p**3
    assert rbo("ab", "bxa", p) == pytest.approx(expected)
    assert rbo("bxa", "ab", p) == pytest.approx(expected)


def test_the_first_ranks_weigh_most() -> None:
    assert rbo("abcd", "abxy") > rbo("abcd", "xycd")


@given(keys, keys, st.floats(0.05, 0.99))
def test_it_is_symmetric_and_between_zero_and_one(a: list[int], b: list[int], p: float) -> None:
    assert rbo(a, b, p) == pytest.approx(rbo(b, a, p))
    assert 0 <= rbo(a, b, p) <= 1
    assert rbo(a, a, p) == pytest.approx(1)


def test_lists_with_nothing_in_common_and_empty_ones() -> None:
    assert rbo("ab", "cde") == 0
    assert rbo("", "abc") == 0
    assert rbo("", "") == 1
    assert rbo("aab", "abb") == pytest.approx(1)


@pytest.mark.parametrize("p", [0, 1, -0.5, 2, float("nan")])
def test_a_persistence_outside_its_range_is_refused(p: float) -> None:
    with pytest.raises(InvalidSetting, match="between 0 and 1"):
        rbo("a", "b", p)
