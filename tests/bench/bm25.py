"""BM25 on 20,000 passages: speed against rank-bm25, equality with rank-bm25 and bm25s.

    python tests/bench/bm25.py DATA/scifact

DATA/scifact is a set in BEIR layout. Prints medians of interleaved runs and their ratios.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import bm25s
import numpy as np
from rank_bm25 import BM25Okapi
from retrieval_data import documents, interleaved, passages, queries

from ragdebug.retrieve import Analyzer, BM25Index
from ragdebug.settings import AnalyzerSettings, BM25Settings

K = 50


def same_hits(
    rows: np.ndarray, scores: np.ndarray, other: np.ndarray, other_scores: np.ndarray
) -> bool:
    """Whether two lists hold the same rows within equal scores; the last tie may be cut anyhow."""
    other, other_scores = other[other_scores > 0], other_scores[other_scores > 0]
    if len(rows) != len(other) or not np.allclose(scores, other_scores, atol=1e-9):
        return False
    above = scores > scores[-1] + 1e-9 if len(scores) == K else np.ones(len(scores), bool)
    values = np.round(scores[above], 9)
    return all(
        set(rows[above][values == v]) == set(other[: above.sum()][values == v])
        for v in np.unique(values)
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=40)
    options = parser.parse_args()

    texts = passages(documents(options.data)[1], options.passages)
    asked = list(queries(options.data).values())[: options.queries]
    analyzer = Analyzer(AnalyzerSettings(), "en")
    analyzer.terms("warm up")
    started = time.perf_counter()
    tokens = [analyzer.terms(text) for text in texts]
    seconds = time.perf_counter() - started
    words = sum(len(text.split()) for text in texts)
    print(f"{len(texts)} passages, {words} words, {len(asked)} queries, k {K}")
    print(f"analyzer: {seconds:.1f} s, {1e6 * seconds / words:.2f} us a word")

    built, build_s = {}, {}
    for variant in ("lucene", "okapi"):
        settings = BM25Settings(variant=variant, k1=1.5)
        started = time.perf_counter()
        built[variant] = BM25Index.build(texts, Analyzer(AnalyzerSettings(), "en"), settings)
        build_s[variant] = time.perf_counter() - started

    theirs = BM25Okapi(tokens, k1=1.5)
    bare = bm25s.BM25(method="lucene", k1=1.5, dtype="float64")
    bare.index(tokens, show_progress=False)

    def terms(query: str) -> list[str]:
        found = built["lucene"].terms(query)
        return [t.term for t in found if t.frequency]

    worst, equal = 0.0, 0
    for query in asked:
        rows, scores = built["okapi"].scores(query)
        expected = theirs.get_scores(terms(query))
        worst = max(worst, float(np.abs(expected[rows] - scores).max(initial=0)))
        others, other_scores = bare.retrieve([terms(query)], k=K, show_progress=False)
        equal += same_hits(*built["lucene"].search(query, K), others[0], other_scores[0])
    print(f"okapi against rank-bm25: largest difference {worst:.1e}")
    print(f"lucene against bm25s: {equal} of {len(asked)} lists equal")

    median = interleaved(
        {
            "rank-bm25 get_scores": lambda q: theirs.get_scores(terms(q)),
            "bm25s retrieve": lambda q: bare.retrieve([terms(q)], k=K, show_progress=False),
            "lucene search": lambda q: built["lucene"].search(q, K),
            "okapi search": lambda q: built["okapi"].search(q, K),
        },
        asked,
    )
    base = median["rank-bm25 get_scores"]
    for name, seconds in median.items():
        print(f"{name:22} {1e3 * seconds:8.3f} ms   {base / seconds:6.1f} x as fast as rank-bm25")

    for variant, index in built.items():
        with tempfile.TemporaryDirectory() as folder:
            index.save(Path(folder) / "index")
            started = time.perf_counter()
            again = BM25Index.load(Path(folder) / "index", index.analyzer)
            again.search(asked[0], K)
            reopen = time.perf_counter() - started
        ratio = reopen / build_s[variant]
        print(f"{variant}: build {build_s[variant]:.1f} s, reopen and answer {ratio:.4f} x")


if __name__ == "__main__":
    main()
