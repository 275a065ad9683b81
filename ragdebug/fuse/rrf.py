"""Reciprocal rank fusion.

    score(d) = sum over lists of  weight / (k + rank of d in the list)

Ranks start at 1; a list that does not hold d adds 0. With all weights 1 this is the formula of
Cormack, Clarke, Buettcher: Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank
Learning Methods. SIGIR 2009 (there k = 60).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def ranks(keys: Iterable[Key]) -> dict[Key, int]:
    """Rank of each key, from 1. A repeated key keeps its best rank and later keys move up."""
    found: dict[Key, int] = {}
    for key in keys:
        found.setdefault(key, len(found) + 1)
    return found


def rrf(
    lists: Sequence[Sequence[Key]], weights: Sequence[float], k: float = 60
) -> list[dict[Key, float]]:
    """What each list gives to each of its keys; a key's fused score is the sum over the lists.

    Args:
        lists: keys, best first.
        weights: one a list, 0 or more.
        k: 0 or more; the larger, the less the first ranks stand out.
    """
    return [
        {key: weight / (k + rank) for key, rank in ranks(keys).items()}
        for keys, weight in zip(lists, weights, strict=True)
    ]
