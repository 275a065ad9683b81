"""The first k of a set of scores in total order."""

from __future__ import annotations

import numpy as np

from ragdebug.records import Rows, Scores


def best(rows: Rows, scores: Scores, k: int) -> tuple[Rows, Scores]:
    """The `k` best: score descending, then row ascending, also where the cut goes through a tie.

    Args:
        rows: shape (n,), int64, in any order, each once.
        scores: shape (n,), float64, no NaN.
        k: how many; more than there are is all of them.
    """
    if k <= 0:
        return rows[:0], scores[:0]
    if k < len(rows):
        # Everything that equals the k-th score stays until rows have decided.
        last = np.partition(scores, len(scores) - k)[len(scores) - k]
        keep = scores >= last
        rows, scores = rows[keep], scores[keep]
    order = np.lexsort((rows, -scores))[:k]
    return rows[order], scores[order]


def no_rows() -> tuple[Rows, Scores]:
    """An empty list."""
    return np.empty(0, np.int64), np.empty(0, np.float64)
