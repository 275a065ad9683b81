"""What evaluating costs beside the work nobody can avoid.

    python tests/bench/evaluation.py DATA [--workspace DIR]

DATA is the set of Chroma's chunking report (472 questions). Vector, BM25 and hybrid over all
questions, with the index built: `Workbench.evaluate` (search, measures, one bulk insert a run)
against embedding the questions once, one matrix product and the bare bm25s queries. Both in turns,
medians of three rounds.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import bm25s
import numpy as np

from ragdebug import Workbench
from ragdebug.models import load_embedder
from ragdebug.settings import DEFAULT_EMBEDDER, BM25Settings, ChunkingSettings, DenseSettings

CHUNKING = "recursive:250/0:tokens:nolabel"
STRATEGIES = [f"{s}@{CHUNKING}" for s in ("vector", "bm25", "hybrid")]
ROUNDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--workspace", type=Path, default=None)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as fresh,
        Workbench(given.workspace or Path(fresh) / "workspace") as wb,
    ):
        wb.ingest([given.data / "docs"])
        wb.import_questions(given.data / "spans.jsonl")
        wb.build(CHUNKING, DEFAULT_EMBEDDER)
        measure(wb)


def measure(wb: Workbench) -> None:
    queries = [q.text for q in wb.questions()]
    table = wb.chunk_table(CHUNKING)
    texts = list(table.index_texts())
    dense = wb.indexes.dense(table, DEFAULT_EMBEDDER, DenseSettings())
    vectors = np.array([dense._vectors[i] for i in range(len(texts))], np.float32)
    analyzer = wb.indexes.analyzer(BM25Settings())
    bare = bm25s.BM25(method="lucene")
    bare.index([[t for t, _, _ in analyzer.spans(text)] for text in texts], show_progress=False)
    asked = [[t for t, _, _ in analyzer.spans(q)] for q in queries]
    embedder = load_embedder(DEFAULT_EMBEDDER)
    wb.evaluate(STRATEGIES)  # everything warm

    def unavoidable() -> None:
        embedded = embedder.embed_queries(queries)
        scores = embedded @ vectors.T
        np.argpartition(scores, -100, axis=1)
        for tokens in asked:
            bare.retrieve([tokens], k=100, show_progress=False)

    spent: dict[str, list[float]] = {"bare": [], "evaluate": []}
    for _ in range(ROUNDS):
        for name, call in (("bare", unavoidable), ("evaluate", lambda: wb.evaluate(STRATEGIES))):
            started = time.perf_counter()
            call()
            spent[name].append(time.perf_counter() - started)
    bare_s, ours_s = (statistics.median(spent[n]) for n in ("bare", "evaluate"))
    print(f"{len(queries)} questions, {len(texts)} chunks, {ChunkingSettings.parse(CHUNKING)}")
    print(f"bare     {bare_s:.2f} s: embedding, one matrix product, {len(queries)} bm25s queries")
    print(f"evaluate {ours_s:.2f} s: three strategies, measures and store")
    print(f"ratio    {ours_s / bare_s:.2f}")


if __name__ == "__main__":
    main()
