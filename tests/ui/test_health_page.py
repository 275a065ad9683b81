"""The Health page and its line on Search, without a browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.settings import StrategySettings
from ragdebug.ui import workspaces
from ragdebug.ui.components import hit_board
from ragdebug.ui.health import index, links
from ragdebug.ui.search import columns
from ragdebug.workbench.health import CHECKS, IndexCheck, Where
from ragdebug.workbench.health.index_check import Costly

ROOT = Path(__file__).resolve().parents[2]
DRAFT = "wordllama-l2-supercat-256"
LEXICAL = "bm25,bm25+k1=2"  # needs no model
SHORT = "The ferry leaves the island at seven in the morning."
LONG = " ".join(f"wave{n} broke" for n in range(250))


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page uses, with a text twice and one beyond the window."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    opened = workspaces._open(str(workspaces.default_path()))
    opened.ingest_files(
        [("_ferry_.txt", SHORT.encode()), ("copy.txt", SHORT.encode()),
         ("long.txt", LONG.encode())]
    )  # fmt: skip
    yield opened
    workspaces._open.clear()


@pytest.fixture
def page(wb: Workbench) -> Callable[..., AppTest]:
    def open_page(name: str = "7_Health", **params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.switch_page(f"pages/{name}.py")
        for key, value in {"columns": LEXICAL, **params}.items():
            app.query_params[key] = value
        return checked(app.run())

    return open_page


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    """All that stands on the page as Markdown, less its escapes."""
    elements: list[Any] = [*app.markdown, *app.caption, *app.success, *app.error, *app.warning]
    return "\n".join(e.value.replace("\\", "").replace("\u2060", "") for e in elements)


def until(app: AppTest, text: str) -> AppTest:
    """Run the page until something stands on it."""
    for _ in range(100):
        if text in said(app):
            return app
        time.sleep(0.1)
        checked(app.run())
    raise AssertionError(said(app))


def places(app: AppTest) -> dict[str, str]:
    """Label of each page link -> the query it leads with."""
    found = [e for e in app.main if e.type == "page_link"]
    return {
        e.proto.label.replace("\\", "").replace("\u2060", ""): e.proto.query_string for e in found
    }


def test_the_button_names_the_chunking_of_a_link(page: Callable[..., AppTest]) -> None:
    app = page(chunker="fixed", size="100", overlap="0")
    (button,) = (b for b in app.main if "popover" in b.type)
    assert button.proto.popover.label.replace("\\", "") == "fixed 100/0"
    assert app.query_params["chunker"] in ("fixed", ["fixed"])
    app = until(app, "Nothing found")
    assert [e.value for e in app.subheader] == ["Index check"]


def test_findings_stand_under_how_bad_they_are_and_lead_to_the_place(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = until(page(), "Nothing found")
    text = said(app)
    assert "**Documents with the same text**" in text
    assert "1 document of 3 has the same text as another one." in text
    (finding,) = [f for f in wb.health(LEXICAL.split(",")) if f.code == "duplicate_documents"]
    assert finding.where[0].label == "copy.txt = _ferry_.txt"
    assert f"doc={finding.where[0].document}" in places(app)[finding.where[0].label]


def test_a_chunk_beyond_the_window_opens_on_chunks_with_its_chunking(
    page: Callable[..., AppTest], wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(
        st, "switch_page", lambda page, query_params: opened.append((page, query_params))
    )
    app = page(columns="vector@document,bm25")
    app = until(app, "Chunks beyond the model's window")
    # Only one of the two columns is touched.
    assert "vector document" in said(app)
    next(b for b in app.button if b.label.startswith("long")).click()
    checked(app.run())
    ((page_file, params),) = opened
    assert page_file == "pages/2_Chunks.py"
    assert params["doc"] == wb.resolve("long.txt").id
    assert params["chunk"].startswith(f"{params['doc']}.")
    # The chunking is the session's by now; in the URL it would be refused.
    assert app.session_state["chunker"] == "document"
    assert "chunker" not in params


def test_a_clean_workspace_says_what_was_looked_for(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.remove([wb.resolve("copy.txt").id, wb.resolve("long.txt").id])
    app = until(page(), f"None of the {len(CHECKS)} checks found anything")
    assert "Text in no chunk" in said(app)


def test_an_empty_workspace_shows_the_first_steps(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.remove([d.id for d in wb.documents()])
    assert "Load documents" in said(page())


def test_without_vectors_there_is_no_index_to_check(page: Callable[..., AppTest]) -> None:
    until(page(), "None of the columns of Search uses vectors.")


@pytest.mark.model
def test_the_index_is_compared_when_asked_and_again_when_a_slider_moves(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.build("structure:220/40", DRAFT)
    app = page(columns="vector,bm25", model=DRAFT, hnsw_m="8", ef_search="16")
    assert not app.metric
    app.button(key="health_compare").click()
    checked(app.run())
    app = until(app, "never keeps fewer than 36")
    assert [m.label for m in app.metric][:3] == [f"Recall at {k}" for k in (5, 10, 20)]
    assert [m.value for m in app.metric][:3] == ["100.0%"] * 3
    assert "There are no questions, so chunks ask for themselves" in said(app)
    next(s for s in app.slider if s.label == "efSearch").set_value(64)
    checked(app.run())
    until(app, "on 7 chunks")
    assert "never keeps fewer" not in said(app)
    assert app.query_params["hnsw_m"] == "8"


def test_a_query_that_hnsw_answers_otherwise_is_linked_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    linked: list[str] = []
    monkeypatch.setattr(
        index.st, "page_link", lambda *_, **x: linked.append(x["query_params"]["q"])
    )
    query = "what does the ferry cost " * 90
    costs = (Costly("", query, 0.8, 0),)
    check = IndexCheck("vector", 9, "chunk texts", 1, 1, 8, 16, 16, {}, 1, 1, 0, 0, 5, costs)
    index._costs(check, StrategySettings("vector"))
    assert linked == [query]


# The line on Search -------------------------------------------------------------------------------


def test_search_tells_what_touches_its_lists(
    page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hit_board, "hit_board", lambda *_, **__: hit_board.BoardEvent())
    app = page("3_Search", q="ferry", columns="bm25,bm25+minimum=99")
    app = until(app, "A minimum score that removes everything")
    assert "in BM25 2" in said(app)
    app = until(app, "2 more")  # what does not fit on the line is told when it is pointed at
    assert any("Documents with the same text" in (c.proto.help or "") for c in app.caption)


# Links --------------------------------------------------------------------------------------------


def test_a_place_on_search_shows_the_strategy_with_and_without_its_minimum() -> None:
    one = StrategySettings.parse(f"hybrid@fixed:200/0+minimum=0.5+model={DRAFT}")
    specs = columns.check(links.beside(str(one)))
    assert [s.strategy(StrategySettings("vector")) for s in specs] == [
        one, StrategySettings.parse(f"hybrid@fixed:200/0+model={DRAFT}"),
    ]  # fmt: skip


def test_a_chunking_is_written_as_the_widgets_have_it() -> None:
    found = links.params(
        Where("chunks", "x", "d", 3, chunking="recursive:800/1s:chars:nolabel", model="m")
    )
    assert found == {
        "doc": "d", "at": "3", "chunker": "recursive", "size": "800", "overlap": "1",
        "unit": "chars", "overlap_unit": "sentences", "label": "false", "model": "m",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["corpus", "chunks", "search", "results"])
def test_every_page_a_finding_names_exists(name: str) -> None:
    assert (ROOT / links._PAGES[name]).is_file()
    assert links._ICONS[name]
    assert (ROOT / links.HEALTH).is_file()
    assert Where(name, "x").page == name
