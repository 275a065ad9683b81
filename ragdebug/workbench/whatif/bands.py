"""The interval of a recall, quick enough for a slider.

Recalls of single questions take few values (0, 1/2, 1, ...). How often each of them comes up in a
sample drawn with replacement is multinomial, so a bootstrap need not draw question by question. It
is the same bootstrap as that of Results with other random numbers; the ends differ by what is left
to chance, some thousandths.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.intervals import bounds, draws_for, interval
from ragdebug.runs import Interval

MOST = 64  # different values


def band(values: NDArray[np.float64], seed: int = 0) -> Interval:
    """Mean with its 95% interval: Wilson's for values that are 0 or 1 or all equal, else BCa.

    Args:
        values: shape (n,), 0 to 1, no NaN.
        seed: of the samples.
    """
    distinct, times = np.unique(values, return_counts=True)
    n = len(values)
    if len(distinct) < 2 or len(distinct) > MOST or np.isin(distinct, (0, 1)).all():
        return interval("recall", values, seed)
    drawn = np.random.default_rng(seed).multinomial(n, times / n, draws_for(n))
    mean = float(values.mean())
    return Interval(mean, *bounds(values, mean, np.sort(drawn @ distinct / n)), n)
