from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ragdebug.evaluate import Paired, compare, verdict

CLEAR = Paired(60, 0.75, 0.60, 0.15, 0.04, 0.26, 0.02, 11, 47, 2, whole=True, needed=55)
UNCLEAR = replace(CLEAR, difference=0.02, low=-0.06, high=0.1, p=0.41, wins=6, losses=5, needed=178)


def test_a_clear_difference_says_what_is_won_and_lost() -> None:
    assert verdict(CLEAR, "hybrid", "vector", "recall@5") == (
        "hybrid finds 11 questions that vector misses and loses 2: "
        "+0.15 recall@5 (0.04 to 0.26), p 0.02, n 60"
    )


def test_the_better_one_comes_first() -> None:
    turned = replace(CLEAR, difference=-0.15, low=-0.26, high=-0.04, wins=2, losses=11)
    said = verdict(CLEAR, "hybrid", "vector", "recall@5")
    assert verdict(turned, "vector", "hybrid", "recall@5") == said


def test_a_difference_that_could_be_chance_says_how_many_questions_would_settle_it() -> None:
    assert verdict(UNCLEAR, "hybrid", "vector", "recall@5") == (
        "not distinguishable; about 180 questions would settle a difference this small: "
        "+0.02 recall@5 (-0.06 to 0.10), p 0.41, n 60, 6 better, 5 worse"
    )


def test_an_interval_that_contradicts_the_test_is_called_too_narrow() -> None:
    # Three of fourteen differ, all one way: the exact test gives 2 / 2^3.
    a = np.zeros(14)
    b = np.array([1.0] * 3 + [0.0] * 11)
    said = verdict(compare(a, b), "bm25", "hybrid", "recall@5")
    assert said.startswith("not distinguishable")
    assert "p 0.25" in said and "0 better, 3 worse" in said
    assert said.endswith("the interval is too narrow")


@pytest.mark.parametrize(("needed", "about"), [(61, "61"), (1201, "1,300"), (99_001, "100,000")])
def test_the_number_of_questions_is_rough(needed: int, about: str) -> None:
    said = verdict(replace(UNCLEAR, needed=needed), "a", "b", "recall@5")
    assert f"about {about} questions" in said


def test_a_number_that_is_there_already_is_not_asked_for() -> None:
    for needed in (None, 20, 60):
        said = verdict(replace(UNCLEAR, needed=needed), "a", "b", "recall@5")
        assert said.startswith("not distinguishable: +0.02")


@pytest.mark.parametrize("n", [0, 1, 9])
def test_below_ten_questions_there_is_no_verdict(n: int) -> None:
    said = verdict(compare(np.ones(n), np.zeros(n)), "a", "b", "recall@5")
    assert said.startswith(f"no verdict: {n} question")
    assert "10" in said
    assert "finds" not in said


def test_ten_questions_that_all_go_one_way_are_a_verdict() -> None:
    said = verdict(compare(np.ones(10), np.zeros(10)), "a", "b", "hit@5")
    assert said.startswith("a finds 10 questions that b misses and loses none: +1.00 hit@5")
    assert said.endswith("p 0.002, n 10")


def test_equal_runs_are_said_to_be_equal() -> None:
    said = verdict(compare(np.ones(12), np.ones(12)), "a", "b", "rr@10")
    assert said == "the same rr@10 on every question, n 12"


def test_values_between_zero_and_one_are_higher_or_lower_not_found_or_missed() -> None:
    partly = replace(CLEAR, whole=False)
    assert verdict(partly, "hybrid", "vector", "recall@5").startswith(
        "hybrid is higher than vector on 11 questions and lower on 2: +0.15 recall@5"
    )
    tokens = replace(CLEAR, difference=312.4, low=150.2, high=1480.0)
    assert verdict(tokens, "a", "b", "tokens@5") == (
        "a is higher than b on 11 questions and lower on 2: "
        "+312 tokens@5 (150 to 1,480), p 0.02, n 60"
    )


def test_small_intervals_have_three_decimals_and_p_tells_on_which_side_it_is() -> None:
    narrow = replace(CLEAR, difference=0.0124, low=0.0001, high=0.0249, p=0.0496)
    assert verdict(narrow, "a", "b", "recall@5").endswith(
        "+0.012 recall@5 (0.000 to 0.025), p 0.050, n 60"
    )
    assert "p below 0.001," in verdict(replace(CLEAR, p=0.0002), "a", "b", "recall@5")


def test_a_p_adjusted_for_many_tests_decides() -> None:
    said = verdict(replace(CLEAR, p=0.09), "hybrid", "vector", "recall@5")
    assert said.startswith("not distinguishable: +0.15 recall@5")
