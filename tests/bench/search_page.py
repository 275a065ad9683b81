"""The Search page's answer against the bare `Workbench.search`, models warm, no reranking.

    python tests/bench/search_page.py WORKSPACE

The page runs as a whole in Streamlit's test harness, without a browser: from a new query to all
three lists (vector, BM25, hybrid) handed to the board. WORKSPACE is a folder with a built index,
such as the one that ``tests/bench/workspace.py --folder`` leaves.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from retrieval_data import interleaved
from streamlit.testing.v1 import AppTest

from ragdebug.settings import ChunkingSettings
from ragdebug.ui import workspaces
from ragdebug.ui.components import hit_board

ROOT = Path(__file__).resolve().parents[2]
LISTS = ("vector", "bm25", "hybrid")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--queries", type=int, default=20)
    options = parser.parse_args()
    os.environ["RAGDEBUG_WORKSPACE"] = str(options.workspace.resolve())
    os.chdir(ROOT)
    drawn: list[Any] = []

    def board(columns: list[Any], **_: Any) -> hit_board.BoardEvent:  # noqa: ANN401
        drawn[:] = columns
        return hit_board.BoardEvent()

    hit_board.hit_board = board  # type: ignore[assignment]
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    test.switch_page("pages/3_Search.py")
    test.query_params["columns"] = ",".join(LISTS)

    def page(query: str, pause_s: float = 0.005) -> None:
        test.query_params["q"] = f"{query} page"
        for _ in range(2000):
            test.run()
            if len(drawn) == 3 and not any(c.pending for c in drawn):
                return
            time.sleep(pause_s)
        raise SystemExit("the page never showed all lists")

    page("warm", 0.2)  # models load meanwhile
    wb = workspaces._open(os.environ["RAGDEBUG_WORKSPACE"])
    table = wb.chunk_table(ChunkingSettings())
    rows = np.random.default_rng(5).integers(0, len(table), options.queries)
    queries = [" ".join(table.index_text(int(r)).split()[20:27]) for r in rows]

    def bare(query: str) -> None:
        wb.search(f"{query} bare", LISTS, build=False, remember=False)

    bare("warm")
    medians = interleaved({"page": page, "bare": bare}, queries)
    print(f"{len(table):,} chunks")
    for name, seconds in medians.items():
        print(f"{name:>6}: {seconds * 1000:,.1f} ms")
    print(f"page / bare: {medians['page'] / medians['bare']:.2f} (<= 2)")


if __name__ == "__main__":
    main()
