"""The order of fused lists by a table of pairs of ranks, against fusing one row after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.settings import FusionSettings
from ragdebug.workbench.whatif.lists import Lists, OneList
from ragdebug.workbench.whatif.pairs_order import DEEPEST, order_of_pairs

NAMES = ("vector", "bm25")

# Rows of a list, best first; few of them, so that lists share rows and many scores are equal.
row_lists = st.lists(st.integers(0, 11), max_size=12, unique=True)
questions = st.lists(st.tuples(row_lists, row_lists), min_size=1, max_size=4)


def laid_out(asked: list[tuple[list[int], list[int]]]) -> Lists:
    return Lists.join(
        {
            name: OneList(
                [np.array(pair[i], np.int64) for pair in asked],
                [np.zeros(len(pair[i])) for pair in asked],
                0.0,
            )
            for i, name in enumerate(NAMES)
        },
        len(asked),
    )


@given(
    questions,
    st.sampled_from([0.0, 0.5, 7.3, 60.0]),
    st.sampled_from([(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.3, 0.7), (2.0, 1.0)]),
    st.integers(1, 12),
)
def test_it_is_the_order_of_the_fused_scores(
    asked: list[tuple[list[int], list[int]]],
    k: float,
    weights: tuple[float, float],
    depth: int,
) -> None:
    lists = laid_out(asked)
    fusion = FusionSettings("rrf", k, tuple(zip(NAMES, weights, strict=True)))
    made = order_of_pairs(lists, NAMES, fusion, depth)
    assert made is not None
    order, count = made
    for at, pair in enumerate(asked):
        score: dict[int, float] = {}
        for rows, weight in zip(pair, weights, strict=True):
            for rank, row in enumerate(rows[:depth], 1):
                if weight > 0:
                    score[row] = score.get(row, 0.0) + weight / (k + rank)
        expected = sorted(score, key=lambda row: (-score[row], row))
        assert count[at] == len(expected)
        assert lists.rows[at, order[at, : count[at]]].tolist() == expected


@pytest.mark.parametrize(
    ("fusion", "names", "depth"),
    [
        (FusionSettings("weighted"), NAMES, 10),
        (FusionSettings(), ("vector",), 10),
        (FusionSettings(), NAMES, DEEPEST + 1),
    ],
)
def test_what_no_table_can_tell_is_left_to_others(
    fusion: FusionSettings, names: tuple[str, ...], depth: int
) -> None:
    assert order_of_pairs(laid_out([([1, 2], [2, 3])]), names, fusion, depth) is None
