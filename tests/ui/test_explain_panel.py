"""The panel under the hits: what it says, what it computes, and what it leaves alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.errors import ModelError
from ragdebug.explain import BM25Explanation, Change, Entry, Ledger, Occlusion, Part, TermRow
from ragdebug.records import Chunk, Place
from ragdebug.settings import BM25Settings, FusionSettings, StrategySettings
from ragdebug.ui import workspaces
from ragdebug.ui.components import hit_board, sums, weighed
from ragdebug.ui.components.sums import Line
from ragdebug.ui.explain import bm25, fusion, reranker, weights, working
from ragdebug.ui.explain.asked import Asked, Subject, evidence_in
from ragdebug.workbench.explanations import (
    FusionExplanation,
    IndexedText,
    Reading,
    RerankExplanation,
)

ROOT = Path(__file__).resolve().parents[2]
APP, PAGE = ROOT / "app.py", "pages/3_Search.py"
LEXICAL = "bm25,bm25+k1=2"  # needs no model
TEXTS = {
    "refunds.md": "# Refunds\n\nMoney is paid back within thirty days of a cancelled order.",
    "boats.md": "# Boats\n\nA green boat lies at the pier and waits for the tide.",
    "tea.md": "# Tea\n\nGreen tea is brewed with water of eighty degrees.",
}

# On the page --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explain-panel")
    (folder / "docs").mkdir()
    for name, text in TEXTS.items():
        (folder / "docs" / name).write_text(text, "utf-8")
    with Workbench(folder / "workspace") as wb:
        wb.ingest([folder / "docs"])
    return folder / "workspace"


@pytest.fixture
def tables(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What the page gave to its small tables, by key."""
    drawn: dict[str, Any] = {}

    def board(columns: Sequence[Any], **_: Any) -> hit_board.BoardEvent:
        drawn["board"] = columns
        return hit_board.BoardEvent()

    def table(heads: Sequence[str], lines: Sequence[Line], *, key: str, **more: Any) -> None:
        drawn[key] = (list(heads), list(lines), more)

    monkeypatch.setattr(hit_board, "hit_board", board)
    monkeypatch.setattr(bm25, "sums", table)
    monkeypatch.setenv("RAGDEBUG_WORKSPACE", str(workspace))
    monkeypatch.chdir(ROOT)
    yield drawn
    workspaces._open.clear()


def page(drawn: dict[str, Any], **url: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=120).switch_page(PAGE)
    for key, value in url.items():
        test.query_params[key] = value
    for _ in range(200):
        test.run()
        assert not test.exception
        if drawn.get("board") and not any(c.pending for c in drawn["board"]):
            return test
        time.sleep(0.05)
    raise AssertionError("columns stay pending")


def chunk_id(workspace: Path, source: str) -> str:
    with Workbench(workspace) as wb:
        return wb.chunk_places(StrategySettings().chunking, wb.resolve(source).id)[0].id


def test_a_selected_hit_shows_its_terms_with_their_sum(
    tables: dict[str, Any], workspace: Path
) -> None:
    hit = chunk_id(workspace, "boats.md")
    page(tables, q="the green boats", columns=LEXICAL, hit=f"bm25:{hit}")
    heads, lines, more = tables["search_explain_bm25_0"]
    assert heads[0] == "word → term"
    assert [line.cells[:3] for line in lines] == [["green", "1", "2"], ["boats → boat", "3", "1"]]
    score = next(c.score for c in tables["board"][0].cards if c.id == hit)
    assert float(more["total"][-1]) == pytest.approx(score, abs=1e-4)
    assert sum(float(line.cells[-1]) for line in lines) == pytest.approx(score, abs=2e-4)
    assert max(line.share for line in lines) == 1.0
    assert "search_explain_bm25_1" not in tables


def test_the_kind_and_the_other_side_stand_in_the_link(
    tables: dict[str, Any], workspace: Path
) -> None:
    hybrid = {"columns": "hybrid,bm25", "model": "wordllama-l2-supercat-256"}
    hit = f"hybrid:{chunk_id(workspace, 'boats.md')}"
    test = page(tables, q="green boat", hit=hit, **hybrid)
    assert "why" not in test.query_params
    assert "search_explain_bm25_0" not in tables  # fusion comes first
    test.button_group(key="search_explain_kind").set_value("BM25").run()
    assert test.query_params["why"] == "bm25"
    assert "search_explain_bm25_0" in tables
    assert "search_explain_bm25_1" not in tables
    test.selectbox(key="search_explain_beside").set_value("#2").run()
    assert test.query_params["beside"] == "2"
    _, lines, _ = tables.pop("search_explain_bm25_1")
    # Who opens the link sees the same.
    link = {k: str(v) for k, v in test.query_params.items()}
    again = page(tables, **link)
    assert again.button_group(key="search_explain_kind").value == "BM25"
    assert again.selectbox(key="search_explain_beside").value == "#2"
    assert [x.cells for x in tables["search_explain_bm25_1"][1]] == [x.cells for x in lines]


