from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import InvalidSetting
from ragdebug.fuse import fuse
from ragdebug.records import RankedList, Share
from ragdebug.settings import FusionSettings

RRF = FusionSettings()


def ranking(
    name: str, *rows: int, scores: list[float] | None = None, allowed: int = 9
) -> RankedList:
    values = scores or [1.0 - 0.01 * i for i in range(len(rows))]
    kind = "cosine" if name == "vector" else "bm25"
    at = np.array(rows, np.int64)
    return RankedList(name, kind, at, np.array(values), len(rows), allowed)


def fused(*lists: RankedList, settings: FusionSettings = RRF, depth: int = 50) -> dict[int, float]:
    return dict(fuse(lists, settings, depth)[0])


def test_a_hit_of_both_lists_beats_the_firsts_of_each() -> None:
    found = fused(ranking("vector", 1, 2, 3), ranking("bm25", 4, 5, 3))
    assert found == pytest.approx({3: 2 / 63, 1: 1 / 61, 4: 1 / 61, 2: 1 / 62, 5: 1 / 62})
    assert list(found) == [3, 1, 4, 2, 5]  # ties by row


def test_a_chunk_of_both_lists_stands_once_in_the_fused_one() -> None:
    result, shares = fuse([ranking("vector", 1, 7), ranking("bm25", 2, 7)], RRF, 50)
    assert sorted(result.rows.tolist()) == [1, 2, 7]
    assert dict(result)[7] == pytest.approx(2 / 62)
    assert [s.rank for s in shares[7]] == [2, 2]


def test_a_row_repeated_in_one_list_counts_once_and_later_rows_move_up() -> None:
    found = fused(ranking("bm25", 1, 2, 1, 1, 3), ranking("vector", 2, 4))
    assert list(found) == [2, 1, 4, 3]
    assert found == pytest.approx({2: 1 / 62 + 1 / 61, 1: 1 / 61, 4: 1 / 62, 3: 1 / 63})


def test_every_hit_tells_rank_score_and_share_of_each_list() -> None:
    lists = [ranking("vector", 7, 8, scores=[0.9, 0.5]), ranking("bm25", 8, scores=[12.5])]
    result, shares = fuse(lists, RRF, 50)
    assert shares == {
        8: (Share("vector", 2, 0.5, 1 / 62), Share("bm25", 1, 12.5, 1 / 61)),
        7: (Share("vector", 1, 0.9, 1 / 61), Share("bm25", None, None, 0.0)),
    }
    assert list(shares) == result.rows.tolist() == [8, 7]


def test_the_fused_list_is_the_union_and_says_what_it_is() -> None:
    lists = [ranking("vector", 3, 1, allowed=40), ranking("bm25", 1, 2, allowed=40)]
    result, _ = fuse(lists, RRF, 20, name="mine")
    assert (result.name, result.score_kind, result.depth, result.allowed) == ("mine", "rrf", 20, 40)
    assert sorted(result.rows.tolist()) == [1, 2, 3]
    assert result.rows.dtype == np.int64
    assert result.elapsed_s >= 0


def test_weights_go_by_the_name_of_the_list() -> None:
    settings = FusionSettings(weights=(("bm25", 2),))
    assert fused(ranking("vector", 4), ranking("bm25", 4), settings=settings) == pytest.approx(
        {4: 3 / 61}
    )


def test_rows_of_a_list_with_weight_zero_are_left_out() -> None:
    settings = FusionSettings(weights=(("vector", 0), ("bm25", 1)))
    lists = [ranking("vector", 9, 5), ranking("bm25", 5, 6)]
    result, shares = fuse(lists, settings, 50)
    assert result.rows.tolist() == [5, 6]
    assert shares[5][0] == Share("vector", 2, 0.99, 0.0)


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), -0.001])
def test_weights_that_mean_nothing_are_refused(weight: float) -> None:
    with pytest.raises(InvalidSetting, match="weight of vector"):
        FusionSettings(weights=(("vector", weight), ("bm25", 1)))


def test_weights_that_leave_no_list_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="All weights"):
        FusionSettings(weights=(("vector", 0), ("bm25", 0)))
    with pytest.raises(InvalidSetting, match="All lists have weight 0"):
        fuse([ranking("vector", 1)], FusionSettings(weights=(("vector", 0),)), 50)


def test_depth_is_how_many_of_each_list_take_part() -> None:
    assert list(fused(ranking("vector", 1, 2, 3), ranking("bm25", 3, 2, 1), depth=1)) == [1, 3]
    assert list(fused(ranking("vector", 1, 1, 2, 3), depth=2)) == [1, 2]


