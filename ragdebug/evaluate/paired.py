"""Whether two runs differ on the same questions.

One test: the two-sided paired sign-flip test. Were the runs alike, each difference could as well
have the other sign; p is the share of sign choices whose sum is at least as far from 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.intervals import NORMAL, bca

Floats = NDArray[np.float64]
EXACT = 17  # two to the power of this many sums are written out; beyond, signs are drawn
FLIPS = 10_000
CLEAR = 0.05  # a p below it is a difference
POWER = 0.8


@dataclass(frozen=True, slots=True)
class Paired:
    """Run a against run b on the questions that both have.

    Attributes:
        n: questions.
        mean_a: of the first run; NaN without questions, and so are the next four.
        mean_b: of the second.
        difference: mean_a - mean_b.
        low: of its 95% interval.
        high: of its 95% interval.
        p: of the sign-flip test; 1 when nothing differs.
        wins: questions where a is better.
        ties: where both are the same.
        losses: where b is better.
        whole: every value is 0 or 1, so that a win is a question that only a answers.
        needed: `questions_needed` to settle a difference like this one.
    """

    n: int
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    p: float
    wins: int
    ties: int
    losses: int
    whole: bool = False
    needed: int | None = None


def compare(a: Floats, b: Floats, seed: int = 0) -> Paired:
    """Compare two runs.

    Args:
        a: shape (questions,), one measure of the first run.
        b: the same questions of the second; a question that is NaN in either is left out.
        seed: of draws.
    """
    there = ~(np.isnan(a) | np.isnan(b))
    a, b = a[there], b[there]
    n = len(a)
    if n == 0:
        nan = math.nan
        return Paired(0, nan, nan, nan, nan, nan, nan, 0, 0, 0)
    differences = _clean(a - b)
    low, high = bca(differences[:, None], seed)
    return Paired(
        n,
        float(a.mean()),
        float(b.mean()),
        float(differences.mean()),
        float(low[0]),
        float(high[0]),
        sign_flip(differences, seed),
        int((differences > 0).sum()),
        int((differences == 0).sum()),
        int((differences < 0).sum()),
        bool(np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all()),
        questions_needed(differences),
    )


def sign_flip(differences: Floats, seed: int = 0) -> float:
    """Two-sided p; exact where few differ or few sizes occur, else from 10,000 seeded draws.

    The draws count the observed signs as one of them, so p is never 0 (Phipson, Smyth: Permutation
    p-values should never be zero. SAGMB 9, 2010).
    """
    sizes = np.abs(differences[differences != 0])
    if not len(sizes):
        return 1.0
    least = abs(float(differences.sum())) - 1e-9 * float(sizes.sum())
    values, counts = np.unique(np.round(sizes, 12), return_counts=True)
    if np.log2(counts + 1.0).sum() <= EXACT:
        sums, chances = _all_sums(values, counts)
        return min(1.0, float(chances[np.abs(sums) >= least].sum()))
    drawn = _drawn_sums(sizes, seed)
    return float((np.abs(drawn) >= least).sum() + 1) / (len(drawn) + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """P adjusted for many tests, in the order given; NaN stays NaN and is not counted.

    Holm: A simple sequentially rejective multiple test procedure. Scand. J. Statist. 6 (1979).
    """
    order = sorted(
        (i for i, p in enumerate(p_values) if not math.isnan(p)), key=lambda i: p_values[i]
    )
    adjusted, worst = list(p_values), 0.0
    for step, i in enumerate(order):
        worst = max(worst, min(1.0, (len(order) - step) * p_values[i]))
        adjusted[i] = worst
    return adjusted


def adjusted(compared: Sequence[Paired]) -> tuple[list[Paired], int]:
    """Comparisons that are made together, each with p after Holm, and how many of them test.

    Where no question differs nothing is tested: p stays 1 and raises no other's.
    """
    tests = [c.wins + c.losses > 0 for c in compared]
    raised = holm([c.p if tested else math.nan for c, tested in zip(compared, tests, strict=True)])
    made = [
        replace(c, p=p) if tested else c
        for c, p, tested in zip(compared, raised, tests, strict=True)
    ]
    return made, sum(tests)


def questions_needed(differences: Floats) -> int | None:
    """How many questions would show a difference like this one; None when the means are equal.

    For 80% power at 5%, two-sided, by the normal approximation: (1.96 + 0.84)^2 variance / mean^2;
    at least as many as it takes for six to differ, since five cannot give p < 0.05.
    """
    n, mean = len(differences), float(differences.mean()) if len(differences) else 0.0
    differing = int(np.count_nonzero(differences))
    if n < 2 or abs(mean) < 1e-12:
        return None
    z = NORMAL.inv_cdf(1 - CLEAR / 2) + NORMAL.inv_cdf(POWER)
    by_variance = z**2 * float(differences.var(ddof=1)) / mean**2
    return math.ceil(max(by_variance, 6 * n / differing))


def _clean(differences: Floats) -> Floats:
    """Without differences that are only rounding."""
    return np.where(np.abs(differences) < 1e-12, 0.0, differences)


def _all_sums(values: Floats, counts: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Every sum of signed sizes, with its chance; `counts` differences have each size."""
    sums, chances = np.zeros(1), np.ones(1)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        plus = np.arange(count + 1)
        chance = np.array([_binomial(count, i) for i in range(count + 1)])
        sums = np.add.outer(sums, value * (2 * plus - count)).ravel()
        chances = np.multiply.outer(chances, chance).ravel()
    return sums, chances


def _binomial(n: int, k: int) -> float:
    """Chance of k heads in n throws."""
    return math.exp(
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
    )


def _drawn_sums(sizes: Floats, seed: int) -> Floats:
    """Shape (FLIPS,): sums under random signs, eight signs a byte, looked up in tables."""
    sizes = np.pad(sizes, (0, -len(sizes) % 8)).reshape(-1, 8)
    signs = 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) - 1
    sums_of_byte = sizes @ signs.T
    rng = np.random.default_rng(seed)
    total = np.zeros(FLIPS)
    for sums in sums_of_byte:
        total += sums[rng.integers(0, 256, FLIPS, np.uint8)]
    return total
