from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.retrieve.topk import best, no_rows


@given(st.lists(st.integers(-3, 3), max_size=30), st.integers(-2, 40), st.randoms())
def test_the_order_is_score_then_row_also_where_the_cut_goes_through_a_tie(
    values: list[int], k: int, random: np.random.Generator
) -> None:
    rows = list(range(len(values)))
    random.shuffle(rows)
    found, scores = best(np.array(rows, np.int64), np.array(values, np.float64), k)
    expected = sorted(zip(rows, values, strict=True), key=lambda p: (-p[1], p[0]))[: max(k, 0)]
    assert list(zip(found.tolist(), scores.tolist(), strict=True)) == expected


def test_no_rows_is_an_empty_list_of_the_right_types() -> None:
    rows, scores = no_rows()
    assert (rows.dtype, scores.dtype, len(rows), len(scores)) == (np.int64, np.float64, 0, 0)
