"""One question of a run: its ranks, and what its first hits are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.contents import Characters, Floats, characters
from ragdebug.evaluate.documents import document_needs, document_ranks, ranked_documents
from ragdebug.evaluate.found import (
    Hits,
    Ints,
    first_found,
    locate_all,
    more_than_half,
    shared_characters,
)
from ragdebug.evaluate.masks import ABSENT, TextOf, needs_of, rejected_of
from ragdebug.questions import Question


class Lists(NamedTuple):
    """What all rows of a run have in common.

    Attributes:
        at: (document id, version) -> position in the lists' documents.
        by_id: document id -> the same position.
        text_of: canonical text of (document, version).
        found_share: what counts as found.
        ks: numbers of hits to look at.
    """

    at: Mapping[tuple[str, str], int]
    by_id: Mapping[str, int]
    text_of: TextOf
    found_share: float
    ks: Ints


class Row(NamedTuple):
    """What one question's list holds.

    Attributes:
        found: shape (needs,), ranks, 0 for never.
        grades: shape (needs,).
        chunk: shape (needs,), rank of the hit from which on the context has it, 0 for never.
        relevant: shape (ranks,), which of what is ranked holds or completes a place.
        judged: shape (ranks,), which of it somebody has judged.
        characters: of the evidence.
        reasons: why some needs cannot be used.
    """

    found: Ints
    grades: Floats
    chunk: Ints
    relevant: NDArray[np.bool_]
    judged: NDArray[np.bool_]
    characters: Characters
    reasons: tuple[str, ...]


def row_of(question: Question, hits: Hits, lists: Lists) -> Row:
    """Look for one question's evidence; without a usable need its row has no ranks."""
    row = _by_document if question.level == "document" else _by_passage
    return row(question, hits, lists)


def _by_passage(question: Question, hits: Hits, lists: Lists) -> Row:
    needs, reasons = needs_of(question, lists.at, lists.text_of)
    places = [place for need in needs for place in need.places]
    known = [*places, *rejected_of(question, lists.at)]
    shared = shared_characters(hits, known)
    located = locate_all(hits, places, shared, lists.found_share)
    found = first_found(needs, located)
    relevant = np.zeros(len(hits.document), np.bool_)
    for there in located:
        relevant[there.holders] = True
    return Row(
        found,
        np.array([need.grade for need in needs], np.float64),
        found,
        relevant,
        more_than_half(hits, known, shared).any(axis=0) | relevant,
        characters(needs, located, lists.ks),
        reasons,
    )


def _by_document(question: Question, hits: Hits, lists: Lists) -> Row:
    needs, reasons = document_needs(question, lists.by_id, lists.text_of)
    best = ranked_documents(hits.document)
    documents = hits.document[best]
    found = document_ranks(documents, [need.documents for need in needs])
    relevant = np.isin(documents, [d for need in needs for d in need.documents])
    rejected = [lists.by_id.get(place.document, ABSENT) for place in question.rejected]
    # The context is filled with chunks: a document is in it from its best one on.
    chunk = np.where(found > 0, best[found - 1] + 1, 0) if len(best) else found
    return Row(
        found,
        np.array([need.grade for need in needs], np.float64),
        chunk,
        relevant,
        relevant | np.isin(documents, rejected),
        characters((), (), lists.ks),
        reasons,
    )
