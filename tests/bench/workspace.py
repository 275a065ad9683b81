"""A whole workspace of 100,000 chunks: reopening it, searching it, and the memory it takes.

    python tests/bench/workspace.py [--chunks 100000] [--folder DIR]

Documents are made of made-up words by frequency, their vectors are random unit vectors of 384
dimensions, since embedding 100,000 texts takes hours on two cores. Reopening is measured in a new
process. A folder that is given is kept and used again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from retrieval_data import interleaved, resident_mb
from search_100k import make_texts, make_vectors, vocabulary

from ragdebug import Workbench
from ragdebug.model_files import info
from ragdebug.pipeline import run
from ragdebug.settings import DEFAULT_EMBEDDER, BM25Settings, ChunkingSettings, StrategySettings

CHUNKING = ChunkingSettings()
PARAGRAPHS = 50  # chunks a document


def make_documents(chunks: int) -> list[tuple[str, bytes]]:
    """Markdown files of 50 sections, each about one chunk."""
    rng = np.random.default_rng(7)
    words, weights = vocabulary(None)
    texts = make_texts(words, weights, chunks, rng)
    files = []
    for at in range(0, chunks, PARAGRAPHS):
        parts = [f"## Part {at + i}\n\n{t}." for i, t in enumerate(texts[at : at + PARAGRAPHS])]
        files.append((f"doc{at // PARAGRAPHS:05}.md", "\n\n".join(["# Made up", *parts]).encode()))
    return files


def fill(wb: Workbench, chunks: int) -> dict[str, float]:
    """Ingest, cut, index; seconds of each step."""
    seconds: dict[str, float] = {}

    def step(name: str, since: float) -> None:
        seconds[name] = time.perf_counter() - since
        print(f"  {name}: {seconds[name]:.1f} s", flush=True)

    start = time.perf_counter()
    wb.ingest_files(make_documents(chunks))
    step("ingest", start)
    start = time.perf_counter()
    table = wb.chunk_table(CHUNKING)
    step("cut", start)
    start = time.perf_counter()
    wb.indexes.bm25(table, BM25Settings())
    step("bm25", start)
    model = info(DEFAULT_EMBEDDER)
    hashes = list(dict.fromkeys(table.hashes()))
    vectors = make_vectors(len(hashes), np.random.default_rng(8))
    start = time.perf_counter()
    for at in range(0, len(hashes), 20_000):
        wb.store.vectors.put(model.fingerprint, hashes[at : at + 20_000], vectors[at : at + 20_000])
    step("keep vectors", start)
    start = time.perf_counter()
    wb.indexes.dense(table, DEFAULT_EMBEDDER, StrategySettings().dense)
    step("dense", start)
    return seconds


def reopened(folder: Path) -> dict[str, float]:
    """Measure a first answer, warm answers and memory in this, a new, process."""
    import bm25s
    import faiss

    result: dict[str, float] = {}
    before = resident_mb()
    start = time.perf_counter()
    with Workbench(folder) as wb:
        first = wb.search_one("bacedo fibolu gacite bab0 cec5", "bm25")
        result["first BM25 answer s"] = time.perf_counter() - start
        assert not first.error, first.error
        strategy = StrategySettings.parse("hybrid")
        table = wb.chunk_table(CHUNKING)
        vectors = make_vectors(50, np.random.default_rng(9))
        queries = make_queries(table.index_text, len(table))
        resources = wb._resources(strategy, lambda *_: None)
        resources.embed_query = lambda _, q: vectors[len(q) % 50]

        def hybrid(query: str) -> None:
            resources.memo.clear()
            run(query, strategy, resources)

        hybrid(queries[0])
        result["memory MB"] = resident_mb() - before
        texts = sum(len(t.encode()) for t in table.index_texts()) / 1e6
        result["vectors MB"] = len(table) * 384 * 4 / 1e6
        result["texts MB"] = texts
        bare = faiss.IndexFlatIP(384)
        bare.add(make_vectors(len(table), np.random.default_rng(8)))
        analyzer = wb.indexes.analyzer(BM25Settings())
        lexical = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        lexical.index([analyzer.terms(t) for t in table.index_texts()], show_progress=False)

        def bare_both(query: str) -> None:
            bare.search(vectors[len(query) % 50][None], 50)
            lexical.retrieve([analyzer.terms(query)], k=50, show_progress=False)

        medians = interleaved({"hybrid": hybrid, "bare": bare_both}, queries, rounds=2)
        result["hybrid ms"] = medians["hybrid"] * 1000
        result["bare ms"] = medians["bare"] * 1000
    return result


def make_queries(text_of: object, total: int) -> list[str]:
    """Nine words from the middle of forty chunks."""
    rows = np.random.default_rng(10).integers(0, total, 40)
    return [" ".join(text_of(int(r)).split()[20:29]) for r in rows]  # type: ignore[operator]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--reopen", action="store_true", help="used by the benchmark itself")
    options = parser.parse_args()
    if options.reopen:
        print(json.dumps(reopened(options.folder)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary) / "workspace"
        noted = folder / "bench.json"
        if not noted.exists():
            print(f"making {options.chunks:,} chunks")
            with Workbench(folder) as wb:
                seconds = fill(wb, options.chunks)
            noted.write_text(json.dumps(seconds), "utf-8")
        seconds = json.loads(noted.read_text("utf-8"))
        done = subprocess.run(
            [sys.executable, __file__, "--reopen", "--folder", str(folder)],
            check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent,
        )  # fmt: skip
        found = json.loads(done.stdout)
    for name, value in found.items():
        print(f"{name:>24}: {value:,.3f}")
    limit = 2 * found["vectors MB"] + 2 * found["texts MB"]
    print(f"reopen / BM25 build: {found['first BM25 answer s'] / seconds['bm25']:.3f} (<= 0.05)")
    print(f"hybrid / bare: {found['hybrid ms'] / found['bare ms']:.2f} (<= 1.5)")
    print(f"memory / (2 x vectors + 2 x texts): {found['memory MB'] / limit:.2f} (<= 1)")


if __name__ == "__main__":
    main()
