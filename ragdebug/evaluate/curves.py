"""Measures against k or against a budget, question by question, so that bands can be drawn.

Beyond what the stored lists can tell everything is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.ranks import Floats, rank_measure
from ragdebug.runs import MeasureTable

MOST = 50  # largest k of a curve
BUDGET_STEPS = tuple(range(100, 4001, 100))  # tokens


def curve(table: MeasureTable, stem: str, most: int = MOST) -> Floats:
    """Shape (questions, most): hit, recall, rr, ndcg or ap at k = 1, 2, ..., most.

    Raises:
        InvalidSetting: a measure that does not come from ranks.
    """
    return rank_curve(table, stem, range(1, most + 1))


def recall_curve(table: MeasureTable, most: int = MOST) -> Floats:
    """Shape (questions, most): recall@k; it never falls."""
    return curve(table, "recall", most)


def rank_curve(table: MeasureTable, stem: str, ks: Sequence[int]) -> Floats:
    """Shape (questions, ks): a measure that comes from ranks, at some k."""
    of = rank_measure(stem)
    found = _wide(table.found, 0).astype(np.int64)
    grades = _wide(table.grades or tuple(np.ones(len(f)) for f in table.found), 0)
    return _told([of(found, grades, k) for k in ks], ks, len(found), table.most_k)


def budget_curve(table: MeasureTable, budgets: Sequence[int] = BUDGET_STEPS) -> Floats:
    """Shape (questions, budgets): recall@budget; for ascending budgets it never falls."""
    tokens = _wide(table.tokens, -1)
    needs = np.array([len(t) for t in table.tokens])
    values = [((tokens >= 0) & (tokens <= b)).sum(axis=1) / needs for b in budgets]
    return _told(values, budgets, len(tokens), table.most_tokens)


def _wide(rows: Sequence[NDArray[np.generic]], fill: float) -> Floats:
    """Rows of different lengths as one array, at least one column wide."""
    wide = np.full((len(rows), max((len(row) for row in rows), default=1)), fill, np.float64)
    for i, row in enumerate(rows):
        wide[i, : len(row)] = row
    return wide


def _told(columns: Sequence[Floats], at: Sequence[int], questions: int, most: int | None) -> Floats:
    """Columns side by side, NaN beyond what can be told."""
    made = np.column_stack(columns) if columns else np.zeros((questions, 0))
    if most is not None:
        made[:, np.asarray(at) > most] = np.nan
    return made
