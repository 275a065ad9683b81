from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.fuse.weighted import min_max, weighted


def test_scores_are_scaled_from_the_last_to_the_first() -> None:
    assert min_max({"a": 12.0, "b": 7.0, "c": 2.0}) == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert min_max({"a": -1.0, "b": -3.0}) == {"a": 1.0, "b": 0.0}


def test_a_list_of_equal_scores_is_all_best() -> None:
    assert min_max({"a": 0.3}) == {"a": 1.0}
    assert min_max({"a": 0.0, "b": 0.0}) == {"a": 1.0, "b": 1.0}
    assert min_max({}) == {}


def test_each_list_gives_its_weight_times_the_scaled_score() -> None:
    given = weighted([{"a": 9.0, "b": 5.0, "c": 1.0}, {"b": 0.8, "d": 0.2}], [0.5, 2])
    assert given == [{"a": 0.5, "b": 0.25, "c": 0.0}, {"b": 2.0, "d": 0.0}]


@given(st.dictionaries(st.integers(), st.floats(-1e6, 1e6), max_size=9))
def test_scaled_scores_stay_between_zero_and_one_in_order(scores: dict[int, float]) -> None:
    scaled = min_max(scores)
    assert all(0 <= v <= 1 for v in scaled.values())
    for a, b in zip(list(scores), list(scores)[1:], strict=False):
        assert (scores[a] < scores[b]) <= (scaled[a] <= scaled[b])


def test_the_best_of_a_list_is_one() -> None:
    assert max(min_max({1: 3.7, 2: 3.6999}).values()) == pytest.approx(1)