def test_the_list_of_the_expected_passage_stands_in_the_link(
    tables: dict[str, Any], workspace: Path
) -> None:
    with Workbench(workspace) as wb:
        p = wb.find_quote("green tea is brewed")[0]
    ref = f"{p.document}@{p.version[:8]}:{p.start}-{p.end}"
    test = page(tables, q="green boat", columns=LEXICAL, expect=ref)
    assert "why_in" not in test.query_params
    first = tables["search_explain_bm25_0"][2]["total"]
    choice = test.button_group(key="search_explain_list")
    choice.set_value(choice.options[1]).run()
    second = tables["search_explain_bm25_0"][2]["total"]
    assert second != first
    link = {k: str(v) for k, v in test.query_params.items()}
    assert "why_in" in link
    page(tables, **link)
    assert tables["search_explain_bm25_0"][2]["total"] == second


def test_the_expected_passage_stands_beside_the_hit(
    tables: dict[str, Any], workspace: Path
) -> None:
    with Workbench(workspace) as wb:
        p = wb.find_quote("green tea is brewed")[0]
    ref = f"{p.document}@{p.version[:8]}:{p.start}-{p.end}"
    hit = chunk_id(workspace, "boats.md")
    test = page(tables, q="green boat", columns=LEXICAL, hit=f"bm25:{hit}", expect=ref)
    _, lines, _ = tables["search_explain_bm25_1"]
    assert [(line.cells[0], line.cells[1], line.quiet) for line in lines] == [
        ("green", "1", False),
        ("boat", "0", True),
    ]
    assert any("Expected passage" in m.value for m in test.markdown)
    assert any(c.value.startswith("Missing here") and "boat" in c.value for c in test.caption)


def test_an_expected_passage_is_explained_when_no_hit_is_selected(
    tables: dict[str, Any], workspace: Path
) -> None:
    with Workbench(workspace) as wb:
        p = wb.find_quote("Money is paid back")[0]
    ref = f"{p.document}@{p.version[:8]}:{p.start}-{p.end}"
    page(tables, q="green boat", columns=LEXICAL, expect=ref)
    _, lines, more = tables["search_explain_bm25_0"]
    assert [line.cells[1] for line in lines] == ["0", "0"]
    assert more["total"][-1] == "0.0000"
    assert "search_explain_bm25_1" in tables  # the last hit, to compare with


# Words --------------------------------------------------------------------------------------------


def test_what_the_chunk_lacks_is_named_with_what_became_of_the_word() -> None:
    rows = (
        TermRow("Boats", "boat", 2, 0, 7, 1.0, 0.0, 0.0),
        TermRow("zzz", "zzz", 1, 0, 0, 0.0, 0.0, 0.0),
        TermRow("tea", "tea", 1, 1, 7, 1.0, 0.5, 0.5),
    )
    made = BM25Explanation(0, BM25Settings(), rows, ("the",), 9, 9.0, 3, 1.0, 0.5)
    assert bm25.missing(made) == [
        "Missing here: Boats → boat ×2; zzz, which no chunk has.",
        "Not looked up (stop words): the.",
    ]


def entry(name: str, rank: int | None, far: int | None = None, known: bool = True) -> Entry:
    return Entry(name, "bm25", rank, None, 1.0, 0.0, 0.0, 50, far, known)


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (entry("bm25", None, 317), "Not within depth 50 of BM25: it stands at 317."),
        (entry("bm25", None), "holds no term of the query"),
        (entry("vector", None), "it is not indexed"),
        (entry("vector", None, known=False), "not known until its model is loaded"),
    ],
)
def test_a_list_without_the_chunk_says_why(one: Entry, said: str) -> None:
    assert said in fusion.absent(one)


def fused(*changes: Change, rank: int | None = 7) -> FusionExplanation:
    ledger = Ledger(0, FusionSettings(), (), 0.03, rank, 80)
    return FusionExplanation(ledger, 5, "top k", 0.03, 0.031, changes)


def test_the_changes_that_let_it_in_are_listed_with_those_that_do_not() -> None:
    (line,) = fusion.admission(
        fused(
            Change("rrf_k", "", 60, 12, 5),
            Change("weight", "bm25", 1.0, 1.35, 4),
            Change("depth", "", 50, None),
            Change("k", "", 5, 7, 7),
        )
    )
    assert "not in the first 5, 0.0010 short" in line
    assert "RRF k **60 → 12**: it would be #5" in line
    assert "weight of BM25 **1 → 1.35**: it would be #4" in line
    assert "depth of the lists: no value does" in line
    assert "hits shown **5 → 7**: it would be #7" in line


