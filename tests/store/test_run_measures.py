"""Measures come back as they were; what is no number never reaches a mean or an order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ragdebug.errors import RunNotFound
from ragdebug.runs import MeasureTable
from ragdebug.store.workspace import Store
from tests.store.evaluations import measured, run

NAN = float("nan")


@pytest.fixture
def full(store: Store) -> Store:
    store.runs.start(run())
    return store


def equal(one: MeasureTable | None, other: MeasureTable) -> bool:
    assert one is not None
    for name in ("found", "grades", "tokens"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert [x.tolist() for x in mine] == [x.tolist() for x in theirs], name
    assert np.array_equal(one.values, other.values, equal_nan=True)
    names = ("values", "found", "grades", "tokens")
    return all(
        getattr(one, name) == getattr(other, name) for name in one.__slots__ if name not in names
    )


def test_a_table_comes_back_with_ranks_and_with_what_was_left_out(full: Store) -> None:
    table = replace(
        measured(["q2", "q1", "q3"], ["recall@5", "ap@10"], [[1, 0.5], [0, NAN], [0.5, 0.25]]),
        found=(np.array([3]), np.array([], np.int64), np.array([0, 7, 1])),
        grades=(np.array([1.0]), np.array([]), np.array([2.0, 1.0, 0.5])),
        tokens=(np.array([700]), np.array([], np.int64), np.array([-1, 1500, 0])),
        most_k=100,
        most_tokens=21_000,
        partial=(("q3", "one need of four"),),
        unlabelled=4,
        unanswerable=2,
        unusable=(("q8", "not in the corpus"),),
        errors=(("q1", "model gone"),),
    )
    full.runs.save_measures("aaaa0001", table)
    assert equal(full.runs.measures("aaaa0001", 0.9), table)
    assert full.runs.measures("aaaa0001", 0.5) is None
    assert full.runs.measures("unknown", 0.9) is None


def test_a_table_without_grades_comes_back_without(full: Store) -> None:
    table = replace(measured(["q1"], ["hit@1"], [[1]]), grades=(), tokens=())
    full.runs.save_measures("aaaa0001", table)
    assert equal(full.runs.measures("aaaa0001", 0.9), table)


def test_each_share_has_its_own_and_a_later_one_takes_the_place_of_an_earlier(full: Store) -> None:
    first = measured(["q1"], ["recall@5"], [[0.25]])
    half = measured(["q1"], ["recall@5"], [[0.5]], found_share=0.5)
    later = measured(["q1", "q2"], ["hit@1"], [[1], [0]], found_share=0.1 + 0.2 + 0.6)
    for table in (first, half, later):
        full.runs.save_measures("aaaa0001", table)
    assert equal(full.runs.measures("aaaa0001", 0.5), half)
    assert equal(full.runs.measures("aaaa0001", 0.9), replace(later, found_share=0.9))


@pytest.mark.parametrize("names", [(), ("recall@5",)])
def test_a_table_without_questions_is_not_the_same_as_none(
    full: Store, names: tuple[str, ...]
) -> None:
    table = measured([], names, [], unlabelled=3)
    full.runs.save_measures("aaaa0001", table)
    assert equal(full.runs.measures("aaaa0001", 0.9), table)


def test_measures_of_an_unknown_run_are_refused(store: Store) -> None:
    with pytest.raises(RunNotFound):
        store.runs.save_measures("none", measured(["q"], ["hit@1"], [[1]]))


def test_saving_measures_is_no_change_of_the_workspace(full: Store) -> None:
    before = full.documents.revision()
    full.runs.save_measures("aaaa0001", measured(["q"], ["hit@1"], [[1]]))
    assert full.documents.revision() == before


def test_a_run_with_values_that_are_no_numbers_is_never_the_best(store: Store) -> None:
    """Four runs: 0.6, not a number, 0.8, infinite. Best 0.8; mean of those with a value 0.7."""
    for name, value in (("A", 0.6), ("B", NAN), ("C", 0.8), ("D", float("inf"))):
        store.runs.start(run(name))
        store.runs.save_measures(name, measured(["q1"], ["recall@5"], [[value]]))
    with store.facts.cursor() as cursor:
        ask = cursor.execute
        assert ask("SELECT max(value), round(avg(value), 9) FROM measures").fetchall() == [
            (0.8, 0.7)
        ]
        assert ask(
            "SELECT run, value_missing FROM measures ORDER BY value DESC NULLS LAST, run"
        ).fetchall() == [("C", None), ("A", None), ("B", "not defined"), ("D", "infinite")]


def test_a_need_that_was_never_found_has_no_rank_in_queries(full: Store) -> None:
    table = replace(
        measured(["q1"], ["hit@1"], [[0]]),
        found=(np.array([0, 4]),),
        grades=(np.ones(2),),
        tokens=(np.array([-1, 90]),),
    )
    full.runs.save_measures("aaaa0001", table)
    with full.facts.cursor() as cursor:
        found = cursor.execute("SELECT need, rank, tokens FROM need_ranks ORDER BY need")
        assert found.fetchall() == [(0, None, None), (1, 4, 90)]
