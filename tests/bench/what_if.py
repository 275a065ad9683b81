"""Turning a knob for 1,000 questions, against searching for them again.

    python tests/bench/what_if.py

A made corpus, questions of four words of a passage and one label each, a workspace in a temporary
folder; all through the workbench. "Searching again" is a run with another setting: questions
embedded by the static draft model, both lists of each, fused, kept, measured. Every turn is to a
value that was not asked for before. Medians of rounds: a search, then some turns, the first of
which reads the questions again, since a run was saved.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np

from ragdebug import Workbench
from ragdebug.settings import DRAFT_EMBEDDER

CHUNKING = "fixed:40/0:tokens:nolabel"
STRATEGY = f"hybrid@{CHUNKING}+model={DRAFT_EMBEDDER}"
TURNS = 10


def fill(wb: Workbench, folder: Path, questions: int, documents: int, needs: int) -> None:
    """Documents of made words, and questions about passages in them."""
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnoprstuvwy"))
    words = np.array(["".join(rng.choice(letters, 6)) for _ in range(8_000)])
    odds = 1 / np.arange(1, len(words) + 1)
    odds /= odds.sum()
    folder.mkdir()
    texts = []
    for at in range(documents):
        texts.append(" ".join(rng.choice(words, 300, p=odds)))
        (folder / f"{at:04}.txt").write_text(texts[-1], "utf-8")
    wb.ingest([folder])
    lines = []
    for at in range(questions):
        quotes = []
        for need in range(1 + at % needs):
            document = int(rng.integers(0, documents))
            text = texts[document]
            start = text.index(" ", int(rng.integers(0, len(text) - 200))) + 1
            quotes.append(text[start : start + 90].rsplit(" ", 1)[0])
            lines.append({"id": f"q{at}", "source": f"{document:04}.txt", "quote": quotes[-1],
                          "need": need + 1})  # fmt: skip
        asked = f"{' '.join(rng.permutation(quotes[0].split())[:4])} {at}"
        for line in lines[-len(quotes) :]:
            line["question"] = asked
    file = folder.parent / "questions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    wb.import_questions(file)
    wb.build(CHUNKING, DRAFT_EMBEDDER)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--needs", type=int, default=1, help="most needs a question")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, Workbench(Path(made) / "w") as wb:
        folder = Path(made) / "docs"
        fill(wb, folder, options.questions, options.documents, options.needs)
        values = count(1)

        def searched() -> None:
            (run,) = wb.evaluate([f"{STRATEGY}+rrf_k={next(values)}"]).runs
            wb.mean(run.id, "recall@5")

        def turned() -> None:
            wb.what_if(STRATEGY, {"rrf_k": next(values)})

        first = timed(turned)
        searched()
        searches, turns = [], []
        for _ in range(options.rounds):
            searches.append(timed(searched))
            turns += [timed(turned) for _ in range(TURNS)]
        again, turn = statistics.median(searches), statistics.median(turns)
        print(
            f"{options.questions} questions, {len(wb.chunk_table(CHUNKING)):,} chunks, up to "
            f"{options.needs} needs: searching again {again:.2f} s, turning a knob "
            f"{1e3 * turn:.1f} ms (at most {1e3 * max(turns):.0f}), ratio {again / turn:.0f}; the "
            f"first time {first:.1f} s"
        )


def timed(call: Callable[[], None]) -> float:
    """Seconds of one call."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