def test_no_lists_and_empty_lists_give_an_empty_list() -> None:
    assert fused() == {}
    assert fused(ranking("vector"), ranking("bm25")) == {}
    assert list(fused(ranking("vector"), ranking("bm25", 3))) == [3]


def test_weighted_fusion_adds_scaled_scores() -> None:
    lists = [
        ranking("vector", 1, 2, 3, scores=[0.9, 0.7, 0.5]),
        ranking("bm25", 3, 4, scores=[20.0, 10.0]),
    ]
    settings = FusionSettings("weighted", weights=(("bm25", 0.4),))
    result, shares = fuse(lists, settings, 50)
    assert result.score_kind == "weighted"
    assert dict(result) == pytest.approx({1: 1.0, 2: 0.5, 3: 0.4, 4: 0.0})
    assert shares[3] == (Share("vector", 3, 0.5, 0.0), Share("bm25", 1, 20.0, 0.4))
    # the last of a list keeps its place, though it gets nothing
    assert result.rows.tolist() == [1, 2, 3, 4]


rankings = st.lists(st.lists(st.integers(0, 12), max_size=10), min_size=1, max_size=4)


@given(rankings, st.sampled_from(["rrf", "weighted"]), st.integers(1, 12))
def test_scores_are_the_sum_of_the_shares_in_total_order(
    lists: list[list[int]], method: str, depth: int
) -> None:
    given = [ranking(f"l{i}", *rows) for i, rows in enumerate(lists)]
    result, shares = fuse(given, FusionSettings(method), depth)
    assert set(result.rows.tolist()) == {
        r for rows in lists for r in list(dict.fromkeys(rows))[:depth]
    }
    for row, score in result:
        assert score == pytest.approx(sum(s.share for s in shares[row]))
    keys = [(-score, row) for row, score in result]
    assert keys == sorted(keys)


@given(
    st.lists(st.permutations(range(90)), min_size=2, max_size=3),
    st.lists(st.sampled_from([0.25, 0.5, 1, 2]), min_size=3, max_size=3),
    st.sampled_from([0, 10, 60]),
)
def test_sums_that_are_equal_as_fractions_are_ties(
    lists: list[list[int]], weights: list[float], k: int
) -> None:
    given = [ranking(f"l{i}", *rows) for i, rows in enumerate(lists)]
    by = {f"l{i}": weight for i, weight in enumerate(weights)}
    result, _ = fuse(given, FusionSettings("rrf", k, tuple(by.items())), 90)
    exact = {
        row: sum(Fraction(by[one.name]) / (k + one.rows.tolist().index(row) + 1) for one in given)
        for row in range(90)
    }
    assert result.rows.tolist() == sorted(exact, key=lambda row: (-exact[row], row))


def test_a_tie_of_other_ranks_goes_by_row() -> None:
    # 0.5/70 + 1/84 and 0.5/105 + 1/70 are both 4/210.
    vector = ranking("vector", *range(100, 109), 1, *range(200, 234), 2)
    bm25 = ranking("bm25", *range(300, 309), 2, *range(400, 413), 1)
    settings = FusionSettings(weights=(("vector", 0.5),))
    made = fused(vector, bm25, settings=settings)
    assert made[1] == made[2]
    assert list(made).index(1) + 1 == list(made).index(2)


@given(rankings, st.randoms())
def test_the_order_of_the_lists_changes_no_rank(lists: list[list[int]], random: object) -> None:
    given = [ranking(f"l{i}", *rows) for i, rows in enumerate(lists)]
    other = given.copy()
    random.shuffle(other)  # type: ignore[attr-defined]
    one, two = fuse(given, RRF, 50)[0], fuse(other, RRF, 50)[0]
    assert one.rows.tolist() == two.rows.tolist()
    assert one.scores.tolist() == two.scores.tolist()


def test_the_order_is_the_same_in_every_process() -> None:
    code = (
        "import numpy as np\n"
        "from ragdebug.fuse import fuse\n"
        "from ragdebug.records import RankedList as R\n"
        "from ragdebug.settings import FusionSettings\n"
        "def r(n, *x): return R(n, 'x', np.array(x), np.ones(len(x)), 9, 9)\n"
        "print(fuse([r('a', 5, 4, 3), r('b', 2, 1, 0)], FusionSettings(), 9)[0].rows.tolist())\n"
    )
    root = Path(__file__).parents[2]
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert printed == {"[2, 5, 1, 4, 0, 3]\n"}
