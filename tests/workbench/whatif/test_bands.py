"""The quick interval is the one of Results, up to the chance of the draws."""

from __future__ import annotations

import numpy as np
import pytest

from ragdebug.evaluate.intervals import interval
from ragdebug.workbench.whatif.bands import band


@pytest.mark.parametrize("n", [12, 45, 400])
@pytest.mark.parametrize("odds", [(0.2, 0.3, 0.5), (0.9, 0.05, 0.05)])
def test_ends_are_those_of_drawing_one_by_one(n: int, odds: tuple[float, ...]) -> None:
    values = np.random.default_rng(n).choice([0.0, 0.5, 1.0], n, p=odds)
    values[:2] = 0.5, 1.0
    quick, slow = band(values), interval("recall@5", values)
    assert (quick.mean, quick.n) == (slow.mean, slow.n)
    spread = slow.high - slow.low
    assert abs(quick.low - slow.low) < 0.05 * spread
    assert abs(quick.high - slow.high) < 0.05 * spread


@pytest.mark.parametrize("values", [[0, 1, 1, 0], [1, 1], [0.5, 0.5], []])
def test_shares_have_the_interval_of_results(values: list[float]) -> None:
    given = np.array(values, np.float64)
    assert repr(band(given)) == repr(interval("recall@5", given))
