"""From which rank on a list holds what was asked for.

A passage is found at k when the first k chunks together hold `found_share` of its non-blank
characters; a region when one of them shares more than half of the shorter of the two. The same rule
as `ragdebug.evidence.Coverage`, for lists that are kept as spans. A need is found as soon as one of
its places is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.masks import NeedMask, PlaceMask
from ragdebug.runs import RankedSpans

NEVER = np.iinfo(np.int64).max  # rank of a character that no hit holds
Ints = NDArray[np.int64]


class Hits(NamedTuple):
    """One ranked list of h hits, best first.

    Attributes:
        document: shape (h,), positions in the documents that masks were made with.
        start: shape (h,).
        end: shape (h,).
    """

    document: NDArray[np.integer]
    start: Ints
    end: Ints

    @classmethod
    def of(cls, spans: RankedSpans, question: int) -> Hits:
        """The list of one question."""
        rows = slice(int(spans.first[question]), int(spans.first[question + 1]))
        return cls(spans.document[rows], spans.start[rows], spans.end[rows])


@dataclass(frozen=True, slots=True)
class PlaceInList:
    """One place in one list.

    Attributes:
        rank: at which it is found, 0 when never.
        holders: rows of the hits that hold it alone, and of the one that completes it.
        first: shape (characters,): rank of the first hit that holds each, `NEVER` when none does;
            empty for a region.
    """

    rank: int
    holders: Ints
    first: Ints


def shared_characters(hits: Hits, places: Sequence[PlaceMask]) -> Ints:
    """Shape (places, hits): how many characters each place shares with each hit."""
    document = np.array([p.document for p in places], np.int64)[:, None]
    start = np.array([p.start for p in places], np.int64)[:, None]
    end = np.array([p.end for p in places], np.int64)[:, None]
    shared = np.minimum(hits.end, end) - np.maximum(hits.start, start)
    return np.where(hits.document == document, np.maximum(shared, 0), 0).astype(np.int64)


def more_than_half(hits: Hits, places: Sequence[PlaceMask], shared: Ints) -> NDArray[np.bool_]:
    """Shape (places, hits): whether they share more than half of the shorter of the two."""
    length = np.array([p.end - p.start for p in places], np.int64)[:, None]
    longer: NDArray[np.bool_] = 2 * shared > np.minimum(hits.end - hits.start, length)
    return longer


def characters_needed(solid: NDArray[np.bool_], found_share: float) -> int:
    """How many of a passage's non-blank characters make it found, at least one."""
    return max(1, math.ceil(found_share * int(solid.sum()) - 1e-9))


def locate(hits: Hits, place: PlaceMask, touching: Ints, found_share: float) -> PlaceInList:
    """Where a passage stands in a list.

    Args:
        hits: the list.
        place: a span, not a region.
        touching: rows of the hits that share characters with it, ascending.
        found_share: above 0 up to 1.
    """
    first = np.full(place.end - place.start, NEVER, np.int64)
    if not len(touching):
        return PlaceInList(0, touching, first)
    needed = characters_needed(place.solid, found_share)
    holders = []
    # Backwards, so that the lowest rank is written last.
    for row in touching[::-1].tolist():
        inside = slice(max(int(hits.start[row]) - place.start, 0), int(hits.end[row]) - place.start)
        first[inside] = row + 1
        if np.count_nonzero(place.solid[inside]) >= needed:
            holders.append(row)
    ranks = np.sort(first[place.solid])
    rank = int(ranks[needed - 1]) if len(ranks) >= needed else int(NEVER)
    if rank == NEVER:
        return PlaceInList(0, touching[:0], first)
    return PlaceInList(rank, np.array(sorted({*holders, rank - 1}), np.int64), first)


def locate_all(
    hits: Hits, places: Sequence[PlaceMask], shared: Ints, found_share: float
) -> list[PlaceInList]:
    """`locate` for every place; a region by what it shares.

    Args:
        hits: the list.
        places: spans and regions.
        shared: `shared_characters` of both.
        found_share: above 0 up to 1.
    """
    matched = more_than_half(hits, places, shared)
    found = []
    for i, place in enumerate(places):
        if place.region:
            rows = np.flatnonzero(matched[i]).astype(np.int64)
            rank = int(rows[0]) + 1 if len(rows) else 0
            found.append(PlaceInList(rank, rows, rows[:0]))
        else:
            touching = np.flatnonzero(shared[i]).astype(np.int64)
            found.append(locate(hits, place, touching, found_share))
    return found


def first_found(needs: Sequence[NeedMask], located: Sequence[PlaceInList]) -> Ints:
    """Shape (needs,): lowest rank over the places of each need, 0 when none is found."""
    found, at = np.zeros(len(needs), np.int64), 0
    for i, need in enumerate(needs):
        ranks = [place.rank for place in located[at : at + len(need.places)] if place.rank]
        found[i] = min(ranks, default=0)
        at += len(need.places)
    return found


def found_ranks(hits: Hits, needs: Sequence[NeedMask], found_share: float) -> Ints:
    """Shape (needs,): rank at which each need is first found, 0 when never."""
    places = [place for need in needs for place in need.places]
    shared = shared_characters(hits, places)
    return first_found(needs, locate_all(hits, places, shared, found_share))
