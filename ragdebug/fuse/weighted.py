"""Weighted sum of scores, each list's scaled from 0 (its last) to 1 (its first) before.

    score(d) = sum over lists of  weight * (s(d) - min s) / (max s - min s)

A list that does not hold d adds 0, as its last one does. Where all scores of a list are equal (one
hit, or a tie) there is nothing to scale and each is 1: all of them are that list's best.

Lee: Analyses of Multiple Evidence Combination. SIGIR 1997.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Key = TypeVar("Key")


def min_max(scores: dict[Key, float]) -> dict[Key, float]:
    """Scores scaled to 0 to 1; all 1 where they are equal."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def weighted(lists: Sequence[dict[Key, float]], weights: Sequence[float]) -> list[dict[Key, float]]:
    """What each list gives to each of its keys; a key's fused score is the sum over the lists.

    Args:
        lists: key -> score, higher is better.
        weights: one a list, 0 or more.
    """
    return [
        {key: weight * scaled for key, scaled in min_max(scores).items()}
        for scores, weight in zip(lists, weights, strict=True)
    ]
