"""The order that RRF gives two lists, for all questions at once, from their ranks alone.

A fused score depends on nothing but the two ranks of a row. So all pairs of ranks are put in order
once, which is a table of some ten thousand numbers, and rows are sorted by whole numbers: the place
of their pair in it, then their own place, which is the order of ties.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragdebug.settings import FUSED_DECIMALS, FusionSettings
from ragdebug.workbench.whatif.lists import Lists

DEEPEST = 250  # of a list: the table holds the square of it

Order = tuple[NDArray[np.int64], NDArray[np.int64]]


def order_of_pairs(
    lists: Lists, names: tuple[str, ...], fusion: FusionSettings, depth: int
) -> Order | None:
    """Fuse two lists by reciprocal ranks.

    Args:
        lists: of n questions with u rows at most.
        names: of the lists, in the order in which they are fused.
        fusion: its constant and its weights.
        depth: ranks below it are in no list.

    Returns:
        Entries best first, shape (n, u), and how many of them are in the fused list, shape (n,);
        None where it is not RRF of two lists, or they are too deep for a table.
    """
    if fusion.method != "rrf" or len(names) != 2 or depth > DEEPEST:
        return None
    weights = [fusion.weight(name) for name in names]
    # The last row and column stand for what a list does not hold.
    shares = [np.append(weight / (fusion.k + np.arange(1, depth + 1)), 0.0) for weight in weights]
    held = [np.arange(depth + 1) < (depth if weight > 0 else 0) for weight in weights]
    totals = np.round(shares[0][:, None] + shares[1], FUSED_DECIMALS)
    there = held[0][:, None] | held[1]
    _, place = np.unique(np.where(there, -totals, np.inf), return_inverse=True)
    place = place.reshape(-1).astype(np.int32)
    first, second = (np.minimum(lists.rank[name], depth + 1) - 1 for name in names)
    pair = first * np.int32(depth + 1) + second
    width = pair.shape[1]
    key = place.take(pair) * np.int32(width) + np.arange(width, dtype=np.int32)
    key.sort(axis=1)
    count = there.reshape(-1).take(pair).sum(axis=1)
    return (key % np.int32(width)).astype(np.int64), count
