"""What the first k hits of one list are made of: their size, and how much of it is evidence.

Characters are counted as in Smith, Troynikov: Evaluating Chunking Strategies for Retrieval (Chroma
2024), blanks included. A need with several places weighs as much as its first one, and is covered
as far as its best covered one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.found import Ints, PlaceInList
from ragdebug.evaluate.masks import NeedMask

Floats = NDArray[np.float64]


def sum_of_first(values: NDArray[np.generic], ks: Ints) -> Ints:
    """Shape (ks,): sum of the first k values, of all of them where there are fewer."""
    sums = np.concatenate([[0], np.cumsum(values)])
    return sums[np.minimum(ks, len(values))].astype(np.int64)


def share_of(part: Ints, whole: Ints | Floats) -> Floats:
    """Part of whole; 0 where the whole is 0."""
    share: Floats = np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)
    return share


def relevant_share(relevant: NDArray[np.bool_], ks: Ints) -> Floats:
    """P@k, shape (ks,): relevant hits in the first k / k. 0 to 1; 0 when nothing is found.

    A hit is relevant when it holds a place alone or completes one. Short lists are divided by k
    too. Ties do not occur: the list is taken as it was shown.
    """
    return sum_of_first(relevant, ks) / ks


def judged_share(judged_hits: NDArray[np.bool_], ks: Ints) -> Floats:
    """judged@k, shape (ks,): judged hits in the first k / hits there; 0 for an empty list."""
    return share_of(sum_of_first(judged_hits, ks), np.minimum(ks, len(judged_hits)))


def characters(
    needs: Sequence[NeedMask], located: Sequence[PlaceInList], lengths: Ints, ks: Ints
) -> Floats:
    """coverage@k, precision@k and IoU@k of characters, shape (3, ks).

    All three run from 0 to 1 and are 0 when nothing is found or the list is empty; they are NaN
    where a need names a region, whose characters nobody has marked, and without needs.

    Args:
        needs: of one question.
        located: their places in the list, in the order of `needs`.
        lengths: shape (hits,), characters of each hit.
        ks: numbers of hits.
    """
    places = [place for need in needs for place in need.places]
    if not places or any(place.region for place in places):
        return np.full((3, len(ks)), np.nan)
    evidence, covered, at = 0, np.zeros(len(ks)), 0
    for need in needs:
        weight = need.places[0].end - need.places[0].start
        weighed = [
            weight * np.searchsorted(np.sort(there.first), ks, side="right") / len(there.first)
            for there in located[at : at + len(need.places)]
        ]
        evidence += weight
        covered += np.max(weighed, axis=0)
        at += len(need.places)
    inside = np.searchsorted(np.sort(_distinct(needs, located)), ks, side="right")
    size = sum_of_first(lengths, ks)
    return np.array(
        [
            covered / evidence,
            share_of(inside, size),
            share_of(inside, size + evidence - covered),
        ]
    )


def _distinct(needs: Sequence[NeedMask], located: Sequence[PlaceInList]) -> Ints:
    """First rank of each character of evidence, once for a character that several places hold."""
    places = [place for need in needs for place in need.places]
    parts, document, reach = [], -2, 0
    for i in sorted(range(len(places)), key=lambda i: (places[i].document, places[i].start)):
        place = places[i]
        if place.document != document:
            document, reach = place.document, 0
        parts.append(located[i].first[max(reach - place.start, 0) :])
        reach = max(reach, place.end)
    return np.concatenate(parts)
