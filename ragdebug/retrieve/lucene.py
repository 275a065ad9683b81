"""BM25 as Lucene, Elasticsearch, OpenSearch and Tantivy score it, by way of bm25s.

    score = sum over query terms of  idf * tf / (tf + k1 * (1 - b + b * length / average length))
    idf   = ln(1 + (N - n + 0.5) / (n + 0.5))

The factor (k1 + 1) of the textbooks is left out, as in Lucene since version 8: it changes no order.
Lucene itself rounds the length to one byte, bm25s does not.

Kamphuis, de Vries, Boytsov, Lin: Which BM25 Do You Mean? A Large-Scale Reproducibility Study of
Scoring Variants. ECIR 2020 (there "Lucene (accurate)").
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ragdebug.records import Scores
from ragdebug.retrieve.postings import Counts
from ragdebug.settings import BM25Settings


def weigh(counts: Counts, settings: BM25Settings) -> tuple[Scores, Scores]:
    """What a single occurrence of each term in a query adds to the score of each chunk.

    Returns:
        Weights, shape (p,), float64, in the order of `Postings`; idf, shape (v,), float64.
    """
    if not len(counts):
        return np.empty(0), np.empty(0)
    import bm25s

    index = bm25s.BM25(
        method="lucene",
        k1=settings.k1,
        b=settings.b,
        dtype="float64",
        int_dtype="int32",
        backend="numpy",
        csc_backend="auto",  # scipy's needs half the memory, where it is installed
    )
    built = index.build_index_from_ids(
        unique_token_ids=range(len(counts.terms)),
        corpus_token_ids=_Documents(counts),
        show_progress=False,
    )
    frequency = np.diff(built["indptr"])
    idf = np.log(1 + (len(counts) - frequency + 0.5) / (frequency + 0.5))
    return np.asarray(built["data"], np.float64), idf


class _Documents:
    """Lists of term ids made when bm25s walks over them, instead of kept all at once."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def __len__(self) -> int:
        return len(self._counts)

    def __iter__(self) -> Iterator[list[int]]:
        return self._counts.documents()
