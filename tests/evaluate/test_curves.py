from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import InvalidSetting
from ragdebug.evaluate import budget_curve, curve, recall_curve
from ragdebug.runs import MeasureTable
from tests.evaluate.lists import measured, need, question

GREEN, WARM = ("tea", 0, 5), ("pot", 0, 4)
OTHER = [("pot", 10 + i, 12 + i) for i in range(20)]


def ranked(found: list[list[int]], **more: object) -> MeasureTable:
    """A table of which only the ranks are known."""
    ranks = tuple(np.array(row, np.int64) for row in found)
    ids = tuple(f"q{i}" for i in range(len(found)))
    return MeasureTable(ids, (), np.zeros((len(found), 0)), ranks, **more)  # type: ignore[arg-type]


def test_a_curve_has_one_row_a_question_and_one_column_a_k() -> None:
    table = ranked([[2], [0], [1, 3]])
    assert recall_curve(table, 4).tolist() == [[0, 1, 1, 1], [0, 0, 0, 0], [0.5, 0.5, 1, 1]]
    assert curve(table, "rr", 3).tolist() == [[0, 0.5, 0.5], [0, 0, 0], [1, 1, 1]]
    assert curve(table, "hit", 2).tolist() == [[0, 1], [0, 0], [1, 1]]
    assert recall_curve(table).shape == (3, 50)


def test_needs_without_grades_have_grade_one() -> None:
    table = ranked([[1, 2]])
    assert curve(table, "ndcg", 2).tolist() == [[1, 1]]
    graded = ranked([[2, 1]], grades=(np.array([3.0, 1.0]),))
    assert curve(graded, "ndcg", 1).tolist() == [[pytest.approx(1 / 3)]]


def test_nothing_is_told_beyond_the_stored_depth() -> None:
    told = np.isnan(recall_curve(ranked([[2], [0]], most_k=3), 5))
    assert told.tolist() == [[False, False, False, True, True]] * 2


def test_recall_against_a_budget_is_that_of_the_table() -> None:
    asked = [question("q", need(GREEN), need(WARM)), question("r", need(WARM))]
    lists = {"q": [OTHER[0], GREEN, WARM], "r": [OTHER[1]]}
    budgets = (5, 10, 20, 30, 99)
    table = measured(asked, lists, budgets=budgets)
    made = budget_curve(table, budgets)
    assert made.tolist() == [[0, 0, 0.5, 1, 1], [0, 0, 0, 0, 0]]
    for i, budget in enumerate(budgets):
        assert table.column(f"recall@{budget}t").tolist() == made[:, i].tolist()


def test_nothing_is_told_beyond_the_tokens_of_a_list_that_was_cut_off() -> None:
    table = measured([question("q", need(GREEN))], {"q": OTHER[:3]}, depth=3)
    assert np.isnan(budget_curve(table, (29, 30, 31))).tolist() == [[False, False, True]]


def test_a_measure_that_is_not_of_ranks_has_no_curve() -> None:
    with pytest.raises(InvalidSetting, match="not measured by ranks"):
        curve(ranked([[1]]), "iou")


def test_curves_of_no_questions_are_empty() -> None:
    assert recall_curve(ranked([]), 5).shape == (0, 5)
    assert budget_curve(ranked([]), (1, 2)).shape == (0, 2)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=5))
def test_rank_measures_stay_between_zero_and_one_and_all_but_ndcg_never_fall(
    found: list[list[int]],
) -> None:
    table = ranked(found)
    for stem in ("hit", "recall", "rr", "ap", "ndcg"):
        made = curve(table, stem, 12)
        assert np.all((made >= 0) & (made <= 1))
        if stem != "ndcg":  # its ideal list grows with k
            assert np.all(np.diff(made, axis=1) >= -1e-12)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=4), st.integers(1, 20), st.data())
def test_a_better_rank_never_makes_a_measure_worse(
    found: list[int], better: int, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(found) - 1))
    improved = [min(r, better) if i == at else r for i, r in enumerate(found)]
    for stem in ("hit", "recall", "rr", "ap", "ndcg"):
        before, after = curve(ranked([found]), stem, 20), curve(ranked([improved]), stem, 20)
        assert np.all(after >= before - 1e-12), stem
