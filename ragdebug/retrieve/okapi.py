"""BM25 as the package rank-bm25 scores it (BM25Okapi), which LangChain's BM25Retriever uses.

    score = sum over query terms of
            idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))
    idf   = ln(N - n + 0.5) - ln(n + 0.5), and where that is negative: epsilon * mean idf

idf is 0 for a term in half of the chunks, and on small corpora the mean itself may be negative:
that is how BM25Okapi scores, and seeing it is what the variant is for. The statistics come from the
package itself; its loop over all chunks for every query term is replaced by postings.

Trotman, Puurula, Burgess: Improvements to BM25 and Language Models Examined. ADCS 2014.
"""

from __future__ import annotations

import numpy as np

from ragdebug.records import Scores
from ragdebug.retrieve.postings import Counts, Postings
from ragdebug.settings import BM25Settings


def weigh(counts: Counts, postings: Postings, settings: BM25Settings) -> tuple[Scores, Scores]:
    """What a single occurrence of each term in a query adds to the score of each chunk.

    Returns:
        Weights, shape (p,), float64, in the order of `Postings`; idf, shape (v,), float64.
    """
    if not len(counts):
        return np.empty(0), np.empty(0)
    frequency = np.diff(postings.starts)
    idf_of, average_length = _statistics(counts, frequency.tolist(), settings)
    idf = np.fromiter((idf_of[term] for term in counts.terms), np.float64, len(counts.terms))
    k1, b = settings.k1, settings.b
    longer = 1 - b + b * postings.lengths / average_length
    tf = postings.tf.astype(np.float64)
    share = tf * (k1 + 1) / (tf + k1 * longer[postings.rows])
    return np.repeat(idf, frequency) * share, idf


def _statistics(
    counts: Counts, frequency: list[int], settings: BM25Settings
) -> tuple[dict[str, float], float]:
    """What BM25Okapi makes of the corpus, idf by term and average length, without token lists."""
    from rank_bm25 import BM25Okapi

    class FromPostings(BM25Okapi):  # type: ignore[misc]
        def _initialize(self, corpus: Counts) -> dict[str, int]:
            self.corpus_size = len(corpus)
            self.avgdl = int(corpus.lengths().sum(dtype=np.int64)) / len(corpus)
            return dict(zip(corpus.terms, frequency, strict=True))

    model = FromPostings(counts, k1=settings.k1, b=settings.b, epsilon=settings.epsilon)
    return model.idf, model.avgdl
