"""The Search page without a browser: what is drawn first, what is computed, what a link holds."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting
from ragdebug.protocols import APPROXIMATE, Progress
from ragdebug.records import ResultList
from ragdebug.settings import StrategySettings
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.components import hit_board
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search.columns import ColumnSpec
from ragdebug.ui.search.results import Results, Wanted
from ragdebug.ui.search.terms import line as terms_line

ROOT = Path(__file__).resolve().parents[2]
APP, PAGE = ROOT / "app.py", "pages/3_Search.py"
LEXICAL = "bm25,bm25+k1=2"  # needs no model
TEXTS = {
    "refunds.md": "# Refunds\n\nMoney is paid back within thirty days of a cancelled order.",
    "boats.md": "# Boats\n\nA green boat lies at the pier and waits for the tide.",
    "tea.md": "# Tea\n\nGreen tea is brewed with water of eighty degrees.",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search-page")
    (folder / "docs").mkdir()
    for name, text in TEXTS.items():
        (folder / "docs" / name).write_text(text, "utf-8")
    with Workbench(folder / "workspace") as wb:
        wb.ingest([folder / "docs"])
        wb.tag([wb.resolve("boats.md").id], {"tenant": "acme"})
    return folder / "workspace"


class Board:
    """What the page gave to the board, run by run."""

    def __init__(self) -> None:
        self.columns: list[hit_board.Column] = []
        self.calls: dict[str, Any] = {}

    def __call__(self, columns: list[hit_board.Column], **options: Any) -> hit_board.BoardEvent:
        self.columns, self.calls = columns, options
        return hit_board.BoardEvent()

    def column(self, name: str) -> hit_board.Column:
        return next(c for c in self.columns if c.name == name)


@pytest.fixture
def board(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    drawn = Board()
    monkeypatch.setattr(hit_board, "hit_board", drawn)
    monkeypatch.setattr(indexing, "offer", lambda *_: False)  # no job starts by itself
    monkeypatch.setenv("RAGDEBUG_WORKSPACE", str(workspace))
    monkeypatch.chdir(ROOT)
    yield drawn
    workspaces._open.clear()


def page(**url: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=120).switch_page(PAGE)
    for key, value in url.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception
    return test


def filled(test: AppTest, drawn: Board) -> None:
    """Run the page until no column is pending."""
    for _ in range(200):
        if not any(c.pending for c in drawn.columns):
            return
        time.sleep(0.05)
        test.run()
    raise AssertionError([c.pending for c in drawn.columns])


COLD = """
import sys
from streamlit.testing.v1 import AppTest
from ragdebug.ui.components import hit_board

HEAVY = ("torch", "faiss", "transformers", "sentence_transformers")
seen = []

def draw(columns, **options):
    seen.append(([(c.name, len(c.cards)) for c in columns if not c.pending],
                 [m for m in HEAVY if m in sys.modules]))
    return hit_board.BoardEvent()

hit_board.hit_board = draw
test = AppTest.from_file({app!r}, default_timeout=120).switch_page("pages/3_Search.py")
test.query_params["q"] = "green boat"
for _ in range(40):  # a slow machine draws grey bars first
    test.run()
    assert not test.exception, test.exception
    if any(s[0] for s in seen):
        break
