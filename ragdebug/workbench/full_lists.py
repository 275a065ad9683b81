"""A query's vector and BM25 lists over the whole corpus, as far as the filter allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ragdebug.pipeline import LexicalIndex, VectorIndex
from ragdebug.protocols import Vectors
from ragdebug.records import RankedList, Rows, Scores

Mask = NDArray[np.bool_] | None


def bm25(index: LexicalIndex, query: str, mask: Mask) -> RankedList:
    """All allowed chunks that hold a term of the query."""
    rows, scores = index.scores(query)
    if mask is not None:
        rows, scores = rows[mask[rows]], scores[mask[rows]]
    return _ranked("bm25", "bm25", rows, scores)


def vector(index: VectorIndex, query: Vectors, mask: Mask) -> RankedList:
    """All allowed chunks that are indexed, by their exact cosine."""
    scores = index.scores(query)
    inside = ~np.isnan(scores) if mask is None else ~np.isnan(scores) & mask
    rows = np.flatnonzero(inside).astype(np.int64)
    return _ranked("vector", "cosine", rows, scores[rows].astype(np.float64))


def continued(listed: RankedList, full: RankedList) -> RankedList:
    """A list with the rest of the corpus behind it; its own depth and order stay.

    An approximate index, or the last bit of a score, may have put them in another order.
    """
    rest = ~np.isin(full.rows, listed.rows)
    return replace(
        listed,
        rows=np.concatenate([listed.rows, full.rows[rest]]),
        scores=np.concatenate([listed.scores, full.scores[rest]]),
    )


def _ranked(name: str, kind: str, rows: Rows, scores: Scores) -> RankedList:
    order = np.lexsort((rows, -scores))
    return RankedList(name, kind, rows[order], scores[order], len(rows), len(rows))
