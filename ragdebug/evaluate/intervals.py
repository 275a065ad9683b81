"""How far a mean can be trusted: 95% intervals.

Wilson's for values that are 0 or 1, BCa bootstrap otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ragdebug.runs import Interval

Floats = NDArray[np.float64]
NORMAL = NormalDist()
Z = NORMAL.inv_cdf(0.975)
DRAWS = 10_000
WORK = 20_000_000  # values drawn in all, as long as that makes FEWEST samples
FEWEST = 2_000
BLOCK = 100_000  # values drawn at a time, which a processor's cache can hold
AT_ONCE = 1_000_000  # values multiplied at a time; threads wait for each other at every product


def wilson(successes: float, n: int) -> tuple[float, float]:
    """Wilson's score interval of a share; NaN for n 0.

    Wilson: Probable inference, the law of succession, and statistical inference. JASA 22 (1927).
    """
    if n < 1:
        return math.nan, math.nan
    p = successes / n
    middle = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    # Rounding must not push an end past the share, nor past 0 and 1.
    return max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p))


def draws_for(n: int) -> int:
    """How many samples are drawn of n values: fewer of many, whose mean is close to normal."""
    return min(DRAWS, max(FEWEST, WORK // n))


def resampled_means(values: Floats, seed: int = 0) -> Floats:
    """Means of samples drawn with replacement, the same samples for all columns.

    Args:
        values: shape (n, columns), n at least 1.
        seed: the same seed gives the same samples.

    Returns:
        Shape (draws_for(n), columns).
    """
    n, columns = values.shape
    draws = draws_for(n)
    rng = np.random.default_rng(seed)
    means = np.empty((draws, columns))
    block, together = max(1, BLOCK // n), max(1, AT_ONCE // n)
    times = np.empty((min(together, draws), n))
    for at in range(0, draws, together):
        some = min(together, draws - at)
        for first in range(0, some, block):
            size = min(block, some - first)
            drawn = rng.integers(0, n, (size, n))
            drawn += np.arange(0, size * n, n)[:, None]  # each sample counts in a range of its own
            counts = np.bincount(drawn.ravel(), minlength=size * n)
            times[first : first + size] = counts.reshape(size, n)
        means[at : at + some] = times[:some] @ values
    means /= n
    return means


def bca(values: Floats, seed: int = 0) -> tuple[Floats, Floats]:
    """Bias-corrected and accelerated bootstrap interval of each column's mean.

    Efron: Better bootstrap confidence intervals. JASA 82 (1987). Where all values are equal the
    interval is that value.

    Args:
        values: shape (n, columns), finite, n at least 1.
        seed: of the samples.

    Returns:
        low and high, shape (columns,).
    """
    mean = values.mean(axis=0)
    low, high = mean.copy(), mean.copy()
    varied = np.flatnonzero(np.ptp(values, axis=0) > 0)
    if not len(varied):
        return low, high
    means = np.sort(resampled_means(values[:, varied], seed), axis=0)
    for column, j in enumerate(varied.tolist()):
        low[j], high[j] = bounds(values[:, j], float(mean[j]), means[:, column])
    return low, high


def bounds(values: Floats, mean: float, drawn: Floats) -> tuple[float, float]:
    """Ends of the BCa interval of one mean.

    Args:
        values: shape (n,), not all equal.
        mean: of the values.
        drawn: means of samples of them, ascending.
    """
    off = values - mean
    slack = 1e-9 * float(np.abs(values).max())
    below = np.searchsorted(drawn, [mean - slack, mean + slack])
    share = float(below.sum()) / (2 * len(drawn))
    z0 = NORMAL.inv_cdf(min(max(share, 1 / len(drawn)), 1 - 1 / len(drawn)))
    a = float((off**3).sum()) / (6 * float((off**2).sum()) ** 1.5)
    levels = [NORMAL.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in (-Z, Z)]
    low, high = np.quantile(drawn, levels)
    return float(low), float(high)


def intervals(names: Sequence[str], values: Floats, seed: int = 0) -> list[Interval]:
    """Mean and 95% interval of each column, all drawn from the same samples.

    NaN values are left out, and n says how many are there. Measures between 0 and 1 whose values
    are all 0 or 1, or all equal, get Wilson's interval, which is not empty even then.

    Args:
        names: of the measures.
        values: shape (questions, names).
        seed: of the samples.
    """
    made: list[Interval | None] = [None] * len(names)
    there = ~np.isnan(values)
    groups: dict[bytes, list[int]] = {}
    for j, name in enumerate(names):
        column = values[there[:, j], j]
        n = len(column)
        if n == 0:
            made[j] = Interval(math.nan, math.nan, math.nan, 0)
        elif _share(name) and (np.isin(column, (0, 1)).all() or np.ptp(column) == 0):
            made[j] = Interval(float(column.mean()), *wilson(float(column.sum()), n), n)
        else:
            groups.setdefault(there[:, j].tobytes(), []).append(j)
    for columns in groups.values():
        some = values[there[:, columns[0]]][:, columns]
        for j, mean, low, high in zip(columns, some.mean(axis=0), *bca(some, seed), strict=True):
            made[j] = Interval(float(mean), float(low), float(high), len(some))
    return [x for x in made if x is not None]


def interval(name: str, values: Floats, seed: int = 0) -> Interval:
    """`intervals` of one measure; values of shape (questions,)."""
    return intervals([name], np.asarray(values, np.float64)[:, None], seed)[0]


def _share(name: str) -> bool:
    """Whether a measure runs from 0 to 1."""
    return not name.startswith("tokens@")
