from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.evaluate import compare, holm, questions_needed
from ragdebug.evaluate.paired import sign_flip

steps = st.sampled_from([-1.0, -0.5, -1 / 3, 0.0, 0.0, 0.25, 1 / 3, 0.5, 1.0])


def every_sign(differences: np.ndarray) -> float:
    """Share of all sign choices that are at least as far from zero."""
    signs = np.array(list(itertools.product([-1, 1], repeat=len(differences))))
    return float(np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9))


@given(st.lists(steps, min_size=1, max_size=10))
def test_few_differences_are_tested_exactly(differences: list[float]) -> None:
    values = np.array(differences)
    assert sign_flip(values) == pytest.approx(every_sign(values))


def test_differences_of_one_size_are_a_sign_test_at_any_number() -> None:
    # 40 wins and 20 losses: twice the tail of 60 throws of a coin
    tail = sum(math.comb(60, i) for i in range(40, 61)) / 2**60
    values = np.array([1.0] * 40 + [-1.0] * 20 + [0.0] * 900)
    assert sign_flip(values) == pytest.approx(2 * tail)
    assert sign_flip(values / 3) == pytest.approx(2 * tail)


def test_many_differences_are_drawn_and_come_near_the_exact_p() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(0.4, 1, 18)
    bits = (np.arange(2**18)[:, None] >> np.arange(18)) & 1
    exact = float(np.mean(np.abs((2 * bits - 1) @ values) >= abs(values.sum())))
    drawn = sign_flip(values, seed=1)
    assert 0.005 < exact < 0.5
    # four standard errors of 10,000 draws
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 10_000))
    assert drawn == sign_flip(values, seed=1)
    assert drawn != sign_flip(values, seed=2)


def test_a_drawn_p_is_never_zero() -> None:
    assert sign_flip(np.random.default_rng(0).uniform(0.5, 1, 200)) == 1 / 10_001


def test_runs_that_are_alike_are_rarely_told_apart() -> None:
    rng = np.random.default_rng(2)
    p = np.array([sign_flip(rng.normal(0, 1, 12)) for _ in range(400)])
    assert 0.02 < np.mean(p < 0.05) < 0.085
    assert np.mean(p) == pytest.approx(0.5, abs=0.05)


def test_a_comparison_counts_wins_of_the_first() -> None:
    a = np.array([1, 1, 1, 0, 0.5, 1])
    b = np.array([0, 1, 0.5, 1, 0.5, 0])
    made = compare(a, b)
    assert (made.n, made.wins, made.ties, made.losses) == (6, 3, 2, 1)
    assert (made.mean_a, made.mean_b) == pytest.approx((4.5 / 6, 3 / 6))
    assert made.difference == pytest.approx(1.5 / 6)
    # 1, 0.5, -1, 1: three ones make 3 twice and 1 six times in eight; with a half 4 + 6 of the
    # sixteen sums are at least 1.5 from zero
    assert made.p == pytest.approx(10 / 16)
    assert made.low < made.difference < made.high
    assert not made.whole


@given(st.lists(st.tuples(steps, steps), min_size=1, max_size=25))
def test_the_other_way_round_it_says_the_same(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs).T
    one, other = compare(a, b), compare(b, a)
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    assert one.difference == pytest.approx(-other.difference)
    assert one.p == pytest.approx(other.p)
    assert one.needed == other.needed
    assert one.low <= one.high
    assert 0 < one.p <= 1


def test_only_questions_that_both_have_are_compared() -> None:
    nan = math.nan
    made = compare(np.array([1, nan, 0, 1]), np.array([0, 1, nan, 1]))
    assert (made.n, made.wins, made.ties, made.whole) == (2, 1, 1, True)
    none = compare(np.array([nan, 1.0]), np.array([1.0, nan]))
    assert none.n == none.wins == 0
    assert math.isnan(none.p)


def test_rounding_is_no_difference() -> None:
    made = compare(np.array([0.1 + 0.2] * 12), np.array([0.3] * 12))
    assert (made.ties, made.p, made.difference, made.needed) == (12, 1.0, 0.0, None)
    assert (made.low, made.high) == (0, 0)


def test_holm_multiplies_and_never_turns_the_order_round() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6]) == [1.0, 1.0]
    assert holm([]) == []
    with_gap = holm([math.nan, 0.02, 0.04])
    assert math.isnan(with_gap[0])
    assert with_gap[1:] == pytest.approx([0.04, 0.04])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_an_adjusted_p_is_between_its_own_and_bonferronis(p_values: list[float]) -> None:
    for p, adjusted in zip(p_values, holm(p_values), strict=True):
        assert p <= adjusted <= min(1, len(p_values) * p) + 1e-12


def test_questions_needed_by_the_formula() -> None:
    # 15 up, 5 down, 80 alike: mean 0.1, variance 19/99, (1.959964 + 0.841621)^2 = 7.848879
    values = np.array([1.0] * 15 + [-1.0] * 5 + [0.0] * 80)
    assert questions_needed(values) == math.ceil(7.848879 * (19 / 99) / 0.01)
    assert questions_needed(values) == questions_needed(-values)
    assert questions_needed(np.zeros(30)) is None
    assert questions_needed(np.array([1.0, -1.0])) is None
    assert questions_needed(np.array([1.0])) is None


def test_five_differences_are_never_enough() -> None:
    assert sign_flip(np.ones(5)) == 1 / 16
    assert questions_needed(np.array([1.0] * 5)) == 6
    assert questions_needed(np.array([1.0] * 5 + [0.0] * 5)) == 12
