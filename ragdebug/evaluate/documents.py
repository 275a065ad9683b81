"""Ranking documents by their best chunk, for relevance judgments of whole documents.

With ranks of documents in place of ranks of chunks the measures of `ragdebug.evaluate.ranks` are
those of trec_eval: P, recall, RR, nDCG with the grade as gain, AP.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import RagDebugError
from ragdebug.evaluate.found import Ints
from ragdebug.evaluate.masks import TextOf, why_unusable
from ragdebug.questions import Question
from ragdebug.records import Place


@dataclass(frozen=True, slots=True)
class DocumentNeed:
    """Documents, as positions in the lists' documents, any of which will do. May be none."""

    documents: frozenset[int]
    grade: float


def ranked_documents(document: NDArray[np.integer]) -> Ints:
    """Shape (distinct,): row of the best hit of each document, ascending."""
    return np.sort(np.unique(document, return_index=True)[1]).astype(np.int64)


def document_needs(
    question: Question, at: Mapping[str, int], text_of: TextOf
) -> tuple[tuple[DocumentNeed, ...], tuple[str, ...]]:
    """The needs that can be measured, and why the others cannot.

    Args:
        question: of level ``document``.
        at: document id -> position in the lists' documents.
        text_of: raises KeyError or RagDebugError for a document that is not in the corpus.
    """
    needs, reasons = [], []
    for number, need in enumerate(question.needs, 1):
        missing = [p.source for p in need.places if not _in_corpus(p, at, text_of)]
        if len(missing) < len(need.places):
            there = frozenset(at[p.document] for p in need.places if p.document in at)
            needs.append(DocumentNeed(there, need.grade))
        else:
            why = "; ".join(f"{source} is not in the corpus" for source in missing)
            reasons.append(f"need {number}: {why or why_unusable(need)}")
    return tuple(needs), tuple(reasons)


def document_ranks(documents: NDArray[np.integer], wanted: Collection[Collection[int]]) -> Ints:
    """Shape (needs,): rank of the first document of each need, 0 when none is in the ranking.

    Args:
        documents: distinct documents, best first.
        wanted: the documents of each need.
    """
    rank_of = {document: rank for rank, document in enumerate(documents.tolist(), 1)}
    best = (min((rank_of[d] for d in some if d in rank_of), default=0) for some in wanted)
    return np.fromiter(best, np.int64, len(wanted))


def _in_corpus(place: Place, at: Mapping[str, int], text_of: TextOf) -> bool:
    if place.document not in at:
        try:
            text_of(place.document, place.version)
        except (KeyError, RagDebugError):
            return False
    return True
