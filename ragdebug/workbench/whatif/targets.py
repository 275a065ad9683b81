"""Which rows of the lists hold which part of the evidence, laid out so that ranks are enough.

The borders of the chunks that touch a place cut it into segments; a segment is found at the best
rank of the chunks that cover it, and the place as soon as the segments found hold `found_share` of
its characters: the rule of `ragdebug.evaluate.found`, for all questions at once.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.documents import document_needs
from ragdebug.evaluate.found import (
    Hits,
    characters_needed,
    more_than_half,
    shared_characters,
)
from ragdebug.evaluate.masks import PlaceMask, TextOf, needs_of, positions
from ragdebug.questions import Question
from ragdebug.table import ChunkTable
from ragdebug.workbench.whatif.lists import ABSENT, Lists

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Targets:
    """The needs of n questions: w needs, p places, s segments, c covers.

    Attributes:
        need_question: shape (w,), which question, ascending.
        place_need: shape (p,), which need, ascending.
        place_characters: shape (p,), how many characters make it found.
        segment_place: shape (s,), which place, ascending.
        segment_characters: shape (s,), non-blank ones.
        segment_cover: shape (s,), where its covers start.
        cover_question: shape (c,), position in the lists.
        cover_entry: shape (c,), position among the question's rows.
        by_document: shape (n,), questions whose documents are ranked by their best chunk.
    """

    need_question: Ints
    place_need: Ints
    place_characters: Ints
    segment_place: Ints
    segment_characters: Ints
    segment_cover: Ints
    cover_question: Ints
    cover_entry: Ints
    by_document: NDArray[np.bool_]

    def best_chunk(self, rank: NDArray[np.int32]) -> Ints:
        """Shape (w,): rank of the chunk that completes each need, `ABSENT` when none does.

        Args:
            rank: shape (n, u), as in `Ranked`.
        """
        found = np.full(len(self.need_question), ABSENT, np.int64)
        if not len(self.segment_place):
            return found
        covers = rank[self.cover_question, self.cover_entry]
        first = np.minimum.reduceat(covers, self.segment_cover)
        order = np.lexsort((first, self.segment_place))
        place, first = self.segment_place[order], first[order]
        held = np.cumsum(self.segment_characters[order])
        before = np.searchsorted(place, np.arange(len(self.place_need)))  # first segment of each
        held -= np.concatenate([[0], held])[before][place]
        enough = np.flatnonzero(held >= self.place_characters[place])
        places, at = np.unique(place[enough], return_index=True)
        np.minimum.at(found, self.place_need[places], first[enough[at]])
        return found


def targets_of(
    questions: Sequence[Question],
    table: ChunkTable,
    lists: Lists,
    text_of: TextOf,
    found_share: float,
) -> Targets:
    """Lay the evidence of labelled questions on the rows of their lists."""
    made = _Making(found_share)
    at = positions([(d.id, d.version, d.source) for d in table.documents])
    by_id = {d.id: i for i, d in enumerate(table.documents)}
    text_of = functools.cache(text_of)
    for i, question in enumerate(questions):
        rows = lists.rows[i, : lists.count[i]]
        document = table.document_of[rows]
        if question.level == "document":
            wanted, _ = document_needs(question, by_id, text_of)
            for one in wanted:
                made.need(i)
                made.whole(i, np.flatnonzero(np.isin(document, list(one.documents))))
        else:
            needs, _ = needs_of(question, at, text_of)
            spans = table.spans[rows].astype(np.int64)
            hits = Hits(document, spans[:, 0], spans[:, 1])
            for need in needs:
                made.need(i)
                made.places(i, hits, need.places)
    return made.targets(np.array([q.level == "document" for q in questions], np.bool_))


class _Making:
    """Targets in the making, question by question."""

    def __init__(self, found_share: float) -> None:
        self._share = found_share
        self.needs: list[int] = []
        self._places: list[tuple[int, int]] = []  # need, characters
        self._segments: list[tuple[int, int, int]] = []  # place, characters, first cover
        self._covers: list[tuple[int, int]] = []  # question, entry

    def need(self, question: int) -> None:
        """Begin a need."""
        self.needs.append(question)

    def whole(self, question: int, entries: Ints) -> None:
        """A place that any of some rows holds."""
        self._places.append((len(self.needs) - 1, 1))
        if len(entries):
            self._segment(question, 1, entries)

    def places(self, question: int, hits: Hits, places: Sequence[PlaceMask]) -> None:
        """The places of the need at hand."""
        shared = shared_characters(hits, places)
        matched = more_than_half(hits, places, shared)
        for i, place in enumerate(places):
            if place.region:
                self.whole(question, np.flatnonzero(matched[i]))
            else:
                self._passage(question, hits, place, np.flatnonzero(shared[i]))

    def _passage(self, question: int, hits: Hits, place: PlaceMask, touching: Ints) -> None:
        self._places.append((len(self.needs) - 1, characters_needed(place.solid, self._share)))
        start = np.maximum(hits.start[touching] - place.start, 0)
        end = np.minimum(hits.end[touching], place.end) - place.start
        cuts = np.unique(np.concatenate([start, end]))
        solid = np.concatenate([[0], np.cumsum(place.solid)])
        for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            cover = touching[(start <= low) & (end >= high)]
            characters = int(solid[high] - solid[low])
            if characters and len(cover):
                self._segment(question, characters, cover)

    def _segment(self, question: int, characters: int, cover: Ints) -> None:
        self._segments.append((len(self._places) - 1, characters, len(self._covers)))
        self._covers += [(question, entry) for entry in cover.tolist()]

    def targets(self, by_document: NDArray[np.bool_]) -> Targets:
        """All of it in columns."""
        places = np.array(self._places, np.int64).reshape(-1, 2)
        segments = np.array(self._segments, np.int64).reshape(-1, 3)
        covers = np.array(self._covers, np.int64).reshape(-1, 2)
        return Targets(
            need_question=np.array(self.needs, np.int64),
            place_need=places[:, 0],
            place_characters=places[:, 1],
            segment_place=segments[:, 0],
            segment_characters=segments[:, 1],
            segment_cover=segments[:, 2],
            cover_question=covers[:, 0],
            cover_entry=covers[:, 1],
            by_document=by_document,
        )