ready = [s for s in seen if s[0]]
assert ready[0] == ([("bm25", 2)], []), seen
import os; os._exit(0)
"""


def test_a_cold_start_shows_bm25_hits_before_any_model_library_is_imported(workspace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COLD.format(app=str(APP))],
        cwd=ROOT,
        env={"RAGDEBUG_WORKSPACE": str(workspace), "RAGDEBUG_OFFLINE": "1", "PATH": "",
             "PYTHONPATH": str(ROOT), "HOME": str(workspace.parent)},
        capture_output=True,
        text=True,
        timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def test_a_long_query_stays_whole(board: Board) -> None:
    query = "green " * 4000 + "boat"
    test = page(q=query, columns=LEXICAL)
    filled(test, board)
    assert test.text_input(key="q").value == query
    assert test.query_params["q"] in (query, [query])
    assert "boats.md" in board.column("bm25").cards[0].source


def test_late_columns_are_pending_then_filled_and_a_click_computes_nothing(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, calls = threading.Event(), []
    usual = Workbench.search_one

    def slow(self: Workbench, query: str, strategy: StrategySettings, **more: Any) -> ResultList:
        calls.append(strategy.preset)
        if strategy.uses_vectors:
            late.wait(30)
            strategy = StrategySettings(preset="bm25")
        return usual(self, query, strategy, **more)

    monkeypatch.setattr(Workbench, "search_one", slow)
    monkeypatch.setattr(Workbench, "indexed", lambda *_: 1.0)
    monkeypatch.setattr(Workbench, "models_missing", staticmethod(lambda _: ("a model",)))
    monkeypatch.setattr(Workbench, "load_models", staticmethod(lambda _: None))
    test = page(q="green boat")
    assert [c.name for c in board.columns if not c.pending] == ["bm25"]
    assert [card.source for card in board.column("bm25").cards] == ["boats.md", "tea.md"]
    assert board.column("vector").pending == "loading a model …"
    late.set()
    filled(test, board)
    assert sorted(calls) == ["bm25", "hybrid", "reranked", "vector"]
    pick = board.calls["on_pick"]
    assert pick is not None
    for _ in range(3):
        test.run()
    assert len(calls) == 4


def test_a_large_approximate_index_is_a_job_and_no_part_of_a_search(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, told, built, calls = threading.Event(), threading.Event(), threading.Event(), []
    usual = Workbench.search_one

    def build(self: Workbench, strategy: StrategySettings, progress: Progress) -> None:
        progress(4_096, 100_000, APPROXIMATE)
        told.set()
        go_on.wait(60)
        built.set()

    def quick(self: Workbench, query: str, strategy: StrategySettings, **more: Any) -> ResultList:
        calls.append(strategy.preset)
        return usual(self, query, StrategySettings(preset="bm25"), **more)

    monkeypatch.setattr(
        Workbench, "approximate_missing", lambda *_: 0 if built.is_set() else 100_000
    )
    monkeypatch.setattr(Workbench, "build_approximate", build)
    monkeypatch.setattr(Workbench, "search_one", quick)
    monkeypatch.setattr(Workbench, "indexed", lambda *_: 1.0)
    monkeypatch.setattr(Workbench, "models_missing", staticmethod(lambda _: ()))
    monkeypatch.setattr(Workbench, "load_models", staticmethod(lambda _: None))
    test = page(q="green boat", columns="bm25,vector+index=hnsw")
    for _ in range(200):  # first it is seen how much is indexed
        if told.is_set():
            break
        time.sleep(0.05)
        test.run()
    test.run()
    assert board.column("vector").pending == (
        "building the approximate index: 4,096 of 100,000 vectors …"
    )
    assert calls == ["bm25"]
    go_on.set()
    filled(test, board)
    assert calls == ["bm25", "vector"]


def test_a_link_restores_query_columns_filter_and_k(board: Board) -> None:
    test = page(
        q="green", k="1", filter="tenant=acme", columns="bm25+k1=2,bm25@fixed:30/0:chars+b=0"
    )
    filled(test, board)
    one, two = board.columns
    assert (one.name, one.title, list(one.chips)[0]) == ("bm25", "BM25", "k1 2")
    assert (two.name, two.title) == ("bm25-2", "BM25 2")
    assert two.chips[0].startswith("fixed:30/0:chars")
    assert [c.source for c in one.cards] == ["boats.md"]
    assert any("chunks allowed" in chip for chip in one.chips)


def test_an_impossible_link_falls_back_to_the_usual_columns(board: Board) -> None:
    test = page(q="green", columns="bm25,reranked+pool=abc")
    assert [c.name for c in board.columns] == ["vector", "bm25", "hybrid", "reranked"]
    assert any("cannot be used" in t.value for t in test.toast)


def test_the_expected_passage_stands_above_every_list(board: Board, workspace: Path) -> None:
    with Workbench(workspace) as wb:
        place = wb.find_quote("green tea is brewed")[0]
    ref = f"{place.document}@{place.version[:8]}:{place.start}-{place.end}"
    test = page(q="green boat", columns=LEXICAL, expect=ref, k="1")
    filled(test, board)
    assert board.columns[0].expected.startswith("expected #2 · ")
    assert "short of the last one shown" in board.columns[0].expected
    assert any("Held by 1 chunk" in c.value for c in test.caption)
    test.number_input(key="k").set_value(2).run()
    filled(test, board)
    card = board.columns[0].cards[1]
    assert (card.held, card.found) == (1.0, True)
    assert card.text[slice(*card.evidence[0])] == "Green tea is brewed"


def test_a_column_without_hits_says_why(board: Board) -> None:
    test = page(q="xylophone", columns=LEXICAL)
    filled(test, board)
    assert board.columns[0].empty == "No word of the query stands in any chunk."
    test = page(q="green", columns="bm25+minimum=99,bm25", filter="tenant=nobody")
    filled(test, board)
    assert board.columns[1].empty == "The filter lets no document through."
    test = page(q="green boat", columns="bm25+minimum=99,bm25")
    filled(test, board)
    assert board.columns[0].empty == "The minimum score 99 removed 2 hits."


def test_one_session_never_sees_the_query_of_another(board: Board) -> None:
    first = page(q="green boat", columns=LEXICAL)
    filled(first, board)
    board.columns = []
    second = page()
    everything = " ".join(
        str(getattr(e, "value", "")) + str(getattr(e, "label", ""))
        for kind in (second.markdown, second.caption, second.button, second.text_input)
        for e in kind
    )
    assert "boat" not in everything
    assert board.columns == []


def test_a_query_is_kept_with_the_settings_it_was_asked_with(board: Board, workspace: Path) -> None:
    test = page(q="tide", k="3", columns=LEXICAL)
    filled(test, board)
    test.run()
    workspaces._open.clear()
    with Workbench(workspace) as wb:
        newest = wb.history(1)[0]
    assert newest.query == "tide"
    strategies = [StrategySettings.parse(s) for s in newest.state["strategies"]]
    assert [(s.preset, s.k, s.bm25.k1) for s in strategies] == [("bm25", 3, 1.2), ("bm25", 3, 2.0)]


# Parts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "vector",
        "bm25+variant=okapi+b=0.5",
        "hybrid@fixed:200/0:tokens:label+weights=vector:2,bm25:1+rrf_k=30",
        "reranked+reranker=org/model+pool=40+blend=yes",
    ],
)
def test_the_text_form_of_a_column_is_an_identity(text: str) -> None:
    assert str(ColumnSpec.parse(text)) == text
    assert list(map(str, cols.check(f"{text},bm25"))) == [text, "bm25"]


def test_what_all_columns_share_is_never_a_columns_own() -> None:
    assert str(ColumnSpec.parse("bm25+k=9+filter=tenant=acme+b=0")) == "bm25+b=0"


@pytest.mark.parametrize("text", ["bm25", "x,bm25", "bm25,bm25+b=7", ",".join(["bm25"] * 7)])
def test_impossible_columns_are_refused(text: str) -> None:
    with pytest.raises(InvalidSetting):
        cols.check(text)


def test_a_pool_is_raised_when_k_is() -> None:
    base = StrategySettings(preset="vector", k=30)
    assert ColumnSpec("reranked", options={"pool": "10"}).strategy(base).rerank.pool == 30
    assert ColumnSpec("reranked").strategy(base).rerank.pool == 30


def test_columns_of_one_kind_have_their_own_names_and_colours() -> None:
    built = cols.build(cols.check("vector,vector+index=hnsw,bm25"), StrategySettings("vector"))
    assert [(c.name, c.short, c.colour) for c in built] == [
        ("vector", "Vector", 0),
        ("vector-2", "Vector 2", 4),
        ("bm25", "BM25", 1),
    ]
    assert built[1].chips == ("index hnsw",)


def test_the_untrained_reranker_is_named_and_another_is_offered() -> None:
    late, trained = cols.build(
        cols.check("reranked,reranked+reranker=org/model"), StrategySettings("vector")
    )
    assert (late.title, late.action) == (
        "Reranked: late interaction, untrained",
        "use a cross-encoder",
    )
    assert (trained.title, trained.action) == ("Reranked 2", "")


def test_terms_say_how_many_chunks_hold_them(workspace: Path) -> None:
    with Workbench(workspace) as wb:
        strategy = StrategySettings("bm25")
        terms = wb.query_terms("the green boats xylophone", strategy.chunking, strategy.bm25)
    text, marks = terms_line(terms)
    kinds = {text[m.start : m.end]: m.kind for m in marks}
    assert text == "the   green 2   boats → boat 1   xylophone → xylophon 0"
    assert kinds == {
        "the": "label",
        "green": "term",
        "boats → boat": "term",
        "xylophone → xylophon": "zero",
    }


def test_heavy_work_waits_for_the_page_and_light_work_does_not() -> None:
    results, made = Results(), []
    results.want(
        [
            Wanted("model", lambda: made.append("model"), heavy=True),
            Wanted("list", lambda: made.append("list")),
        ],
        at_once=False,
    )
    assert results.wait(["list"], 5)
    assert made == ["list"]
    results.release()
    assert results.wait(["model"], 5)
    assert made == ["list", "model"]


def test_what_fails_does_not_stop_the_rest() -> None:
    results = Results()
    results.want([Wanted("bad", lambda: 1 // 0), Wanted("good", lambda: "fine")], at_once=True)
    assert results.wait(["bad", "good"], 5)
    assert "ZeroDivisionError" in results.get("bad").value.message  # type: ignore[union-attr]
    assert results.get("good").value == "fine"  # type: ignore[union-attr]


def test_a_column_that_failed_is_compared_with_nothing(board: Board) -> None:
    test = page(q="green boat", columns="bm25,vector+model=/no/such/folder,bm25+k1=2")
    filled(test, board)
    test.run()
    assert [bool(c.error) for c in board.columns] == [False, True, False]
    card = board.columns[2].cards[0]
    assert [s.column for s in card.elsewhere] == ["bm25"]
    assert (card.movement, card.fresh) == (0, False)
    overlap = next(d.value for d in test.dataframe if "RBO" in d.value.columns)
    assert list(overlap["lists"]) == ["BM25 · BM25 2"]


def test_a_model_of_the_hub_is_fetched_once_a_person_agrees(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    searched: list[str] = []
    load = Workbench.load_models
    monkeypatch.setattr(
        Workbench, "fetch_model", staticmethod(lambda name, progress: fetched.append(name))
    )
    monkeypatch.setattr(
        Workbench,
        "load_models",
        staticmethod(lambda s: (searched.append(s.embedder), load(s))[1]),
    )
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(workspaces, "by_path_allowed", lambda: True)
    url = {"q": "green boat", "columns": "bm25,vector+model=org/none"}

    def buttons(test: AppTest) -> list[str]:
        return [b.label for b in test.button if b.label == "Fetch it from the hub"]

    offline = page(**url)
    filled(offline, board)
    assert "RAGDEBUG_OFFLINE" in board.column("vector").error
    assert buttons(offline) == []

    monkeypatch.setenv("RAGDEBUG_OFFLINE", "0")
    test = page(**url)
    filled(test, board)
    test.run()
    assert "not on this machine" in board.column("vector").error
    assert (buttons(test), fetched) == (["Fetch it from the hub"], [])
    before = searched.count("org/none")
    test.button(key="search_fetch_now_org/none").click().run()
    for _ in range(200):
        if searched.count("org/none") > before:
            break
        time.sleep(0.02)
        test.run()
    assert fetched == ["org/none"]
    assert searched.count("org/none") == before + 1  # what had failed is tried again, once

    monkeypatch.setattr(workspaces, "by_path_allowed", lambda: False)
    far = page(**url)
    filled(far, board)
    far.run()
    assert buttons(far) == []
    assert any("this computer alone" in c.value for c in far.caption)


def test_a_quote_can_be_looked_for_in_one_document_alone(board: Board, workspace: Path) -> None:
    test = page(q="green boat", columns=LEXICAL)
    filled(test, board)
    test.button(key="search_expect").click().run()
    test.text_area[0].set_value("and waits")
    test.selectbox(key="_expect_quote_document").select("tea.md")
    next(b for b in test.button if b.label == "Find it").click().run()
    assert any("nowhere in tea" in e.value for e in test.error)
    test.selectbox(key="_expect_quote_document").select("boats.md")
    next(b for b in test.button if b.label == "Find it").click().run()
    with Workbench(workspace) as wb:
        place = wb.find_quote("and waits")[0]
    assert f":{place.start}-{place.end}" in str(test.query_params["expect"])
