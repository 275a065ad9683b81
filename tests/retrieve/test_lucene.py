from __future__ import annotations

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.retrieve import Analyzer, BM25Index
from ragdebug.settings import PLAIN, BM25Settings

WORDS = st.lists(st.sampled_from("ant bee cow dog elk fox gnu hen".split()), max_size=12)
CORPORA = st.lists(WORDS, min_size=1, max_size=12).filter(any)


@given(CORPORA, WORDS, st.sampled_from([(1.2, 0.75), (0.9, 0.4), (0.0, 0.75), (2.0, 0.0)]))
def test_scores_are_those_of_bm25s(
    corpus: list[list[str]], query: list[str], constants: tuple[float, float]
) -> None:
    k1, b = constants
    settings = BM25Settings(k1=k1, b=b, analyzer=PLAIN)
    index = BM25Index.build([" ".join(words) for words in corpus], Analyzer(PLAIN), settings)

    kept = [row for row, words in enumerate(corpus) if words]
    theirs = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    theirs.index([corpus[row] for row in kept], show_progress=False)
    known = [w for w in query if w in theirs.vocab_dict]
    expected = theirs.get_scores(known) if known else np.zeros(len(kept))

    rows, scores = index.scores(" ".join(query))
    assert rows.tolist() == [kept[i] for i in np.flatnonzero(expected)]
    assert scores == pytest.approx(expected[expected > 0])


@given(CORPORA, WORDS.filter(bool), st.integers(1, 12))
def test_hits_are_those_of_bm25s_within_equal_scores(
    corpus: list[list[str]], query: list[str], k: int
) -> None:
    corpus = [words for words in corpus if words]
    index = BM25Index.build(
        [" ".join(w) for w in corpus], Analyzer(PLAIN), BM25Settings(analyzer=PLAIN)
    )
    theirs = bm25s.BM25(method="lucene", k1=1.2, b=0.75, dtype="float64")
    theirs.index(corpus, show_progress=False)
    k = min(k, len(corpus))
    found, found_scores = theirs.retrieve([query], k=k, show_progress=False)
    rows, scores = index.search(" ".join(query), k)
    positive = found_scores[0] > 0
    assert scores == pytest.approx(found_scores[0][positive])
    every = dict(zip(*index.scores(" ".join(query)), strict=True))
    for row, score in zip(found[0][positive], found_scores[0][positive], strict=True):
        assert every[row] == pytest.approx(score)
    for row in rows:
        # theirs may have cut a tie elsewhere, and nothing but a tie
        assert row in found[0] or every[row] == pytest.approx(scores[-1])


def test_building_writes_nothing_to_the_terminal(build, capfd: pytest.CaptureFixture[str]) -> None:
    build(["some words"] * 200).search("words", 3)
    assert capfd.readouterr() == ("", "")
