"""The smallest change of one setting of a fusion that would bring a chunk among the first.

Settings are changed one at a time, the others stay: the k of RRF, the weight of each list, the
depth of the lists; or the ranks stay and more of them are admitted. Ranks beyond the depth are
needed for a larger depth alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.records import RankedList, Rows
from ragdebug.settings import FUSED_DECIMALS, FusionSettings

MOST_K = 1000  # larger ones are hardly told apart: the ranks are then simply added up
MOST_DEPTH = 1000  # candidates a list, further than anybody reranks


@dataclass(frozen=True, slots=True)
class Change:
    """One setting, and what it would have to be.

    Attributes:
        knob: ``rrf_k``, ``weight`` or ``depth``; or how many are admitted: ``k`` or ``pool``.
        list: whose weight; "" for the others.
        before: as it is.
        after: the nearest value that admits the chunk; None when none does.
        rank: the chunk's then, in the fused list.
    """

    knob: str
    list: str
    before: float
    after: float | None
    rank: int | None = None


class Ranks:
    """Ranks and scores of all rows in several lists, so that any fusion of them is quick.

    Args:
        lists: to their full length where that is known, best first; no row twice in a list.
        depth: how many of each take part now.
    """

    def __init__(self, lists: Sequence[RankedList], depth: int) -> None:
        self.names = tuple(one.name for one in lists)
        self.depth = depth
        self.longest = max((len(one) for one in lists), default=0)
        rows = np.unique(np.concatenate([np.zeros(0, np.int64), *(one.rows for one in lists)]))
        ranks = np.zeros((len(lists), len(rows)), np.int64)  # 0: not in the list
        scores = np.full(ranks.shape, np.nan)
        for at, one in enumerate(lists):
            where = np.searchsorted(rows, one.rows)
            ranks[at, where] = np.arange(1, len(one) + 1)
            scores[at, where] = one.scores
        first = np.where(ranks > 0, ranks, np.iinfo(np.int64).max).min(axis=0, initial=2**62)
        order = np.argsort(first, kind="stable")
        self._first = first[order]
        self.rows: Rows = rows[order]
        self.ranks = ranks[:, order]
        self.scores = scores[:, order]

    def at(self, row: int) -> int | None:
        """Column of a row, None when no list holds it."""
        found = np.flatnonzero(self.rows == row)
        return int(found[0]) if len(found) else None

    def shares(
        self, settings: FusionSettings, depth: int, weights: Sequence[float]
    ) -> NDArray[np.float64]:
        """Shape (lists, m): what each list gives, NaN where it does not hold the row.

        m counts the rows that any list holds within the depth: the first m of `rows`.
        """
        m = int(np.searchsorted(self._first, depth, "right"))
        by = np.asarray(weights, np.float64)[:, None]
        ranks = self.ranks[:, :m]
        inside = (ranks > 0) & (ranks <= depth)
        if settings.method == "rrf":
            return np.where(inside, by / (settings.k + np.maximum(ranks, 1)), np.nan)
        scaled = np.where(inside, self.scores[:, :m], np.nan)
        for one in scaled:
            if not np.isnan(one).all():
                low, high = np.nanmin(one), np.nanmax(one)
                one[:] = (one - low) / (high - low) if high > low else one - one + 1
        return scaled * by

    def rank(
        self, row: int, settings: FusionSettings, depth: int, weights: Sequence[float]
    ) -> int | None:
        """Rank of a row in the fused list; None when no list that counts holds it."""
        shares = self.shares(settings, depth, weights)
        at, m = self.at(row), shares.shape[1]
        giving = ~np.isnan(shares) & (np.asarray(weights)[:, None] > 0)
        counted: NDArray[np.bool_] = np.asarray(giving.any(axis=0))
        if at is None or at >= m or not counted[at]:
            return None
        sums = np.round(np.nan_to_num(shares).sum(axis=0), FUSED_DECIMALS)
        ahead = (sums > sums[at]) | ((sums == sums[at]) & (self.rows[:m] < row))
        return int((ahead & counted).sum()) + 1


def admissions(
    ranks: Ranks, row: int, settings: FusionSettings, admitted: int, least_depth: int = 1
) -> tuple[Change, ...]:
    """For each setting the smallest change that brings a row among the first `admitted`.

    k is tried at every whole value up to `MOST_K`. Weights are solved for: a score is a line over
    the weight, so the order changes only where two lines cross. Depths are tried at every value up
    to `MOST_DEPTH`, and at the row's own ranks beyond.

    Args:
        ranks: of the lists, with their depth now.
        row: that should come in.
        settings: as they are.
        admitted: k of the search, or the pool of the reranker.
        least_depth: below which a depth has no effect.
    """
    weights = [settings.weight(name) for name in ranks.names]

    def with_k(k: float) -> int | None:
        tried = FusionSettings("rrf", k, settings.weights)
        return ranks.rank(row, tried, ranks.depth, weights)

    def with_depth(depth: float) -> int | None:
        return ranks.rank(row, settings, int(depth), weights)

    changes = []
    if settings.method == "rrf":
        changes.append(_nearest("rrf_k", settings.k, range(MOST_K + 1), with_k, admitted))
    for at, name in enumerate(ranks.names):
        changes.append(_weight(ranks, row, settings, admitted, at, name))
    far = ranks.ranks[:, ranks.at(row)].tolist() if ranks.at(row) is not None else []
    depths = {
        *range(least_depth, min(ranks.longest, MOST_DEPTH) + 1),
        *(r for r in far if r >= least_depth),
    }
    changes.append(_nearest("depth", ranks.depth, depths, with_depth, admitted))
    return tuple(changes)


def more(
    ranks: Ranks, row: int, settings: FusionSettings, admitted: int, knob: str, known: bool = True
) -> Change:
    """How many would have to be admitted, the ranking as it is, for a row to be among them.

    Args:
        ranks: of the lists, with their depth now.
        row: that should come in.
        settings: as they are.
        admitted: how many are.
        knob: ``k``, with which lists grow where it is larger than their depth, or ``pool``.
        known: whether all lists are there beyond their depth.
    """
    weights = [settings.weight(name) for name in ranks.names]
    rank = ranks.rank(row, settings, ranks.depth, weights)
    if knob == "pool" or (rank is not None and rank <= ranks.depth):
        return Change(knob, "", admitted, rank, rank)
    for k in range(ranks.depth + 1, min(len(ranks.rows), MOST_DEPTH) + 1) if known else ():
        deeper = ranks.rank(row, settings, k, weights)
        if deeper is not None and deeper <= k:
            return Change(knob, "", admitted, k, deeper)
    return Change(knob, "", admitted, None)


def _nearest(
    knob: str,
    now: float,
    values: Iterable[float],
    rank: Callable[[float], int | None],
    admitted: int,
) -> Change:
    for value in sorted(values, key=lambda v: (abs(v - now), v)):
        found = rank(value) if value != now else None
        if found is not None and found <= admitted:
            return Change(knob, "", now, value, found)
    return Change(knob, "", now, None)


def _weight(
    ranks: Ranks, row: int, settings: FusionSettings, admitted: int, at: int, name: str
) -> Change:
    weights = [settings.weight(n) for n in ranks.names]
    now = weights[at]
    units = np.nan_to_num(ranks.shares(settings, ranks.depth, [1.0] * len(weights)))
    column = ranks.at(row)

    def rank(weight: float) -> int | None:
        changed = [*weights[:at], weight, *weights[at + 1 :]]
        return ranks.rank(row, settings, ranks.depth, changed)

    if column is None or column >= units.shape[1]:
        return Change("weight", name, now, None)
    slope = units[at] - units[at, column]
    others = np.array([w if i != at else 0.0 for i, w in enumerate(weights)])
    height = (units * others[:, None]).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = (height[column] - height) / slope
    crossings = np.unique(crossings[np.isfinite(crossings) & (crossings > 0)])
    for low, high in _between(crossings.tolist(), now):
        middle = (low + high) / 2 if math.isfinite(high) else 2 * low + 1
        if _within(rank(middle), admitted):
            after = _plain(low, high, now, lambda w: _within(rank(w), admitted))
            return Change("weight", name, now, after, rank(after))
    if now and any(others) and _within(rank(0.0), admitted):
        return Change("weight", name, now, 0.0, rank(0.0))
    return Change("weight", name, now, None)


def _within(rank: int | None, admitted: int) -> bool:
    return rank is not None and rank <= admitted


def _between(crossings: Sequence[float], now: float) -> Iterator[tuple[float, float]]:
    """The ranges between crossings, nearest to `now` first."""
    edges = [0.0, *crossings, math.inf]
    ranges = list(zip(edges[:-1], edges[1:], strict=True))
    yield from sorted(ranges, key=lambda r: max(r[0] - now, now - r[1], 0.0))


def _plain(low: float, high: float, now: float, admits: Callable[[float], bool]) -> float:
    """The value of a range nearest to `now`, with as few digits as there is room for."""
    up = now <= low
    near = low if up else high
    for digits in range(2, 12):
        count = near * 10.0**digits
        # The second one, where the first is the crossing itself but for its last bit.
        for n in (1, 2):
            tried = math.floor(count) + n if up else math.ceil(count) - n
            value = round(tried / 10.0**digits, digits)
            if low < value < high and admits(value):
                return value
    return (low + high) / 2 if math.isfinite(high) else 2 * low + 1
