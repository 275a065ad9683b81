"""Measures from the ranks at which the needs of each question are found.

All take `found` (questions, needs), int64, the rank of each need or 0 for never, and `grades` of
the same shape, the gain of each need, 0 where a question has fewer needs than the widest one. All
return (questions,), float64, from 0 to 1, 0 when nothing is found in the first k.

Ranks are those of the list as it was shown, so ties do not occur, except that one hit may hold
several needs: they are then found at the same rank. That makes the measures mean the same for every
chunking, and for one need a rank they are trec_eval's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import InvalidSetting

Found = NDArray[np.int64]
Floats = NDArray[np.float64]


def hit(found: Found, grades: Floats, k: int) -> Floats:
    """hit@k: 1 when at least one need is found at k."""
    return np.asarray(_within(found, k).any(axis=1), np.float64)


def recall(found: Found, grades: Floats, k: int) -> Floats:
    """recall@k: needs found at k / needs."""
    share: Floats = _within(found, k).sum(axis=1) / (grades > 0).sum(axis=1)
    return share


def rr(found: Found, grades: Floats, k: int) -> Floats:
    """RR@k: 1 / rank of the first need found."""
    best = np.where(_within(found, k), found, np.iinfo(np.int64).max).min(axis=1, initial=k + 1)
    return np.where(best <= k, 1 / best, 0.0)


def ndcg(found: Found, grades: Floats, k: int) -> Floats:
    """nDCG@k: sum of grade / log2(rank + 1) over the needs found, by that of the ideal list.

    The ideal list has all needs, also those never found, one a rank, the highest grade first.
    Several needs in one hit can do better than that, hence the cap at 1. Järvelin, Kekäläinen:
    Cumulated gain-based evaluation of IR techniques. TOIS 20 (2002), with the gains taken as they
    are.
    """
    inside = _within(found, k)
    gained = np.where(inside, grades / np.log2(np.where(inside, found, 1) + 1), 0.0).sum(axis=1)
    best = -np.sort(-grades, axis=1)[:, :k]
    ideal = (best / np.log2(np.arange(best.shape[1]) + 2)).sum(axis=1)
    share: Floats = np.minimum(gained / ideal, 1.0)
    return share


def ap(found: Found, grades: Floats, k: int) -> Floats:
    """AP@k: for the i-th need found, i / its rank (at most 1), summed and divided by all needs."""
    ranks = np.sort(np.where(_within(found, k), found, np.iinfo(np.int64).max), axis=1)
    order = np.arange(1, found.shape[1] + 1)
    steps = np.where(ranks <= k, np.minimum(order / ranks, 1.0), 0.0)
    share: Floats = steps.sum(axis=1) / (grades > 0).sum(axis=1)
    return share


RANK_MEASURES: Mapping[str, Callable[[Found, Floats, int], Floats]] = MappingProxyType(
    {"hit": hit, "recall": recall, "rr": rr, "ndcg": ndcg, "ap": ap}
)


def rank_measure(stem: str) -> Callable[[Found, Floats, int], Floats]:
    """The function of a stem.

    Raises:
        InvalidSetting: that measure does not come from ranks.
    """
    if stem not in RANK_MEASURES:
        raise InvalidSetting(
            f'"{stem}" is not measured by ranks.', hint=f"Choose {', '.join(RANK_MEASURES)}."
        )
    return RANK_MEASURES[stem]


def _within(found: Found, k: int) -> NDArray[np.bool_]:
    return (found > 0) & (found <= k)
