"""Several ranked lists become one, and each hit remembers what every list gave it."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np

from ragdebug.errors import InvalidSetting
from ragdebug.fuse.rrf import ranks, rrf
from ragdebug.fuse.weighted import weighted
from ragdebug.records import RankedList, Share
from ragdebug.settings import FUSED_DECIMALS, FusionSettings


def fuse(
    lists: Sequence[RankedList], settings: FusionSettings, depth: int, name: str = "hybrid"
) -> tuple[RankedList, dict[int, tuple[Share, ...]]]:
    """Fuse the first `depth` of each list.

    A row counts once a list, at its best rank there; rows below it move up. Equal scores are
    ordered by ascending row. Rows that stand only in lists of weight 0 are left out.

    Args:
        lists: each with its own name; the weights of the settings go by name.
        settings: method, k and weights.
        depth: how many of each list take part; the fused list is their whole union.
        name: of the fused list.

    Returns:
        The fused list, and for each of its rows one share a list, in the order of the lists: rank
        from 1 and score there (None, None, 0.0 where the list does not hold the row). The shares
        of a row add up to its score, within the last of its decimals.

    Raises:
        InvalidSetting: every list has weight 0.
    """
    started = time.perf_counter()
    weights = [settings.weight(ranking.name) for ranking in lists]
    if lists and not any(weights):
        names = ", ".join(ranking.name for ranking in lists)
        raise InvalidSetting(
            f"All lists have weight 0 ({names}): nothing would be ranked.",
            hint="Give one list a weight above 0.",
        )
    scores = [_first_scores(ranking, depth) for ranking in lists]
    if settings.method == "rrf":
        given = rrf([list(found) for found in scores], weights, settings.k)
    else:
        given = weighted(scores, weights)
    places = [ranks(found) for found in scores]

    counted = [found for found, weight in zip(scores, weights, strict=True) if weight > 0]
    rows = sorted(set().union(*counted))
    shares = {
        row: tuple(
            Share(ranking.name, place.get(row), score.get(row), gift.get(row, 0.0))
            for ranking, place, score, gift in zip(lists, places, scores, given, strict=True)
        )
        for row in rows
    }
    # fsum, since with three lists the order of a plain sum would break ties at random.
    totals = np.array([math.fsum(s.share for s in shares[row]) for row in rows], np.float64)
    totals = np.round(totals, FUSED_DECIMALS)
    order = np.argsort(-totals, kind="stable")  # rows ascend already
    fused = RankedList(
        name=name,
        score_kind=settings.method,
        rows=np.array(rows, np.int64)[order],
        scores=totals[order],
        depth=depth,
        allowed=max((ranking.allowed for ranking in lists), default=0),
        elapsed_s=time.perf_counter() - started,
    )
    return fused, {row: shares[row] for row in fused.rows.tolist()}


def _first_scores(ranking: RankedList, depth: int) -> dict[int, float]:
    """Row -> score of the first `depth` different rows, best first."""
    found: dict[int, float] = {}
    for row, score in ranking:
        if len(found) == depth:
            break
        found.setdefault(row, score)
    return found
