"""100,000 synthetic chunks of 384 dimensions: hybrid search against bare FAISS and bare bm25s.

    python tests/bench/search_100k.py [DATA/scifact]

Chunks are made of words drawn by frequency, from the corpus in DATA (BEIR layout) or, without it,
from made-up words. Prints medians of interleaved runs, ratios and memory.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections import Counter
from pathlib import Path

import bm25s
import faiss
import numpy as np
from retrieval_data import documents, interleaved, resident_mb

from ragdebug.fuse import fuse
from ragdebug.protocols import ModelInfo
from ragdebug.records import RankedList
from ragdebug.retrieve import Analyzer, BM25Index, DenseIndex
from ragdebug.settings import AnalyzerSettings, BM25Settings, DenseSettings, FusionSettings

K = 50
DIMENSION = 384
MODEL = ModelInfo("synthetic", "embedder", "synthetic", dimension=DIMENSION)


def vocabulary(data: Path | None) -> tuple[list[str], np.ndarray]:
    """Words and their probabilities."""
    if data is None:
        words = [f"{a}{b}{c}" for a in "bcdfghjklm" for b in "aeiou" for c in range(1000)]
        weights = 1 / np.arange(1, len(words) + 1)
    else:
        counted = Counter(w for text in documents(data)[1] for w in text.split())
        words, weights = list(counted), np.array(list(counted.values()), float)
    return words, weights / weights.sum()


def make_texts(
    words: list[str], weights: np.ndarray, count: int, rng: np.random.Generator
) -> list[str]:
    """Texts of 60 to 180 words."""
    lengths = rng.integers(60, 180, count)
    drawn = rng.choice(len(words), int(lengths.sum()), p=weights)
    ends = np.cumsum(lengths)
    return [
        " ".join(words[i] for i in drawn[end - n : end])
        for end, n in zip(ends.tolist(), lengths.tolist(), strict=True)
    ]


def make_vectors(count: int, rng: np.random.Generator) -> np.ndarray:
    """Unit vectors around 500 centres, as texts on some hundred subjects have them."""
    centres = rng.standard_normal((500, DIMENSION), dtype=np.float32)
    vectors = 0.8 * rng.standard_normal((count, DIMENSION), dtype=np.float32)
    vectors += centres[rng.integers(0, 500, count)]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=40)
    options = parser.parse_args()
    rng = np.random.default_rng(7)
    words, weights = vocabulary(options.data)
    texts = make_texts(words, weights, options.chunks, rng)
    asked = make_texts(words, weights, options.queries, rng)
    asked = [" ".join(text.split()[:9]) for text in asked]
    vectors = make_vectors(options.chunks, rng)
    points = make_vectors(options.queries, rng)
    text_mb = sum(len(text.encode()) for text in texts) / 1e6
    analyzer = Analyzer(AnalyzerSettings(), "en")
    analyzer.terms("warm up")

    gc.collect()
    before = resident_mb()
    started = time.perf_counter()
    lexical = BM25Index.build(texts, analyzer, BM25Settings())
    build_s = time.perf_counter() - started
    gc.collect()
    lexical_mb = resident_mb() - before
    with tempfile.TemporaryDirectory() as folder:
        lexical.save(Path(folder) / "bm25")
        size_mb = sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file()) / 1e6
        started = time.perf_counter()
        BM25Index.load(Path(folder) / "bm25", analyzer).search(asked[0], K)
        reopen_s = time.perf_counter() - started
    dense = DenseIndex.build(vectors, np.arange(len(vectors)), len(vectors), MODEL, DenseSettings())
    gc.collect()
    grown = resident_mb() - before
    vector_mb = vectors.nbytes / 1e6
    print(f"{len(texts)} chunks, {text_mb:.0f} MB of text, {vector_mb:.0f} MB of vectors")
    print(f"BM25: build {build_s:.1f} s, {lexical_mb:.0f} MB, {size_mb:.0f} MB on disk")
    print(f"reopen and answer: {reopen_s:.3f} s = {reopen_s / build_s:.4f} x build")
    allowed = 2 * vector_mb + 2 * text_mb
    print(f"memory of both indexes: {grown:.0f} MB = {grown / allowed:.2f} x (2 vectors + 2 texts)")

    bare = faiss.IndexFlatIP(DIMENSION)
    bare.add(vectors)
    tokens = [analyzer.terms(text) for text in texts]
    theirs = bm25s.BM25(method="lucene", k1=1.2)
    theirs.index(tokens, show_progress=False)
    del tokens
    terms = [[t.term for t in lexical.terms(query) if t.frequency] for query in asked]

    def ours(i: int) -> None:
        lists = [
            RankedList("vector", "cosine", *dense.search(points[i], K), K, len(texts)),
            RankedList("bm25", "bm25", *lexical.search(asked[i], K), K, len(texts)),
        ]
        fuse(lists, FusionSettings(), K)

    median = interleaved(
        {
            "bare IndexFlatIP": lambda i: bare.search(points[i : i + 1], K),
            "bare bm25s": lambda i: theirs.retrieve([terms[i]], k=K, show_progress=False),
            "vector + BM25 + RRF": ours,
            "  vector": lambda i: dense.search(points[i], K),
            "  BM25": lambda i: lexical.search(asked[i], K),
        },
        range(options.queries),
        rounds=3,
    )
    for name, seconds in median.items():
        print(f"{name:20} {1e3 * seconds:8.3f} ms")
    base = median["bare IndexFlatIP"] + median["bare bm25s"]
    print(f"hybrid: {median['vector + BM25 + RRF'] / base:.2f} x bare FAISS plus bare bm25s")


if __name__ == "__main__":
    main()
