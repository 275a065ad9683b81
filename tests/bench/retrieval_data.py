"""What the retrieval benchmarks share: sets in BEIR layout, passages made of them, fair timing."""

from __future__ import annotations

import gzip
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Records of a JSONL file, which may be gzipped."""
    if not path.exists():
        path = path.with_name(path.name + ".gz")
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open()
    with opened as lines:
        return [json.loads(line) for line in lines if line.strip()]


def documents(folder: Path) -> tuple[list[str], list[str]]:
    """Ids and texts (title and text) of ``corpus.jsonl``."""
    records = read_lines(folder / "corpus.jsonl")
    texts = [f"{r.get('title', '')}\n{r['text']}".strip() for r in records]
    return [r["_id"] for r in records], texts


def queries(folder: Path) -> dict[str, str]:
    """Query texts by id."""
    return {r["_id"]: r["text"] for r in read_lines(folder / "queries.jsonl")}


def qrels(folder: Path) -> list[tuple[str, str, int]]:
    """(query, document, relevance) of ``qrels/test.tsv``."""
    lines = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [(q, d, int(r)) for q, d, r in (line.split("\t") for line in lines)]


def passages(texts: Sequence[str], count: int, words: int = 110) -> list[str]:
    """`count` overlapping passages of about `words` words, spread over all texts."""
    every = [text.split() for text in texts]
    step = max(1, sum(map(len, every)) // (count + len(every)))
    found = [
        " ".join(tokens[start : start + words])
        for tokens in every
        for start in range(0, max(1, len(tokens) - 1), step)
    ]
    return found[:count]


def interleaved(
    calls: dict[str, Callable[[Any], object]], inputs: Sequence[Any], rounds: int = 1
) -> dict[str, float]:
    """Median seconds of each call over all inputs, called in turn so that load hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for given in inputs:
            for name, call in calls.items():
                started = time.perf_counter()
                call(given)
                seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in seconds.items()}


def resident_mb() -> float:
    """Memory of this process that is in use and its own, in MB (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("RssAnon:")[1].split()[0]) / 1e3
