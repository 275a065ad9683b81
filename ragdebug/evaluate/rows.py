"""One question of a run: its ranks, and what its first hits are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.contents import (
    Floats,
    characters,
    judged_share,
    relevant_share,
    sum_of_first,
)
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
    """Measures of one question.

    Attributes:
        found: shape (needs,), ranks, 0 for never.
        grades: shape (needs,).
        tokens: shape (needs,), size of the context that has it, -1 for never.
        contents: shape (measures, ks), in the order of `ragdebug.evaluate.names.CONTENTS`.
        reasons: why some needs cannot be used.
    """

    found: Ints
    grades: Floats
    tokens: Ints
    contents: Floats
    reasons: tuple[str, ...]


def row_of(question: Question, hits: Hits, tokens: NDArray[np.integer], lists: Lists) -> Row:
    """Measure one question; without a usable need its row has no ranks."""
    row = _by_document if question.level == "document" else _by_passage
    return row(question, hits, tokens, lists)


def _by_passage(question: Question, hits: Hits, tokens: NDArray[np.integer], lists: Lists) -> Row:
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
        _tokens_until(found, tokens),
        _contents(
            relevant,
            more_than_half(hits, known, shared).any(axis=0) | relevant,
            tokens,
            characters(needs, located, hits.end - hits.start, lists.ks),
            lists.ks,
        ),
        reasons,
    )


def _by_document(question: Question, hits: Hits, tokens: NDArray[np.integer], lists: Lists) -> Row:
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
        _tokens_until(chunk, tokens),
        _contents(
            relevant,
            relevant | np.isin(documents, rejected),
            tokens,
            np.full((3, len(lists.ks)), np.nan),
            lists.ks,
        ),
        reasons,
    )


def _contents(
    relevant: NDArray[np.bool_],
    judged: NDArray[np.bool_],
    tokens: NDArray[np.integer],
    by_characters: Floats,
    ks: Ints,
) -> Floats:
    """Shape (measures, ks), in the order of `ragdebug.evaluate.names.CONTENTS`."""
    return np.vstack(
        [
            relevant_share(relevant, ks),
            by_characters,
            sum_of_first(tokens, ks),
            judged_share(judged, ks),
        ]
    )


def _tokens_until(ranks: Ints, tokens: NDArray[np.integer]) -> Ints:
    return np.where(ranks > 0, sum_of_first(tokens, ranks), -1)
