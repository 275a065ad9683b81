"""Searchers as columns of the Search page: slow ones, broken ones, and nobody's."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.settings import SearcherSettings
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.components import hit_board
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search.results import Results, Wanted

ROOT = Path(__file__).resolve().parents[2]
APP, PAGE = ROOT / "app.py", "pages/3_Search.py"
BOAT = "A green boat lies at the pier and waits for the tide."
CODE = f"""
import threading
go_on = threading.Event()
broken = True

def slow(query):
    go_on.wait(60)
    return [{{"text": {BOAT!r}, "source": "boats.md", "score": 0.5}}]

def search(query):
    if broken:
        raise ConnectionError("no index")
    return [{{"text": {BOAT!r}, "source": "boats.md"}}]
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = f"their_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    monkeypatch.setenv("RAGDEBUG_FOLDER", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    before = list(sys.path)
    yield name
    sys.path[:] = before
    if name in sys.modules:
        sys.modules.pop(name).go_on.set()


class Board:
    """What the page gave to the board, run by run."""

    def __init__(self) -> None:
        self.columns: list[hit_board.Column] = []

    def __call__(self, columns: list[hit_board.Column], **options: Any) -> hit_board.BoardEvent:
        self.columns = columns
        return hit_board.BoardEvent()

    def __getitem__(self, name: str) -> hit_board.Column:
        return next(c for c in self.columns if c.name == name)


@pytest.fixture
def board(tmp_path: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    (tmp_path / "boats.md").write_text(f"# Boats\n\n{BOAT}")
    with Workbench(tmp_path / "workspace") as wb:
        wb.ingest([tmp_path / "boats.md"])
        for name in ("slow", "search"):
            wb.add_searcher(SearcherSettings(name, "python", target=f"{module}:{name}"))
    drawn = Board()
    monkeypatch.setattr(hit_board, "hit_board", drawn)
    monkeypatch.setattr(indexing, "offer", lambda *_: False)
    monkeypatch.setenv("RAGDEBUG_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.chdir(ROOT)
    yield drawn
    workspaces._open.clear()


def page(columns: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=120).switch_page(PAGE)
    test.query_params["q"] = "green boat"
    test.query_params["columns"] = columns
    test.run()
    assert not test.exception
    return test


def until(test: AppTest, board: Board, *names: str) -> None:
    """Run the page until these columns are there."""
    for _ in range(200):
        if not any(board[name].pending for name in names):
            return
        time.sleep(0.05)
        test.run()
    raise AssertionError([(c.name, c.pending) for c in board.columns])


def test_a_slow_one_fills_in_later_and_an_error_stays_in_its_column(
    board: Board, module: str
) -> None:
    test = page("searcher:slow,bm25,searcher:search,searcher:nobody")
    until(test, board, "bm25", "searcher:search", "searcher:nobody")
    assert board["searcher:slow"].pending == "asking slow …"
    assert len(board["bm25"].cards) == 1
    assert "ConnectionError: no index" in board["searcher:search"].error
    assert "no searcher nobody" in board["searcher:nobody"].error
    there = sys.modules[module]
    there.go_on.set()
    until(test, board, "searcher:slow")
    (card,) = board["searcher:slow"].cards
    assert BOAT in card.text
    # Searching again tries what failed once more.
    there.broken = False  # type: ignore[attr-defined]
    test.button(key="FormSubmitter:search_query-Search").click().run()
    until(test, board, "searcher:search")
    assert board["searcher:search"].error == ""
    assert len(board["searcher:search"].cards) == 1


def test_columns_of_other_systems_survive_a_link() -> None:
    text = "searcher:Prod search,bm25,list:run%2C 1+minimum=0.5,searcher:Prod search"
    specs = cols.check(text)
    assert [s.title for s in specs] == ["searcher:Prod search", "bm25", "list:run, 1",
                                        "searcher:Prod search"]  # fmt: skip
    assert cols.check(",".join(map(str, specs))) == specs
    assert cols.names(specs)[3] == "searcher:Prod search-2"


def test_what_waits_for_another_system_holds_up_nothing() -> None:
    kept, go_on = Results(), threading.Event()
    wanted = [
        Wanted("slow", lambda: go_on.wait(60), apart=True),
        Wanted("quick", lambda: 1),
    ]
    kept.want(wanted, at_once=True)
    assert kept.wait(["quick"], 30)
    assert kept.get("slow") is None
    kept.want(wanted[:1], at_once=True)  # it is asked once
    go_on.set()
    assert kept.wait(["slow"], 30)
