"""How a fused score came about: what each list gave to one chunk.

    RRF       share = weight / (k + rank)
    weighted  share = weight * (score - lowest of the list) / (highest - lowest)

The shares add up to the fused score. For the sources of the formulas see `fuse.rrf` and
`fuse.weighted`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragdebug.records import RankedList, Share
from ragdebug.settings import FusionSettings


@dataclass(frozen=True, slots=True)
class Entry:
    """What one list gave.

    Attributes:
        list: its name.
        score_kind: cosine, bm25, okapi.
        rank: within the depth, None when the chunk is not there.
        score: there, in the list's own kind.
        weight: of the list.
        unit: the share of a list of weight 1: 1 / (k + rank), or the scaled score.
        share: weight times unit; 0 when the chunk is not there.
        depth: how many of the list took part.
        far_rank: where the chunk stands beyond the depth; None when that is not known, or when the
            list never holds it.
        far_known: whether the list was looked at beyond its depth.
    """

    list: str
    score_kind: str
    rank: int | None
    score: float | None
    weight: float
    unit: float
    share: float
    depth: int
    far_rank: int | None = None
    far_known: bool = False


@dataclass(frozen=True, slots=True)
class Ledger:
    """The fused score of one chunk.

    Attributes:
        row: of the chunk table.
        settings: method, k and weights.
        entries: one a list, in the order of the lists.
        score: the sum of the shares.
        rank: in the fused list, None when no list that counts holds the chunk.
        of: length of the fused list.
    """

    row: int
    settings: FusionSettings
    entries: tuple[Entry, ...]
    score: float
    rank: int | None
    of: int


def ledger(
    row: int,
    lists: Sequence[RankedList],
    fused: RankedList,
    shares: Sequence[Share],
    settings: FusionSettings,
    far: Mapping[str, int | None] | None = None,
) -> Ledger:
    """Take the fused score of one chunk apart.

    Args:
        row: of the chunk table.
        lists: what was fused, each with its name and depth.
        fused: the fused list.
        shares: what the fusion kept for the row; empty when no list that counts holds it.
        settings: the fusion's.
        far: rank over the whole corpus by list name, for lists that were looked at so far.
    """
    far = far or {}
    given = {s.list: s for s in shares}
    entries = []
    for one in lists:
        kept = given.get(one.name)
        rank = one.rank_of(row)
        share = kept.share if kept is not None else 0.0
        weight = settings.weight(one.name)
        entries.append(
            Entry(
                list=one.name,
                score_kind=one.score_kind,
                rank=rank,
                score=float(one.scores[rank - 1]) if rank is not None else None,
                weight=weight,
                unit=_unit(one, rank, settings),
                share=share,
                depth=one.depth,
                far_rank=far.get(one.name) if rank is None else None,
                far_known=rank is not None or one.name in far,
            )
        )
    return Ledger(
        row=row,
        settings=settings,
        entries=tuple(entries),
        score=math.fsum(e.share for e in entries),
        rank=fused.rank_of(row),
        of=len(fused),
    )


def _unit(one: RankedList, rank: int | None, settings: FusionSettings) -> float:
    if rank is None:
        return 0.0
    if settings.method == "rrf":
        return 1 / (settings.k + rank)
    low, high = float(one.scores.min()), float(one.scores.max())
    return (float(one.scores[rank - 1]) - low) / (high - low) if high > low else 1.0
