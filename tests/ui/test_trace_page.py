"""The Trace page: what it says of one question and of all, and that it is the workbench's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.questions import UNPLACED, Label, Need
from ragdebug.records import Place
from ragdebug.settings import SearcherSettings
from ragdebug.ui import workspaces
from ragdebug.ui.components import stages
from ragdebug.ui.search.expected import ref_of
from ragdebug.web import agreed
from ragdebug.workbench.tracing.sentences import sentence

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("kettle", "heron", "walnut", "copper", "lantern", "meadow", "anchor")
HOSTILE = "is **heron** :red[there] <b>now</b> $x$?"
DRAFT = "model=wordllama-l2-supercat-256"  # embeds in no time
BM25 = "bm25@structure:220/40:tokens:label+k=2"

Page = Callable[..., AppTest]


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page uses, empty."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    yield workspaces._open(str(workspaces.default_path()))
    workspaces._open.clear()


def fact(word: str) -> str:
    return f"The {word} costs {len(word)} euros."


@pytest.fixture
def asked(wb: Workbench) -> Workbench:
    """A document a word; a question that is found, one that is not, one of hostile words."""
    wb.ingest_files([(f"{w}.md", f"# {w}\n\n{fact(w)}".encode()) for w in WORDS])
    for text, word in (("what does the kettle cost", "kettle"), ("who flies", "walnut"),
                       (HOSTILE, "heron")):  # fmt: skip
        place = wb.find_quote(fact(word))[0]
        wb.add_question(text, [Need((Label(place),))], tags=[word])
    return wb


@pytest.fixture
def page(wb: Workbench) -> Page:
    """Open the page, with URL parameters if wanted."""

    def open_page(**params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.switch_page("pages/6_Trace.py")
        for name, value in params.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception, app.exception
        return app

    return open_page


def said(app: AppTest) -> str:
    """All that stands on the page as text, less its escapes."""
    elements: list[Any] = [
        *app.markdown, *app.caption, *app.warning, *app.error, *app.info, *app.text
    ]  # fmt: skip
    return "\n".join(e.value.replace("\\", "").replace("\u2060", "") for e in elements)


def one(wb: Workbench, text: str) -> str:
    """Id of a question."""
    return next(q.id for q in wb.questions() if q.text == text)


def test_without_documents_the_first_step_is_to_load_some(page: Page) -> None:
    assert "Load the sample corpus" in {b.label for b in page().button}


def test_without_evidence_the_ways_to_some_are_shown(page: Page, wb: Workbench) -> None:
    wb.ingest_files([("a.txt", b"One sentence.")])
    assert "Nothing to trace yet" in said(page())


@pytest.mark.parametrize("text", ["what does the kettle cost", "who flies"])
def test_the_page_says_what_the_workbench_says(
    page: Page, asked: Workbench, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = one(asked, text)
    report = asked.why(question, strategy=BM25)
    drawn: list[dict[str, str]] = []
    monkeypatch.setattr(stages, "_render", lambda data, **_: drawn.extend(data["steps"]))
    assert sentence(report) in said(page(question=question, strategy=BM25))
    assert [one["label"] for one in drawn] == [step.label for step in report.path]
    lost = [one["label"] for one in drawn if one["word"] == "lost here"]
    assert lost == [step.label for step in report.path if step.stage == report.stage != "delivered"]


def test_ranks_and_gaps_of_every_list_are_in_a_table(page: Page, asked: Workbench) -> None:
    question = one(asked, "what does the kettle cost")
    app = page(question=question, strategy=BM25)
    (chunk,) = asked.why(question, strategy=BM25).needs[0].places[0].chunks
    table = next(e.value for e in app.dataframe if "short of" in e.value.columns)
    assert table["short of"].tolist() == ["in"]
    assert table["list"].tolist() == ["BM25"]
    assert table["rank"].tolist() == [str(chunk.ranks["bm25"])]
    score = chunk.scores["bm25"]
    assert score is not None and table["score"].tolist() == [f"{score:.4g}"]


def test_what_is_not_admitted_is_so_much_short_of_a_last_one_that_is_named(
    page: Page, asked: Workbench
) -> None:
    place = asked.find_quote(fact("walnut"))[0]
    made = asked.add_question("what does the kettle cost in euros", [Need((Label(place),))])
    strategy = f"hybrid@structure:220/40:tokens:label+{DRAFT}+k=1+depth=2"
    report = asked.why(made.id, strategy=strategy)
    (chunk,) = report.needs[0].places[0].chunks
    app = page(question=made.id, strategy=strategy)
    table = next(e.value for e in app.dataframe if "short of" in e.value.columns)
    cells = dict(zip(table["list"], table["short of"], strict=True))
    for title, name in (("vector", "vector"), ("BM25", "bm25")):
        rank, gap = chunk.ranks[name], chunk.gap[name]
        assert rank is not None and gap is not None
        by = f"{gap:.4g}" if gap else "level"
        assert cells[title] == ("in" if rank <= 2 else f"{by} · last candidate (rank 2)")
    assert cells["fused"] == "\u2013" or cells["fused"].endswith(" · last shown (rank 1)")


def test_findings_of_the_wanted_document_come_first(page: Page, wb: Workbench) -> None:
    german = "Der Kessel kostet sechs Euro und steht in der Werkstatt neben der alten Tür."
    english = "The {} stands in the workshop beside the old door and is cleaned every week."
    wb.ingest_files(
        [(f"{w}.md", english.format(w).encode()) for w in WORDS]
        + [("kessel.md", german.encode()), ("copy.md", english.format("heron").encode())]
    )
    question = wb.add_question("wo steht der Kessel", [Need((Label(wb.find_quote(german)[0]),))])
    for _ in range(100):
        app = page(question=question.id, strategy="bm25@structure:220/40:tokens:label")
        line = next(c.value for c in app.caption if "Documents with the same text" in c.help)
        if line:
            break
    assert line.startswith("Its document: ")
    assert "Languages the analyzer does not know" in line.partition(" :gray[·] ")[0]


def test_it_says_what_ranks_are_over_and_how_many_chunks_there_are(
    page: Page, asked: Workbench
) -> None:
    made = asked.add_question("kettle", [Need((Label(asked.find_quote(fact("kettle"))[0]),))])
    app = page(question=made.id, strategy="bm25@fixed:2/0:chars:nolabel")
    (trace,) = asked.why(made.id, strategy="bm25@fixed:2/0:chars:nolabel").needs[0].places
    assert trace.total == len(trace.chunks) > 5
    assert f"{trace.total} chunks hold some of it" in said(app)
    assert f"{trace.total - 4} more hold as much of it or less." in said(app)
    assert "Ranks are over" in said(app)
    rest = "fixed:40/0:chars:nolabel+model=wordllama-l2-supercat-256+depth=7"
    asked.why(made.id, strategy=f"hybrid@{rest}")  # embeds
    hybrid = said(page(question=made.id, strategy=f"hybrid@{rest}"))
    assert "fused over what each of them gives in its first 7." in hybrid
    reranked = said(page(question=made.id, strategy=f"reranked@{rest}+reranker=identity+pool=6"))
    assert "reranked over the first 6 of fused." in reranked


def test_words_of_a_question_are_shown_as_they_are(page: Page, asked: Workbench) -> None:
    app = page(question=one(asked, HOSTILE), strategy=BM25)
    assert HOSTILE in next(s for s in app.selectbox if s.label == "Question").options[2]


def test_the_query_of_search_is_traced_with_what_it_expects(page: Page, asked: Workbench) -> None:
    place = asked.find_quote(fact("copper"))[0]
    app = page(q="how much is the walnut", expect=str(ref_of(place)), strategy=BM25)
    report = asked.why(query="how much is the walnut", places=[place], strategy=BM25)
    assert sentence(report) in said(app)
    assert "copper.md" in said(app)


def test_a_link_with_what_is_not_there_says_so(page: Page, asked: Workbench) -> None:
    app = page(question="zz", strategy=BM25)
    assert "No labelled question has the id zz." in said(app)


def test_all_questions_are_counted_with_their_stages(page: Page, asked: Workbench) -> None:
    (run,) = asked.evaluate([BM25]).runs
    app = page(question=one(asked, "who flies"), strategy=BM25)
    while "Click a part" not in said(app):  # counted beside the page
        assert "Following" in said(app)
        app.run()
    assert "Click a part to see its questions" in said(app)
    assert run.id in said(app)
    (lost,) = asked.lost_stages([run.id])
    data = next(e.value for e in app.dataframe if "stage" in e.value.columns)
    assert sorted(zip(data["question"], data["stage"], strict=True)) == sorted(
        (q, stage) for stage, ids in lost.stages.items() for q in ids
    )


def test_a_note_of_several_strategies_is_said_once_and_names_them(
    page: Page, asked: Workbench
) -> None:
    asked.evaluate([BM25, BM25.replace("k=2", "k=3")])
    asked.remove([asked.resolve("meadow.md").id])
    app = page(strategy=BM25)
    while "Click a part" not in said(app):
        app.run()
    assert said(app).count("The corpus has changed since the run.") == 1
    other = f"list:{'x' * 5}"
    app = page(strategy=other)
    while "Click a part" not in said(app):
        app.run()
    # All but the one that has no run, which cannot search at all.
    assert "3 searches failed" in said(app) and "search failed" in str(
        [e.value["stage"].tolist() for e in app.dataframe if "stage" in e.value.columns]
    ).replace("_", " ")


def test_a_searcher_that_nobody_agreed_to_has_its_way_there(
    page: Page, asked: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine in ("theirs", "mine"):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / machine))
        monkeypatch.setattr(agreed, "_here", {})
        if machine == "theirs":
            asked.add_searcher(SearcherSettings("far", "http", url="http://127.0.0.1:9/find"))
    app = page(question=one(asked, "who flies"), strategy="searcher:far")
    (link,) = (e for e in app.main if e.type == "page_link" and "Agree" in e.proto.label)
    assert link.proto.query_string.endswith("part=searchers")


def test_several_places_are_chosen_among(page: Page, asked: Workbench) -> None:
    places = [asked.find_quote(fact(w))[0] for w in ("anchor", "meadow")]
    made = asked.add_question("anchor", [Need((Label(p),)) for p in places])
    app = page(question=made.id, strategy=BM25)
    choice = next(s for s in app.selectbox if s.label == "What answers it")
    assert ["delivered" in o for o in choice.options] == [True, False]
    # The one that decides is open.
    assert choice.index == 1 and "meadow.md" in said(app)
    # The other one is a click away, in the link too.
    choice.select_index(0).run()
    assert "It is delivered: rank 1 of 2." in said(app)
    assert app.query_params["need"] in ("0", ["0"])


def test_a_need_that_is_not_measured_is_named_and_decides_nothing(
    page: Page, asked: Workbench
) -> None:
    nowhere = Place("", "", "kettle.md", -1, -1, "The kettle is free")
    made = asked.add_question(
        "kettle",
        [Need((Label(nowhere, UNPLACED),)), Need((Label(asked.find_quote(fact("kettle"))[0]),))],
    )
    app = page(question=made.id, strategy=BM25)
    choice = next(s for s in app.selectbox if s.label == "What answers it")
    assert ["not measured" in o for o in choice.options] == [True, False]
    assert choice.index == 1 and "It is delivered" in said(app)
    choice.select_index(0).run()
    assert "Not measured: its label stands nowhere." in said(app)
