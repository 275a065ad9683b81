"""Before a person agrees a searcher runs no code, asks no address and gets no key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import NotAgreed
from ragdebug.settings import SearcherSettings
from ragdebug.web import agreed
from tests.support.search_server import SearchServer
from tests.workbench.outside.searchers.conftest import TOPICS, column, http

CANARY = "canary-77af-0021-kkq"


def test_a_workspace_of_somebody_else_runs_no_code(
    wb: Workbench, module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark = tmp_path / "it ran"
    Path(f"{module}.py").write_text(f"open({str(mark)!r}, 'w')\ndef search(query): return []")
    made = SearcherSettings("prod", "python", target=f"{module}:search")
    wb.add_searcher(made)  # there, by them
    monkeypatch.setattr(agreed, "_here", {})  # here, by nobody
    (row,) = wb.searchers()
    assert (row.agreed, Path(row.would_run).name) == (False, f"{module}.py")
    one = column(wb, "the heron")
    assert "nobody here has agreed" in one.error
    assert f"{module}.py" in one.error
    assert "ragdebug searchers allow prod" in one.error_hint
    for ask in (
        lambda: wb.why(query="the heron", quote=TOPICS["heron"], strategy="searcher:prod"),
        lambda: wb.try_searcher("prod", "x"),
        lambda: wb.try_searcher(made, "x"),
        lambda: wb.evaluate(["searcher:prod"]),
    ):
        with pytest.raises(NotAgreed):
            ask()
    assert not mark.exists()
    wb.allow_searcher("prod", on_page=True)
    assert column(wb, "the heron").error == ""
    assert mark.exists()


def test_nor_does_it_send_a_query_or_a_key(
    wb: Workbench, server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", CANARY)
    wb.add_searcher(http(server))
    assert column(wb, "the heron", "searcher:far").error == ""
    # The same address, but now it would get a key: that is another question.
    wb.store.registered.put("searcher", "far", http(server, key_env="SOME_KEY").as_dict())
    server.asked.clear()
    one = column(wb, "the heron", "searcher:far")
    assert "SOME_KEY" in one.error and "Nothing was sent" in one.error
    assert server.asked == []


def test_who_starts_the_program_may_allow_all_code_or_none_by_click(
    wb: Workbench, prod: SearcherSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreed, "_here", {})
    monkeypatch.setenv("RAGDEBUG_ALLOW_CODE", "0")
    with pytest.raises(NotAgreed, match="RAGDEBUG_ALLOW_CODE=0"):
        wb.allow_searcher("prod", on_page=True)
    with pytest.raises(NotAgreed):
        wb.add_searcher(prod, on_page=True)
    far = SearcherSettings("far", "http", url="http://127.0.0.1:9/s", key_env="SOME_KEY")
    with pytest.raises(NotAgreed, match="Sending a key"):
        wb.add_searcher(far, on_page=True)
    wb.add_searcher(replace(far, key_env=""), on_page=True)
    monkeypatch.setenv("RAGDEBUG_ALLOW_CODE", "1")
    assert column(wb, "the heron").error == ""
    assert all(r.agreed for r in wb.searchers())


def test_no_key_is_left_anywhere(
    wb: Workbench,
    server: SearchServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setenv("SEARCH_KEY", CANARY)
    server.key = CANARY
    wb.add_searcher(http(server, headers=(("X-Api-Key", "${SEARCH_KEY}"),)), remember=True)
    trial = wb.try_searcher("far", "the heron")
    assert len(trial.hits) > 0
    server.plan = [None, (500, {"error": f"crashed with {CANARY}"})] * 3
    report = wb.evaluate(["searcher:far"])
    server.key = "another"
    said = [column(wb, "the crocus", "searcher:far").error, repr(trial), repr(report)]
    said += [*wb.results(report.runs[0].id).errors, caplog.text, *capsys.readouterr()]
    assert any("[key]" in s for s in said)
    wb.close()
    assert all(CANARY not in s for s in said)
    files = [f for f in tmp_path.rglob("*") if f.is_file()]
    assert any(f.name == agreed.FILE for f in files)
    assert [f for f in files if CANARY.encode() in f.read_bytes()] == []


@pytest.mark.parametrize("set_to", ["", "theirs"])
def test_a_module_is_looked_for_in_the_folder_set_else_where_it_was_agreed_to(
    wb: Workbench, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_to: str
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / f"{module}.py").write_text("def search(query): return ['From theirs.']", "utf-8")
    Path(f"{module}.py").write_text("def search(query): return ['From mine.']", "utf-8")
    wb.add_searcher(SearcherSettings("prod", "python", target=f"{module}:search"))  # in mine
    monkeypatch.setenv("RAGDEBUG_STARTED_IN", str(theirs))
    monkeypatch.chdir(tmp_path)
    if set_to:
        monkeypatch.setenv("RAGDEBUG_FOLDER", str(theirs))
    where = theirs if set_to else tmp_path / "mine"
    (row,) = wb.searchers()
    assert row.would_run == str(where / f"{module}.py")
    (hit,) = column(wb, "any").hits
    assert hit.chunk.text == f"From {where.name}."
