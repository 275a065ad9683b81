"""Somebody's own search measured: asked once a run, stopped, failing, many at a time."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled, NotAgreed, SearcherFailed
from ragdebug.settings import SearcherSettings
from ragdebug.web import agreed
from tests.support.search_server import SearchServer
from tests.workbench.outside.searchers.conftest import TOPICS, asked, http


def test_it_is_measured_like_any_other(wb: Workbench, prod: SearcherSettings, module: str) -> None:
    report = wb.evaluate(["searcher:prod", "bm25"])
    by_name = {r.strategy: r for r in report.runs}
    table = wb.measures(by_name["searcher:prod"].id)
    ids = {q.id: q.text for q in wb.questions()}
    found = {ids[q]: v for q, v in zip(table.questions, table.column("recall@1"), strict=True)}
    assert found == {f"tell me of the {n}": float(n != "basalt") for n in TOPICS}
    assert len(asked(module)) == len(TOPICS)
    assert {k for _, k, _ in asked(module)} == {20}
    results = wb.results(by_name["searcher:prod"].id)
    assert (results.seconds < 5).all()
    assert results.errors == ("",) * len(TOPICS)
    compared = wb.compare_runs(*(r.id for r in report.runs))
    assert compared


def test_each_run_asks_anew_and_its_traces_do_not(
    wb: Workbench, prod: SearcherSettings, module: str
) -> None:
    first = wb.evaluate(["searcher:prod"]).runs[0]
    second = wb.evaluate(["searcher:prod"]).runs[0]
    assert len(asked(module)) == 2 * len(TOPICS)
    assert first.fingerprint == second.fingerprint
    (lost,) = wb.lost_stages([second.id])
    assert len(lost.stages["delivered"]) == len(TOPICS) - 1
    assert len(lost.stages["not_retrieved"]) == 1
    assert len(asked(module)) == 2 * len(TOPICS)
    wb.add_searcher(SearcherSettings("prod", "python", target=f"{module}:search", depth=7))
    assert wb.evaluate(["searcher:prod"]).runs[0].fingerprint != first.fingerprint


def test_what_was_stopped_goes_on(
    wb: Workbench, prod: SearcherSettings, module: str, tmp_path: Path
) -> None:
    seen = []

    def stop(done: int, total: int, what: str) -> None:
        if what == "questions asked":
            seen.append((done, total))
            if done >= 3:
                raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        wb.evaluate(["searcher:prod"], progress=stop)
    before = len(asked(module))
    assert 3 <= before < len(TOPICS)
    assert {total for _, total in seen} == {len(TOPICS)}
    with Workbench(tmp_path / "workspace") as other:  # and by another process
        other.evaluate(["searcher:prod"])
    assert sorted(q for q, _, _ in asked(module)) == sorted(f"tell me of the {n}" for n in TOPICS)


def test_a_question_that_fails_is_recorded_as_failed(wb: Workbench, server: SearchServer) -> None:
    wb.add_searcher(http(server, retries=0))
    server.plan = [None, 500, None]
    run = wb.evaluate(["searcher:far"]).runs[0]
    table = wb.measures(run.id)
    ((_, message),) = table.errors
    assert "500: planned 500" in message
    results = wb.results(run.id)
    assert np.isnan(results.seconds).tolist() == [bool(e) for e in results.errors]
    server.asked.clear()
    wb.evaluate(["searcher:far"])
    assert len(server.asked) == len(TOPICS)


def test_one_that_only_fails_is_not_asked_to_the_end(wb: Workbench, server: SearchServer) -> None:
    wb.add_searcher(http(server, retries=0))
    server.plan = [500] * 20
    report = wb.evaluate(["bm25", "searcher:far"])
    assert len(report.runs) == 2
    assert len(server.asked) == 5
    errors = [e for e in wb.results(report.runs[1].id).errors if e]
    assert len(errors) == len(TOPICS)
    assert sum("Not asked: the first 5 questions failed" in e for e in errors) == 2


def test_many_are_asked_at_the_same_time_where_that_is_allowed(
    wb: Workbench, server: SearchServer
) -> None:
    wb.add_searcher(http(server, parallel=4))
    run = wb.evaluate(["searcher:far"]).runs[0]
    assert sorted(server.queries) == sorted(f"tell me of the {n}" for n in TOPICS)
    assert wb.measures(run.id).column("recall@5").all()


def test_looking_at_all_questions_asks_nobody(
    wb: Workbench, prod: SearcherSettings, module: str
) -> None:
    (lost,) = wb.lost_stages(["searcher:prod"])
    assert len(lost.failed) == len(TOPICS)
    assert "not asked only to look" in lost.failed[0][1]
    assert set(lost.parts["search_failed"]) == {q.id for q in wb.questions()}
    assert sum(lost.reasons.values()) == len(TOPICS)
    assert asked(module) == []
    wb.evaluate(["searcher:prod"])
    wb.lost_stages(["searcher:prod+k=3"])
    assert len(asked(module)) == len(TOPICS)


def test_searches_that_failed_in_a_run_are_counted_beside_the_stages(
    wb: Workbench, server: SearchServer
) -> None:
    wb.add_searcher(http(server, retries=0))
    server.plan = [None, 500, None, 503]
    (run,) = wb.evaluate(["searcher:far"]).runs
    (lost,) = wb.lost_stages([run.id])
    errors = dict(wb.measures(run.id).errors)
    assert (len(errors), lost.total) == (2, len(TOPICS) - 2)
    assert set(lost.parts["search_failed"]) == set(errors)
    assert lost.reasons == dict.fromkeys(errors.values(), 1)


def test_what_cannot_search_at_all_is_tried_once(
    wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def unreachable(*_: object) -> None:
        tried.append(1)
        raise SearcherFailed("Nobody answers there.")

    monkeypatch.setattr(wb, "_ready", unreachable)
    (lost,) = wb.lost_stages(["vector"])
    assert (len(tried), lost.total) == (1, 0)
    assert lost.reasons == {"Nobody answers there.": len(TOPICS)}


def test_a_strategy_that_was_removed_is_counted_as_failed(wb: Workbench) -> None:
    (lost,) = wb.lost_stages(["list:gone"])
    assert (lost.total, len(lost.failed)) == (0, len(TOPICS))


def test_a_plan_asks_nobody(wb: Workbench, prod: SearcherSettings, module: str) -> None:
    (planned,) = wb.plan_evaluation(["searcher:prod"])
    assert planned.questions == len(TOPICS)
    assert module not in sys.modules


def test_one_that_cannot_be_asked_stops_no_other(
    wb: Workbench, prod: SearcherSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreed, "_here", {})
    report = wb.evaluate(["bm25", "searcher:prod", "searcher:nobody"])
    assert [r.strategy for r in report.runs] == ["bm25@structure:220/40:tokens:label"]
    assert [name for name, _ in report.failed] == ["searcher:prod", "searcher:nobody"]
    with pytest.raises(NotAgreed):
        wb.evaluate(["searcher:prod"])