def test_where_no_change_of_the_ranking_helps_it_says_which_were_tried_and_what_does() -> None:
    none = (Change("rrf_k", "", 60, None), Change("weight", "bm25", 1, None),
            Change("weight", "vector", 1, None), Change("depth", "", 50, None))  # fmt: skip
    (line,) = fusion.admission(fused(*none, Change("k", "", 5, 7, 7)))
    assert "No change of RRF k, one weight or the depth lets it into the first 5; " in line
    assert line.endswith("showing 7 hits instead of 5 admits it.")
    (line,) = fusion.admission(fused(*none, Change("k", "", 5, None), rank=None))
    assert line.endswith("No change of RRF k, one weight or the depth lets it into the first 5.")
    assert fusion.admission(fused(rank=3)) == [":green[:material/check:] It is in the first 5."]


def reranked(**changes: Any) -> RerankExplanation:
    text = IndexedText("abc", ((0, 3),), ("sentence",), 0)
    made = RerankExplanation(
        0, "late-interaction", "maxsim", 12, 0.02, "rrf", 3, 0.5, "maxsim", 20, 3, text,
        Reading(3, 1, 254), Occlusion(0.5, (Part(0, 3, 0.1),), 1, 1),
    )  # fmt: skip
    return replace(made, **changes)


def test_the_reranker_says_where_it_put_the_chunk() -> None:
    assert "#12 before → **#3** after :green[▲9]" in reranker.movement(reranked())
    outside = reranked(after=None, before=41, would_be=2)
    assert "#41 before, not in the pool of 20; scored now, it would be **#2**" in (
        reranker.movement(outside)
    )


def subject(start: int, end: int, text: str) -> Subject:
    return Subject("#1", 0, Chunk("c", "d", "v", "a.md", start, end, f"Label\n{text}", text))


def test_evidence_beyond_the_window_is_called_hidden() -> None:
    text = "one two three"
    chosen = subject(100, 113, text)
    indexed = IndexedText(f"Label\n{text}", ((0, 6), (6, 19)), ("label", "sentence"), 6)
    asked = Asked("q", StrategySettings(), places=(Place("d", "v", "a.md", 108, 113, "three"),))
    assert evidence_in(asked, chosen, indexed) == [(14, 19)]
    assert "was never seen" in weights.hidden(asked, chosen, indexed, Reading(10, 9, 3))
    assert "The end of" in weights.hidden(asked, chosen, indexed, Reading(16, 9, 3))
    assert weights.hidden(asked, chosen, indexed, Reading(19, 9, 0)) == ""


# Beside the page ----------------------------------------------------------------------------------


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def test_work_shows_what_it_has_so_far_and_is_done_once(session: dict[str, Any]) -> None:
    go, calls = threading.Event(), []

    def steps() -> Iterator[int]:
        calls.append(1)
        yield 1
        go.wait(20)
        yield 2

    work = working.ask("a", steps)
    _until(lambda: work.latest == 1)
    assert not work.finished
    go.set()
    work.wait(20)
    assert (work.latest, work.finished, work.problem) == (2, True, None)
    assert working.ask("a", steps) is work
    assert calls == [1]


def test_work_that_nobody_looks_at_any_more_stops(session: dict[str, Any]) -> None:
    go, seen = threading.Event(), []

    def steps() -> Iterator[int]:
        for n in range(5):
            seen.append(n)
            yield n
            go.wait(20)

    work = working.ask("a", steps)
    _until(lambda: work.latest == 0)
    working.only({"b"})
    go.set()
    work.wait(20)
    assert len(seen) < 5
    assert working.ask("a", lambda: iter([9])) is not work


def test_a_model_that_is_not_there_is_said_not_raised(session: dict[str, Any]) -> None:
    def broken() -> Iterator[int]:
        raise ModelError("The model is away.")

    work = working.ask("a", broken)
    work.wait(20)
    assert isinstance(work.problem, ModelError)
    assert work.finished


def _until(true: Callable[[], bool]) -> None:
    for _ in range(2000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to pass")


# Components ---------------------------------------------------------------------------------------


def test_weights_are_sent_in_browser_positions_and_shares_of_the_scale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: dict[str, Any] = {}
    monkeypatch.setattr(weighed, "_render", lambda **given: sent.update(given))
    some = [(0, 2, 0.5), (2, 4, -4.0), (4, 5, None), (5, 6, -0.0002)]
    parts = [weighed.Weighed(*one) for one in some]
    weighed.weighed("💶a💶bcd", parts, key="k", scale=2.0, end=4, evidence=[(2, 3)])
    data = sent["data"]
    assert [(p["start"], p["end"], p["share"], p["said"]) for p in data["parts"]] == [
        (0, 3, 0.25, "+0.500"),
        (3, 6, -1.0, "-4.000"),
        (6, 7, None, ""),
        (7, 8, -0.0001, "+0.000"),  # never a minus before nothing
    ]
    assert (data["end"], data["evidence"]) == (6, [[3, 5, "evidence"]])
    assert not data["picking"]


def test_a_row_with_too_few_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells"):
        sums.sums(["a", "b"], [Line(["x"])], key="k")
