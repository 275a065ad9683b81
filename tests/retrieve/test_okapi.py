from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from ragdebug.retrieve import Analyzer, BM25Index
from ragdebug.settings import PLAIN, BM25Settings

WORDS = st.lists(st.sampled_from("ant bee cow dog elk fox gnu hen".split()), max_size=12)
CORPORA = st.lists(WORDS.filter(bool), min_size=1, max_size=12)


@given(
    CORPORA,
    WORDS,
    st.sampled_from([(1.5, 0.75, 0.25), (1.2, 0.4, 0.0), (2.0, 0.0, 1.0), (0.5, 1.0, 0.25)]),
)
def test_scores_are_those_of_rank_bm25(
    corpus: list[list[str]], query: list[str], constants: tuple[float, float, float]
) -> None:
    k1, b, epsilon = constants
    settings = BM25Settings("okapi", k1=k1, b=b, epsilon=epsilon, analyzer=PLAIN)
    index = BM25Index.build([" ".join(words) for words in corpus], Analyzer(PLAIN), settings)
    expected = BM25Okapi(corpus, k1=k1, b=b, epsilon=epsilon).get_scores(query)

    rows, scores = index.scores(" ".join(query))
    assert rows.tolist() == [i for i, words in enumerate(corpus) if set(words) & set(query)]
    assert scores == pytest.approx(expected[rows], abs=1e-9)
    assert np.all(np.delete(expected, rows) == 0)


def test_negative_idf_is_lifted_to_a_share_of_the_mean_as_there(build) -> None:
    texts = ["ore coal", "ore slag", "ore ash", "clay"]
    idf = BM25Okapi([t.split() for t in texts]).idf
    index = build(texts, "okapi")
    assert {t: index.idf(t) for t in idf} == pytest.approx(idf)
    # four words in one of four texts, one in three of four
    seldom, often = np.log(3.5 / 1.5), np.log(1.5 / 3.5)
    assert index.idf("ore") == pytest.approx(0.25 * (4 * seldom + often) / 5)
