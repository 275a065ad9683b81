"""nDCG@10 of BM25 and of vector search on SciFact, or another set in BEIR layout.

    python tests/bench/scifact.py DATA/scifact [--vectors CACHE.npz] [--no-dense]

Documents are ranked whole (title and text), as published figures are; nDCG by ir_measures. With
--vectors the embedded texts are kept in a file for the next run. To be reached on SciFact: BM25
0.66 and all-MiniLM-L6-v2 0.64.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from pathlib import Path

import ir_measures
import numpy as np
from ir_measures import nDCG
from retrieval_data import documents, qrels, queries

from ragdebug.fuse import fuse
from ragdebug.models import load_embedder
from ragdebug.records import RankedList
from ragdebug.retrieve import Analyzer, BM25Index, DenseIndex
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    AnalyzerSettings,
    BM25Settings,
    DenseSettings,
    FusionSettings,
)

DEPTH = 50


def ndcg(
    lists: dict[str, RankedList], ids: list[str], judged: Iterable[tuple[str, str, int]]
) -> float:
    """NDCG@10 over all judged queries; one without a list counts 0."""
    run = [
        ir_measures.ScoredDoc(query, ids[row], -float(rank))
        for query, ranking in lists.items()
        for rank, (row, _) in enumerate(ranking)
    ]
    truth = [ir_measures.Qrel(*line) for line in judged]
    return float(ir_measures.calc_aggregate([nDCG @ 10], truth, run)[nDCG @ 10])


def embed(
    model: str, ids: list[str], texts: list[str], asked: list[str], cache: Path | None
) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of texts and queries, from the cache where it has them."""
    if cache and cache.exists():
        kept = np.load(cache)
        if kept["ids"].tolist() == ids and len(kept["queries"]) == len(asked):
            return kept["texts"], kept["queries"]
    embedder = load_embedder(model)
    started = time.perf_counter()
    vectors = embedder.embed_passages(texts)
    points = np.stack([embedder.embed_query(query) for query in asked])
    print(f"embedded in {time.perf_counter() - started:.0f} s", flush=True)
    if cache:
        np.savez(cache, ids=np.array(ids), texts=vectors, queries=points)
    return vectors, points


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--language", default="en")
    parser.add_argument("--model", default=DEFAULT_EMBEDDER)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--no-dense", action="store_true")
    options = parser.parse_args()
    ids, texts = documents(options.data)
    judged = qrels(options.data)
    asked = {q: t for q, t in queries(options.data).items() if q in {line[0] for line in judged}}
    print(f"{len(texts)} documents, {len(asked)} queries")

    bm25: dict[str, RankedList] = {}
    for variant, k1 in (("okapi", 1.5), ("lucene", 1.2)):
        settings = BM25Settings(variant=variant, k1=k1)
        index = BM25Index.build(texts, Analyzer(AnalyzerSettings(), options.language), settings)
        for query, text in asked.items():
            bm25[query] = RankedList("bm25", "bm25", *index.search(text, DEPTH), DEPTH, len(texts))
        print(f"bm25 {variant}, k1 {k1}, b 0.75: nDCG@10 {ndcg(bm25, ids, judged):.4f}", flush=True)
    if options.no_dense:
        return

    vectors, points = embed(options.model, ids, texts, list(asked.values()), options.vectors)
    info = load_embedder(options.model).info
    dense = DenseIndex.build(vectors, np.arange(len(ids)), len(ids), info, DenseSettings())
    vector = {
        query: RankedList("vector", "cosine", *found, DEPTH, len(ids))
        for query, found in zip(asked, dense.search_many(points, DEPTH), strict=True)
    }
    print(f"vector {options.model}: nDCG@10 {ndcg(vector, ids, judged):.4f}")
    hybrid = {
        query: fuse([vector[query], bm25[query]], FusionSettings(), DEPTH)[0] for query in asked
    }
    print(f"hybrid (RRF, k 60): nDCG@10 {ndcg(hybrid, ids, judged):.4f}")


if __name__ == "__main__":
    main()
