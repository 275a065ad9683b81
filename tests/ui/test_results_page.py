"""The Results page: what it says in every state, and that its numbers are the workbench's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.records import Place
from ragdebug.runs import Run
from ragdebug.settings import StrategySettings
from ragdebug.ui import workspaces
from ragdebug.ui.results import running
from ragdebug.workbench.evaluation.reports import EvaluationReport, PlannedRun

ROOT = Path(__file__).resolve().parents[2]
WORDS = (
    "kettle", "heron", "walnut", "copper", "lantern", "meadow", "anchor", "velvet", "pepper",
    "saddle", "violin", "harbour", "cactus", "magnet", "ribbon",
)  # fmt: skip
HOSTILE = "is **heron** :red[there] <b>now</b> $x$?"
ONE, TWO = "bm25", "bm25@fixed:30/0"


def document(word: str) -> str:
    """A page on one thing, with the fact about it in the middle."""
    other = "Nothing of importance stands in this sentence. " * 4
    return f"# {word.title()}\n\n{other}\n\nThe {word} costs {len(word)} euros.\n\n{other}"


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page uses, empty."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    yield workspaces._open(str(workspaces.default_path()))
    workspaces._open.clear()


@pytest.fixture
def with_documents(wb: Workbench) -> Workbench:
    """A page a word."""
    wb.ingest_files([(f"{w}.md", document(w).encode()) for w in WORDS])
    return wb


@pytest.fixture
def asked(with_documents: Workbench) -> Workbench:
    """A labelled question a word, one hostile, one not answerable, one not labelled."""
    wb = with_documents
    for word in WORDS:
        info = wb.resolve(f"{word}.md")
        text = wb.document(info.id).text
        fact = f"The {word} costs {len(word)} euros."
        start = text.index(fact)
        place = Place(
            info.id, info.version, info.source, start, start + len(fact), quote=fact
        )  # fmt: skip
        question = wb.add_question(
            HOSTILE if word == "heron" else f"what is the price of a {word}?",
            tags=["animal" if word == "heron" else "thing"],
        )
        wb.label(question.id, [place])
    wb.add_question("who painted the ceiling?", not_answerable=True)
    wb.add_question("and the walnut?")
    return wb


@pytest.fixture
def measured(asked: Workbench) -> Workbench:
    """Two finished runs, with different chunkings."""
    asked.evaluate([ONE])
    asked.evaluate([TWO], note="smaller chunks")
    return asked


@pytest.fixture
def page(wb: Workbench) -> Callable[..., AppTest]:
    """Open the page, with URL parameters if wanted."""

    def open_page(**params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.switch_page("pages/5_Results.py")
        for name, value in params.items():
            app.query_params[name] = value
        return checked(app.run())

    return open_page


def checked(app: AppTest) -> AppTest:
    """The app, when nothing went wrong in it."""
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    """All that stands on the page as text, less its escapes."""
    elements: list[Any] = [
        *app.markdown, *app.caption, *app.warning, *app.error, *app.info, *app.text
    ]  # fmt: skip
    return "\n".join(e.value.replace("\\", "").replace("\u2060", "") for e in elements)


def frame(app: AppTest, *columns: str) -> pd.DataFrame:
    """The first table with these columns."""
    for element in app.dataframe:
        if set(columns) <= set(element.value.columns):
            return element.value
    raise AssertionError([list(e.value.columns) for e in app.dataframe])


def labels(app: AppTest) -> set[str]:
    """Of all buttons."""
    return {b.label for b in app.button}


def press(app: AppTest, label: str) -> AppTest:
    """Press a button and run."""
    next(b for b in app.button if b.label == label).click()
    return checked(app.run())


def newest(wb: Workbench, strategy: str) -> Run:
    """The newest run of a strategy."""
    wanted = str(StrategySettings.parse(strategy).chunking)
    return next(r for r in wb.runs() if r.chunking == wanted)


# What is missing ----------------------------------------------------------------------------------


def test_without_documents_the_first_step_is_to_load_some(page: Callable[..., AppTest]) -> None:
    assert "Load the sample corpus" in labels(page())


def test_without_questions_the_way_to_some_is_shown(
    page: Callable[..., AppTest], with_documents: Workbench
) -> None:
    app = page()
    assert "No questions yet" in said(app)
    assert "Evaluate" not in labels(app)


def test_questions_without_labels_can_be_evaluated_but_not_measured(
    page: Callable[..., AppTest], with_documents: Workbench
) -> None:
    wb = with_documents
    wb.add_lines("where is the kettle?\nwhere is the heron?")
    assert "2 questions, none labelled." in said(page())
    wb.evaluate([ONE, TWO])
    app = page(view="Without labels")
    assert "No question of these runs is labelled" in said(app)
    report = wb.overlap_report(*(r.id for r in (newest(wb, ONE), newest(wb, TWO))))
    assert report.sentence in said(app)
    table = frame(app, "shared", "question")
    assert list(table["shared"]) == [r.shared for r in report.rows]


# Running ------------------------------------------------------------------------------------------


def test_a_run_is_there_when_its_job_is_done(
    page: Callable[..., AppTest], asked: Workbench
) -> None:
    app = page()
    next(p for p in app.button_group if p.key == "_results_presets").set_value(["bm25"])
    checked(app.run())
    assert "1 run on 17 questions, 15 of them labelled." in said(app)
    press(app, "Evaluate")
    for job in asked.jobs.list():
        assert asked.jobs.wait(job.id, 60).state == "done"
    assert [r.label for r in asked.runs()] == ["bm25 structure:220/40"]
    checked(app.run())
    assert len(app.get("plotly_chart")) == 1


def test_an_impossible_strategy_is_refused_with_the_reason(
    page: Callable[..., AppTest], asked: Workbench
) -> None:
    app = page()
    app.text_input(key="_results_more_strategies").set_value("hybrid+rrf=30")
    checked(app.run())
    assert "is not understood" in said(app)
    assert next(b for b in app.button if b.label == "Evaluate").disabled


def test_the_plan_is_shown_before_anything_runs(
    page: Callable[..., AppTest], asked: Workbench
) -> None:
    app = page()
    next(p for p in app.button_group if p.key == "_results_presets").set_value(["bm25"])
    checked(app.run())
    press(app, "Estimate first")
    for job in asked.jobs.list():
        asked.jobs.wait(job.id, 60)
    checked(app.run())
    table = frame(app, "passages to rerank")
    assert list(table["strategy"]) == ["bm25 structure:220/40"]
    assert list(table["questions"]) == [17]
    assert asked.runs() == []


def test_a_row_that_would_take_minutes_waits_for_a_yes_or_a_sample(
    page: Callable[..., AppTest], asked: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = StrategySettings.parse("reranked")
    planned = PlannedRun(strategy, 120, 2400, 600.0, waits=True)
    report = EvaluationReport((), (planned,))
    key = running.key([strategy], "thing", 0, False)
    job = asked.jobs.start(running.KIND, "Evaluate", lambda progress: report, key=key)
    asked.jobs.wait(job.id, 10)
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr(
        type(asked), "evaluate", lambda self, *a, **k: calls.append(k) or EvaluationReport(())
    )
    app = page()
    assert "2,400 passages for 120 questions would take about **10 min**" in said(app)
    press(app, "Run on a sample of 50")
    for started in asked.jobs.list():
        asked.jobs.wait(started.id, 10)
    assert [(c["slice"], c["sample"], c["yes"]) for c in calls] == [("thing", 50, False)]
    assert "would take about" not in said(checked(app.run()))


def test_a_stopped_run_can_be_gone_on_with_or_taken_out(
    page: Callable[..., AppTest], asked: Workbench
) -> None:
    asked.evaluate([ONE])
    done = asked.runs()[0]
    stopped = Run("feedc0de", "f" * 8, TWO, TWO, "", done.corpus, done.questions, asked=17)
    asked.store.runs.start(stopped)
    asked.store.runs.finish("feedc0de", "stopped", 0.1, {})
    app = page()
    assert "was stopped" in said(app)
    assert "Go on" in labels(app)
    app.button(key="results_drop_feedc0de").click()
    checked(app.run())
    assert "was stopped" not in said(app)
    assert [r.id for r in asked.runs()] == [done.id]


def test_with_nothing_but_a_stopped_run_there_is_a_table_and_no_chart(
    page: Callable[..., AppTest], asked: Workbench
) -> None:
    asked.store.runs.start(Run("feedc0de", "f" * 8, ONE, ONE, "", "c", "q", asked=17))
    asked.store.runs.finish("feedc0de", "stopped", 0.1, {})
    for view in ("Questions", "Not answerable", "Found by one only", "Without labels"):
        app = page(view=view)
        assert list(frame(app, "run", "recall@5")["recall@5"]) == ["–"]
        assert not app.get("plotly_chart")


def test_what_failed_is_said_until_it_is_closed(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    def fail(progress: Callable[..., None]) -> None:
        raise RuntimeError("<b>no</b> room")

    job = measured.jobs.start(running.KIND, "Evaluate", fail, key=running.key([ONE], "", 0, False))
    measured.jobs.wait(job.id, 10)
    app = page()
    assert "RuntimeError: <b>no</b> room" in said(app)
    app.button(key="results_failed_close").click()
    checked(app.run())
    assert "no</b> room" not in "\n".join(e.value for e in app.error)


# Numbers ------------------------------------------------------------------------------------------


def test_the_table_shows_the_means_with_intervals_of_the_workbench(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    table = frame(page(), "run", "recall@5")
    for _, row in table.iterrows():
        mean = measured.mean(row["run"], "recall@5")
        assert row["recall@5"] == f"{mean.mean:.2f} ({mean.low:.2f}–{mean.high:.2f})"
        assert row["n"] == 15
        assert "1 unlabelled, 1 not answerable" in row["remarks"]
    assert list(table["note"]) == ["smaller chunks", ""]
    assert set(table["chunking"]) == {"structure:220/40", "fixed:30/0"}


def test_another_share_is_measured_without_a_new_run(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    runs = measured.runs()
    app = page(share="0.5")
    table = frame(app, "run", "recall@5")
    for _, row in table.iterrows():
        assert row["recall@5"].startswith(f"{measured.mean(row['run'], 'recall@5', 0.5).mean:.2f} ")
    assert measured.runs() == runs


def test_precision_carries_a_warning_between_different_chunkings(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    assert "depends on chunk size" in said(page(measure="precision@5"))


def test_a_tag_narrows_every_number(page: Callable[..., AppTest], measured: Workbench) -> None:
    app = page(tag="animal")
    assert list(frame(app, "run", "recall@5")["n"]) == [1, 1]
    assert "no verdict: 1 question in common" in said(app)


def test_the_verdict_is_the_workbench_s(page: Callable[..., AppTest], measured: Workbench) -> None:
    one, two = newest(measured, ONE), newest(measured, TWO)
    app = page(base=one.id)
    compared = measured.compare_runs(two.id, one.id)
    assert compared.verdict in said(app)
    row = frame(app, "wins", "ties", "losses").iloc[0]
    assert (row["wins"], row["ties"], row["losses"]) == (
        compared.paired.wins, compared.paired.ties, compared.paired.losses
    )  # fmt: skip


def test_three_runs_are_tested_together(page: Callable[..., AppTest], measured: Workbench) -> None:
    measured.evaluate(["bm25+k1=0.1"])
    app = page()
    assert list(frame(app, "wins", "losses").columns).count("p (Holm)") == 1
    assert len(frame(app, "wins", "losses")) == 2


# Which runs ---------------------------------------------------------------------------------------


def test_the_newest_run_of_each_strategy_is_drawn_unless_the_link_names_others(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    measured.add_question("a new question", not_answerable=True)
    measured.evaluate([ONE])
    table = frame(page(), "run", "drawn")
    assert list(table["drawn"]) == [True, True, False]
    old = measured.runs()[-1].id
    table = frame(page(runs=old), "run", "drawn")
    assert list(table[table["drawn"]]["run"]) == [old]


def test_a_run_in_a_link_that_is_gone_is_named(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    assert "No longer here: 0badc0de" in said(page(runs="0badc0de"))


def test_runs_are_taken_out_and_put_back(page: Callable[..., AppTest], measured: Workbench) -> None:
    ids = [r.id for r in measured.runs()]
    app = page()
    app.button(key="results_take_out").click()
    checked(app.run())
    assert measured.runs() == []
    app.button(key="results_undo_button").click()
    checked(app.run())
    assert [r.id for r in measured.runs()] == ids


# Questions ----------------------------------------------------------------------------------------


def test_questions_stand_worst_first_and_literally(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    app = page()
    rows = measured.question_rows([r.id for r in measured.runs()])
    table = frame(app, "question", "tags", "id")
    assert list(table["id"]) == [r.question.id for r in rows]
    assert HOSTILE in list(table["question"])
    app.text_input(key="_results_find").set_value("animal")
    checked(app.run())
    assert list(frame(app, "question", "tags", "id")["question"]) == [HOSTILE]


def test_questions_are_narrowed_to_those_one_run_wins(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    one, two = newest(measured, ONE), newest(measured, TWO)
    compared = measured.compare_runs(two.id, one.id, "rr@10")
    assert compared.won or compared.lost
    which = "won" if compared.won else "lost"
    app = page(base=one.id, measure="rr@10")
    next(b for b in app.button_group if b.key == "_results_filter").set_value([which])
    checked(app.run())
    expected = compared.won if compared.won else compared.lost
    assert set(frame(app, "question", "tags", "id")["id"]) == set(expected)


# Other views --------------------------------------------------------------------------------------


def test_the_history_has_a_row_a_run(page: Callable[..., AppTest], measured: Workbench) -> None:
    app = page(view="History")
    table = frame(app, "made (UTC)", "strategy", "drop")
    assert set(table["run"]) == {r.id for r in measured.runs()}
    assert "beyond noise" in said(app)


def test_the_union_is_the_ceiling(page: Callable[..., AppTest], measured: Workbench) -> None:
    found = measured.unique_finds([r.id for r in measured.runs()])
    app = page(view="Found by one only")
    assert f"Together they find {found.union.mean:.2f}" in said(app)


def test_a_minimum_score_says_what_it_silences_on_both_sides(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    run = newest(measured, ONE).id
    app = page(view="Not answerable", runs=run)
    slider = next(s for s in app.slider if s.key == f"_results_minimum_{run}")
    scores = measured.top_scores(run)
    slider.set_value(len(scores.steps) - 1)
    checked(app.run())
    last = scores.steps[-1]
    assert f"silences **{last.not_answerable:,} of 1**" in said(app)
    assert f"**{last.answerable:,} of 15** that have an answer" in said(app)


def test_sql_is_answered_as_a_table_and_a_refusal_is_said(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    app = page(view="SQL")
    app.text_area(key="_results_sql").set_value("SELECT count(*) AS runs FROM run_list")
    app.button(key="results_sql_run").click()
    checked(app.run())
    assert list(frame(app, "runs")["runs"]) == [2]
    app.text_area(key="_results_sql").set_value("COPY runs TO '/tmp/x.csv'")
    app.button(key="results_sql_run").click()
    checked(app.run())
    assert len(app.error) == 1


def test_labels_that_came_from_a_strategy_s_list_are_told_beside_the_charts(
    page: Callable[..., AppTest], measured: Workbench
) -> None:
    assert "favours that strategy" not in said(page())
    question = next(q for q in measured.questions() if not q.needs and not q.not_answerable)
    place = measured.questions()[0].needs[0].labels[0].place
    measured.label(question.id, [place], origin="list bm25@structure:220/40")
    measured.evaluate([ONE])
    assert "Labels were taken over from results of bm25" in said(page())
