"""What evaluating thousands of questions by BM25 costs beside the searches themselves.

    python tests/bench/many_questions.py [--questions 2000]

The sample corpus and its questions with evidence, repeated with a word more, in a temporary
workspace. `Workbench.evaluate` (search, measures, store) against `BM25Index.search` of the same
questions to the same depth, in turns; seconds of this process's own work, since the machine may be
shared, as medians. The first evaluation reads and loads what later ones have at hand.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ragdebug import Workbench
from ragdebug.runs import DEPTH
from ragdebug.settings import BM25Settings, ChunkingSettings

DATA = Path(__file__).resolve().parents[2] / "data"
WORDS = "please today now again still really here customer machine office order month".split()
ROUNDS = 5


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=2_000)
    wanted: int = parser.parse_args().questions
    with tempfile.TemporaryDirectory() as made, Workbench(Path(made) / "w") as wb:
        wb.ingest([DATA / "sample"])
        file = Path(made) / "questions.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines(wanted)), "utf-8")
        wb.import_questions(file)
        first = timed(lambda: wb.evaluate(["bm25"]))
        queries = [q.text for q in wb.questions()]
        index = wb.indexes.bm25(wb.chunk_table(ChunkingSettings()), BM25Settings())

        def bare() -> None:
            for query in queries:
                index.search(query, DEPTH)

        spent = [(timed(bare), timed(lambda: wb.evaluate(["bm25"]))) for _ in range(ROUNDS)]
        searches, again = (statistics.median(some) for some in zip(*spent, strict=True))
        print(
            f"{len(queries):,} questions: evaluate {again:.2f} s (the first time {first:.2f} s), "
            f"the bare searches {searches:.2f} s, ratio {again / searches:.1f}"
        )


def lines(wanted: int) -> list[dict[str, object]]:
    """Lines of a question file: so many questions with evidence, each a little different."""
    given: dict[str, list[dict[str, object]]] = {}
    text = (DATA / "questions" / "questions.jsonl").read_text("utf-8")
    for line in map(json.loads, text.splitlines()):
        if line.get("quote"):
            given.setdefault(line["id"], []).append(line)
    made: list[dict[str, object]] = []
    for at in range(wanted):
        turn, which = divmod(at, len(given))
        more = f" {WORDS[turn % len(WORDS)]} {turn}" if turn else ""
        for line in list(given.values())[which]:
            asked = f"{line['question']}{more}"
            made.append({**line, "id": f"{line['id']}-{turn}", "question": asked})
    return made


def timed(call: Callable[[], object]) -> float:
    """Seconds of this process's work in one call, of all its threads."""
    started = time.process_time()
    call()
    return time.process_time() - started


if __name__ == "__main__":
    main()
