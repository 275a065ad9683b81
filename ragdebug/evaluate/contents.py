"""How much of one list's evidence, by characters, its first k hits hold.

Characters are counted as in Smith, Troynikov: Evaluating Chunking Strategies for Retrieval (Chroma
2024), blanks included. A need with several places weighs as much as its first one, and is covered
as far as its best covered one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.found import Ints, PlaceInList
from ragdebug.evaluate.masks import NeedMask

Floats = NDArray[np.float64]


class Characters(NamedTuple):
    """Characters of evidence in the first k hits of a list.

    Attributes:
        evidence: all there are, each need's first place; 0 where nobody has marked them: without
            needs, and where one names a region.
        covered: shape (ks,), of those, as far as the best place of each need goes.
        inside: shape (ks,), distinct characters of any place.
    """

    evidence: int
    covered: Floats
    inside: Ints


def characters(needs: Sequence[NeedMask], located: Sequence[PlaceInList], ks: Ints) -> Characters:
    """Count the characters of one list.

    Args:
        needs: of one question.
        located: their places in the list, in the order of `needs`.
        ks: numbers of hits.
    """
    places = [place for need in needs for place in need.places]
    if not places or any(place.region for place in places):
        return Characters(0, np.zeros(len(ks)), np.zeros(len(ks), np.int64))
    held = [_within(there.first, ks) for there in located]
    evidence, covered, at = 0, np.zeros(len(ks)), 0
    for need in needs:
        weight = need.places[0].end - need.places[0].start
        weighed = [
            weight * held[i] / len(located[i].first) for i in range(at, at + len(need.places))
        ]
        evidence += weight
        covered += weighed[0] if len(weighed) == 1 else np.max(weighed, axis=0)
        at += len(need.places)
    inside = held[0] if len(held) == 1 else _within(_distinct(needs, located), ks)
    return Characters(evidence, covered, inside)


def _within(first: Ints, ks: Ints) -> Ints:
    """Shape (ks,): how many characters are held by the first k."""
    return np.searchsorted(np.sort(first), ks, side="right").astype(np.int64, copy=False)


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
