"""The evidence of a question as arrays, ready to be laid on ranked lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import RagDebugError
from ragdebug.evidence import non_blank
from ragdebug.questions import Need, Question
from ragdebug.records import Place

TextOf = Callable[[str, str], str]
ABSENT = -1  # position of a document that no hit is from


@dataclass(frozen=True, slots=True)
class PlaceMask:
    """One place.

    Attributes:
        document: position in the lists' documents, or `ABSENT`.
        start: first code point.
        end: one past the last.
        solid: shape (end - start,): which characters are not blank; empty for a region.
        region: matched by shared length instead of by characters.
    """

    document: int
    start: int
    end: int
    solid: NDArray[np.bool_]
    region: bool


@dataclass(frozen=True, slots=True)
class NeedMask:
    """One usable need: its places, at least one, and its gain."""

    places: tuple[PlaceMask, ...]
    grade: float = 1.0


def positions(documents: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str], int]:
    """(id, version) -> position in the documents of ranked lists."""
    return {(id_, version): i for i, (id_, version, _) in enumerate(documents)}


def needs_of(
    question: Question, at: Mapping[tuple[str, str], int], text_of: TextOf
) -> tuple[tuple[NeedMask, ...], tuple[str, ...]]:
    """The needs that can be measured, and for each of the others why it cannot.

    Args:
        question: with its labels.
        at: `positions` of the lists' documents.
        text_of: canonical text of (document, version); raises KeyError or RagDebugError for one
            that is not in the corpus.
    """
    masks, reasons = [], []
    for number, need in enumerate(question.needs, 1):
        places, problems = [], []
        for place in need.places:
            try:
                places.append(place_mask(place, at, text_of))
            except (KeyError, RagDebugError):
                problems.append(f"{place.source} is not in the corpus")
            except ValueError as error:
                problems.append(str(error))
        if places:
            masks.append(NeedMask(tuple(places), need.grade))
        else:
            reasons.append(f"need {number}: {'; '.join(problems) or why_unusable(need)}")
    return tuple(masks), tuple(reasons)


def place_mask(place: Place, at: Mapping[tuple[str, str], int], text_of: TextOf) -> PlaceMask:
    """One place as arrays.

    Raises:
        KeyError, RagDebugError: from `text_of`.
        ValueError: the place holds no text.
    """
    document = at.get((place.document, place.version), ABSENT)
    region = bool(place.region)
    solid = np.zeros(0, np.bool_)
    # A document that a hit is from is in the corpus, and a region needs no characters.
    if document == ABSENT or not region:
        text = text_of(place.document, place.version)
        if not region:
            solid = non_blank(text[max(place.start, 0) : place.end])
    outside = not region and len(solid) != place.end - place.start
    if place.end <= place.start or outside:
        raise ValueError(f"{place.source} does not reach to {place.start}-{place.end}")
    if not region and not solid.any():
        raise ValueError(f"{place.source} holds only blanks at {place.start}-{place.end}")
    return PlaceMask(document, place.start, place.end, solid, region)


def rejected_of(question: Question, at: Mapping[tuple[str, str], int]) -> tuple[PlaceMask, ...]:
    """Places judged as not answering, in documents that hits are from."""
    return tuple(
        PlaceMask(at[key], place.start, place.end, np.zeros(0, np.bool_), bool(place.region))
        for place in question.rejected
        if (key := (place.document, place.version)) in at
    )


def why_unusable(need: Need) -> str:
    """What is wrong with a need that has no place to measure with."""
    statuses = sorted({label.status for label in need.labels})
    return f"its labels are {' or '.join(statuses)}" if statuses else "it has no place"
