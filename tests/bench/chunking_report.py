"""Recall, precision and IoU of chunkings on the set of Chroma's chunking report.

    python tests/bench/chunking_report.py DATA [--workspace DIR] [--strategy vector,bm25,hybrid]

DATA holds ``docs/*.md`` and ``spans.jsonl``. Published (Smith and Troynikov: Evaluating Chunking
Strategies for Retrieval, 2024), vector search with all-MiniLM-L6-v2, five chunks, recall /
precision / IoU by characters in percent, each beside what is measured here. Sizes there are counted
by another tokenizer. All-MiniLM-L6-v2 embeds some 20 such chunks a second on two cores, so that a
first run takes most of an hour; with --workspace what is embedded and scored is kept for the next.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from ragdebug import Workbench

PUBLISHED = {
    "recursive:250/125:tokens:nolabel": (78.7, 4.9, 4.9),
    "recursive:250/0:tokens:nolabel": (78.5, 5.4, 5.4),
    "fixed:250/125:tokens:nolabel": (82.4, 3.6, 3.5),
    "fixed:200/0:tokens:nolabel": (76.6, 4.1, 4.0),
}
OURS = ("structure:220/40:tokens:nolabel", "structure:220/40:tokens:label")
NAMES = ("coverage@5", "precision@5", "iou@5", "recall@5", "recall@2000t", "tokens@5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--workspace", type=Path, default=None)
    parser.add_argument("--strategy", default="vector,bm25,hybrid,reranked")
    parser.add_argument("--chunking", action="append", default=[])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as fresh:
        report(given, given.workspace or Path(fresh) / "workspace")


def report(given: argparse.Namespace, workspace: Path) -> None:
    chunkings = given.chunking or [*PUBLISHED, *OURS]
    with Workbench(workspace) as wb:
        wb.ingest([given.data / "docs"])
        placed = wb.import_questions(given.data / "spans.jsonl")
        print(f"{len(wb.questions())} questions; {placed.placed} passages placed exactly\n")
        print(
            "| chunking | strategy | coverage@5 | precision@5 | IoU@5 | recall@5 | recall@2000t"
            " | tokens@5 | ms |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        for chunking in chunkings:
            wanted = [f"{s}@{chunking}" for s in given.strategy.split(",")]
            made = wb.evaluate(wanted, yes=True)
            for row in wb.run_rows([r.id for r in made.runs], NAMES):
                preset = row.run.label.split(" ")[0]
                cells = [interval(row.metrics[n], n) for n in NAMES]
                if preset == "vector" and chunking in PUBLISHED:
                    for at, value in enumerate(PUBLISHED[chunking]):
                        cells[at] += f" [{value}]"
                ms = "" if row.milliseconds is None else f"{row.milliseconds:,.1f}"
                print(f"| {chunking} | {preset} | {' | '.join(cells)} | {ms} |", flush=True)


def interval(value, name: str) -> str:
    if name.startswith("tokens"):
        return f"{value.mean:,.0f}"
    return f"{100 * value.mean:.1f} ({100 * value.low:.1f} to {100 * value.high:.1f})"


if __name__ == "__main__":
    main()
