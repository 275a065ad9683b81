from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.evaluate import interval, intervals
from ragdebug.evaluate.intervals import bca, draws_for, resampled_means, wilson
from ragdebug.runs import Interval

rng = np.random.default_rng(11)
SKEWED = rng.exponential(1.0, 40) / 8
UNEVEN = np.array([0.0, 0, 0, 0.25, 0.5, 0, 1, 0, 0, 1 / 3, 0, 0])


def test_wilson_by_its_formula() -> None:
    # 8 of 10: middle (0.8 + z^2/20) / (1 + z^2/10), z 1.959964
    z2 = 3.841459
    middle = (0.8 + z2 / 20) / (1 + z2 / 10)
    half = math.sqrt(z2) / (1 + z2 / 10) * math.sqrt(0.8 * 0.2 / 10 + z2 / 400)
    assert wilson(8, 10) == pytest.approx((middle - half, middle + half), abs=1e-6)
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)


@given(st.integers(1, 500), st.data())
def test_wilson_holds_the_share_within_zero_and_one(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("successes", [0, 1, 8, 10])
def test_wilson_agrees_with_scipy(successes: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    theirs = stats.binomtest(successes, 10).proportion_ci(method="wilson")
    assert wilson(successes, 10) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize("values", [SKEWED, UNEVEN, -SKEWED, np.round(SKEWED, 1)])
def test_bca_agrees_with_scipy(values: np.ndarray) -> None:
    stats = pytest.importorskip("scipy.stats")
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(3)
    ).confidence_interval
    low, high = bca(values[:, None])
    width = theirs.high - theirs.low
    assert (low[0], high[0]) == pytest.approx((theirs.low, theirs.high), abs=0.04 * width)


def test_bca_leans_to_the_long_tail() -> None:
    low, high = bca(SKEWED[:, None])
    mean = SKEWED.mean()
    assert high[0] - mean > 1.15 * (mean - low[0]) > 0


@given(st.floats(0.01, 100), st.floats(-100, 100))
def test_bca_moves_and_stretches_with_the_values(scale: float, shift: float) -> None:
    low, high = bca(UNEVEN[:, None])
    moved_low, moved_high = bca((scale * UNEVEN + shift)[:, None])
    assert moved_low == pytest.approx(scale * low + shift, abs=1e-6)
    assert moved_high == pytest.approx(scale * high + shift, abs=1e-6)


def test_resampled_means_spread_as_theory_says() -> None:
    values = np.column_stack([SKEWED, 1 - SKEWED])
    means = resampled_means(values)
    assert means.shape == (10_000, 2)
    assert means.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.002)
    assert means.std(axis=0) == pytest.approx(values.std(axis=0) / math.sqrt(40), rel=0.03)
    assert means.sum(axis=1) == pytest.approx(np.ones(10_000))  # the same samples in both


def test_large_sets_are_drawn_less_often() -> None:
    drawn = [draws_for(n) for n in (1, 60, 2_000, 4_000, 10_000, 100_000)]
    assert drawn == [10_000, 10_000, 10_000, 5_000, 2_000, 2_000]


def test_an_interval_is_the_same_each_time_and_by_column() -> None:
    values = np.column_stack([UNEVEN, UNEVEN[::-1] ** 2])
    both = intervals(["rr@5", "ap@5"], values)
    assert both == intervals(["rr@5", "ap@5"], values)
    assert both == [interval("rr@5", UNEVEN), interval("ap@5", UNEVEN[::-1] ** 2)]
    assert both[0].n == 12
    assert both[0].low < both[0].mean < both[0].high


def test_zeros_and_ones_get_wilson_by_any_name_but_tokens() -> None:
    values = np.array([1.0] * 8 + [0.0] * 2)
    assert interval("hit@5", values) == Interval(0.8, *wilson(8, 10), 10)
    assert interval("recall@5", values) == interval("hit@5", values)
    assert interval("tokens@5", values) != interval("hit@5", values)


def test_equal_values_are_not_certainty() -> None:
    assert interval("hit@5", np.ones(10)) == Interval(1.0, *wilson(10, 10), 10)
    assert interval("ndcg@5", np.full(10, 0.5)) == Interval(0.5, *wilson(5, 10), 10)
    alone = interval("ndcg@5", np.array([0.25]))
    assert 0 < alone.low < 0.25 < alone.high < 1
    assert interval("tokens@5", np.full(10, 900.0)) == Interval(900, 900, 900, 10)


def test_missing_values_are_left_out_and_counted() -> None:
    nan = math.nan
    values = np.column_stack([[0.2, nan, 0.6, 0.3], [0.1, 0.5, 0.9, 0.2], [nan] * 4])
    first, second, none = intervals(["iou@5", "rr@5", "coverage@5"], values)
    assert (first.n, second.n, none.n) == (3, 4, 0)
    assert first == interval("iou@5", np.array([0.2, 0.6, 0.3]))
    assert second == interval("rr@5", values[:, 1])
    assert all(math.isnan(x) for x in (none.mean, none.low, none.high))


def test_no_questions_have_no_interval() -> None:
    assert interval("rr@5", np.zeros(0)).n == 0
    assert math.isnan(wilson(0, 0)[0])


@given(st.lists(st.sampled_from([0.0, 0.2, 0.5, 1.0]), min_size=1, max_size=30))
def test_intervals_of_shares_stay_between_zero_and_one(values: list[float]) -> None:
    made = interval("recall@5", np.array(values))
    assert 0 <= made.low <= made.high <= 1
    assert made.mean == pytest.approx(np.mean(values))


def test_means_of_many_values_spread_as_theory_says() -> None:
    values = np.column_stack([np.resize(SKEWED, 4_001), 1 - np.resize(SKEWED, 4_001)])
    means = resampled_means(values)
    assert means.shape == (draws_for(4_001), 2)
    assert means.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.0005)
    assert means.std(axis=0) == pytest.approx(values.std(axis=0) / math.sqrt(4_001), rel=0.04)
    assert means.sum(axis=1) == pytest.approx(np.ones(len(means)))
    assert len(np.unique(means[:, 0])) > 0.9 * len(means)  # no block of samples comes twice
