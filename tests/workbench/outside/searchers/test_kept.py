"""Searchers added, tried, taken out and brought back."""

from __future__ import annotations

import json

import pytest

from ragdebug import Workbench
from ragdebug.errors import NotBrought, SearcherFailed
from ragdebug.settings import SearcherSettings
from tests.support.search_server import SearchServer
from tests.workbench.outside.searchers.conftest import TOPICS, column, http


def test_searchers_are_listed_removed_and_brought_back(
    wb: Workbench, prod: SearcherSettings
) -> None:
    assert [r.settings for r in wb.searchers()] == [prod]
    assert wb.remove_searcher("searcher:prod")
    assert not wb.remove_searcher("prod")
    assert wb.searchers() == []
    assert [r.settings.name for r in wb.searchers(removed=True)] == ["prod"]
    with pytest.raises(NotBrought):
        wb.searcher("prod")
    assert wb.restore_searcher("prod")
    assert wb.searcher("searcher:prod") == prod


def test_settings_that_cannot_be_read_are_left_out(wb: Workbench, prod: SearcherSettings) -> None:
    bad = {**prod.as_dict(), "name": "bad", "kind": "http", "target": "", "url": "file:///etc"}
    wb.store.registered.put("searcher", "bad", bad)
    wb.store.registered.put("searcher", "worse", {"name": ["x"], "kind": 3})
    assert [r.settings.name for r in wb.searchers()] == ["prod"]
    assert column(wb, "the heron", "searcher:bad").error
    assert column(wb, "the heron", "searcher:worse").error


def test_a_trial_says_what_was_understood(wb: Workbench, server: SearchServer) -> None:
    made = http(server, url=f"{server.url}/elastic", name="new")
    wb.allow_searcher(made)
    trial = wb.try_searcher(made, "the heron", k=3)
    assert json.loads(trial.raw)["took"] == 3
    assert (trial.where, trial.fields["text"]) == ("hits.hits", "_source.body")
    (hit,) = (h for h in trial.hits if h.hit.piece.id == "heron")
    assert (hit.document, hit.placed) == ("heron.txt", True)
    assert wb.searchers() == []
    server.plan = [(200, {"answer": "see above"})]
    trial = wb.try_searcher(made, "the heron")
    assert "answer" in trial.problem and "see above" in trial.raw and trial.hits == ()
    server.plan = [500] * 5
    with pytest.raises(Exception, match="planned 500"):
        wb.try_searcher(made, "the heron")


def test_a_trial_of_code_that_cannot_be_loaded_says_why(wb: Workbench, module: str) -> None:
    made = SearcherSettings("x", "python", target=f"{module}:nothing")
    wb.allow_searcher(made)
    with pytest.raises(SearcherFailed, match="has no nothing"):
        wb.try_searcher(made, "q")


def test_purging_a_document_takes_its_answers_along(
    wb: Workbench, prod: SearcherSettings, module: str
) -> None:
    wb.evaluate(["searcher:prod"])
    with wb.store.cache.cursor() as cursor:
        assert cursor.execute("SELECT count(*) FROM answers").fetchone() == (len(TOPICS),)
    info = wb.resolve("heron.txt")
    wb.remove([info.id])
    wb.purge([info.id])
    with wb.store.cache.cursor() as cursor:
        assert cursor.execute("SELECT count(*) FROM answers").fetchone() == (0,)
