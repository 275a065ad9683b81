"""Embedding into a workspace against a bare encode of the same distinct texts.

    python tests/bench/embedding.py DATA/scifact

DATA/scifact is a set in BEIR layout. Both embed the same passages, half of which are given twice to
the workspace, in turn, so that load from elsewhere hits both alike. Prints seconds and the ratios
"build / bare encode" and "build again / build".
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from retrieval_data import documents, passages
from sentence_transformers import SentenceTransformer

from ragdebug.embed import embed_missing, plan, text_hash
from ragdebug.model_files import locate
from ragdebug.models import load_embedder
from ragdebug.settings import DEFAULT_EMBEDDER, DRAFT_EMBEDDER
from ragdebug.store.workspace import Store


def timed(work: object) -> float:
    """Seconds a call takes."""
    started = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - started


def bare_model(name: str) -> SentenceTransformer:
    """The library's own model of the same files."""
    if name == DRAFT_EMBEDDER:
        return load_embedder(name)._model  # type: ignore[attr-defined]
    return SentenceTransformer(str(locate(name).folder), device="cpu", local_files_only=True)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--texts", type=int, default=192, help="distinct texts a round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--model", default=DEFAULT_EMBEDDER)
    options = parser.parse_args()

    # Lengths as chunks have them: from a sentence to a full window.
    source = documents(options.data)[1]
    texts = [
        text[: 120 + (i * 377) % 900]
        for i, text in enumerate(passages(source, options.texts * options.rounds, words=160))
    ]
    bare, ours = bare_model(options.model), load_embedder(options.model)
    bare.encode(texts[:8])
    ours.embed_passages(texts[:8])
    chars = sum(map(len, texts)) / len(texts)
    print(f"{options.model}: {options.rounds} rounds of {options.texts} texts, {chars:.0f} chars")

    spent = {"bare encode": 0.0, "build": 0.0, "in the model": 0.0, "build again": 0.0, "plan": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        cache = Store(folder).vectors
        cache.known("nobody", ["0" * 32])  # opens the database
        for start in range(0, len(texts), options.texts):
            distinct = list(dict.fromkeys(texts[start : start + options.texts]))
            given = distinct + distinct[::2]

            def build(given: list[str] = given) -> None:
                stats = embed_missing(given, ours, cache)
                spent["in the model"] += stats.model_s

            def encode(distinct: list[str] = distinct) -> None:
                bare.encode(distinct, show_progress_bar=False)

            calls = {"bare encode": encode, "build": build}
            if start // options.texts % 2:
                calls = dict(reversed(calls.items()))
            for name, call in calls.items():
                spent[name] += timed(call)
            spent["build again"] += timed(build)
            hashes = [text_hash(text) for text in given]
            spent["plan"] += timed(lambda hashes=hashes: plan(hashes, ours.info, cache))
    for name, seconds in spent.items():
        print(f"{name:14} {seconds:8.3f} s  {len(texts) / max(seconds, 1e-9):10,.0f} texts/s")
    print(f"build / bare encode  {spent['build'] / spent['bare encode']:.3f}  (at most 1.10)")
    print(f"build again / build  {spent['build again'] / spent['build']:.4f}  (at most 0.02)")


if __name__ == "__main__":
    main()
