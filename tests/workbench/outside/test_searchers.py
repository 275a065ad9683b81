"""Somebody's own search as a column and a strategy: searched, measured, traced, compared."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled, NotAgreed, NotBrought, SearcherFailed
from ragdebug.questions import Label, Need
from ragdebug.records import ResultList
from ragdebug.settings import SearcherSettings
from ragdebug.web import agreed, client
from tests.support.search_server import SearchServer

CANARY = "canary-77af-0021-kkq"
TOPICS = {
    "heron": "The heron stands in shallow water and waits for fish.",
    "copper": "Copper pipes turn green where the rain runs over them.",
    "violin": "The violin has four strings tuned in fifths.",
    "glacier": "A glacier moves a few metres every year.",
    "saffron": "Saffron is picked by hand from a purple crocus.",
    "compass": "A compass needle points to the magnetic north.",
    "basalt": "Basalt cools into columns with six sides.",
}

# The search that is tested, as a person would write it; it misses one of the topics.
CODE = """
TOPICS = {topics!r}
asked = []

def search(query, k=10, filter=None):
    asked.append((query, k, filter))
    if "boom" in query:
        raise LookupError("no index for " + query)
    words = set(query.lower().split())
    hits = [{{"text": text, "source": name + ".txt", "score": 1.0}}
            for name, text in TOPICS.items() if name in words and name != "basalt"]
    hits.append({{"text": "Made up by the engine.", "source": "elsewhere.md", "score": 0.1}})
    return hits[:k]
"""


@pytest.fixture(autouse=True)
def nobody_agreed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(agreed, "_here", {})
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one document a topic, and a question about each."""
    folder = tmp_path_factory.mktemp("made")
    for name, text in TOPICS.items():
        (folder / f"{name}.txt").write_text(f"{text}\n", "utf-8")
    with Workbench(folder / "workspace") as opened:
        opened.ingest(sorted(folder.glob("*.txt")))
        for name, text in TOPICS.items():
            place = opened.find_quote(text)[0]
            opened.add_question(f"tell me of the {name}", [Need((Label(place, origin="marked"),))])
    return folder / "workspace"


@pytest.fixture
def wb(tmp_path: Path, made: Path) -> Iterator[Workbench]:
    shutil.copytree(made, tmp_path / "workspace")
    with Workbench(tmp_path / "workspace") as opened:
        yield opened


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of the person's, in their working folder."""
    folder = tmp_path / "mine"
    folder.mkdir()
    name = f"mine_{tmp_path.name}".replace("-", "_")
    (folder / f"{name}.py").write_text(CODE.format(topics=TOPICS), "utf-8")
    monkeypatch.chdir(folder)
    before = list(sys.path)
    yield name
    sys.path[:] = before
    sys.modules.pop(name, None)


def asked(module: str) -> list[Any]:
    return list(sys.modules[module].asked)  # type: ignore[attr-defined]


@pytest.fixture
def prod(wb: Workbench, module: str) -> SearcherSettings:
    made = SearcherSettings("prod", "python", target=f"{module}:search", timeout_s=20)
    wb.add_searcher(made)
    return made


@pytest.fixture
def server() -> Iterator[SearchServer]:
    server = SearchServer([(name, f"{name}.txt", text) for name, text in TOPICS.items()])
    server.start()
    yield server
    server.stop()


def http(server: SearchServer, **more: Any) -> SearcherSettings:
    made: dict[str, Any] = {"name": "far", "kind": "http", "url": f"{server.url}/search"}
    return SearcherSettings(**{**made, "timeout_s": 10, **more})


def column(wb: Workbench, query: str, strategy: str = "searcher:prod", **more: Any) -> ResultList:
    (made,) = wb.search(query, [strategy], **more).lists.values()
    return made


# Search -------------------------------------------------------------------------------------------


def test_its_hits_are_a_column_beside_the_others(wb: Workbench, prod: SearcherSettings) -> None:
    lists = wb.search("what of the heron and copper", ["bm25", "searcher:prod"]).lists
    assert list(lists) == ["bm25", "searcher:prod"]
    one = lists["searcher:prod"]
    assert [h.chunk.text for h in one.hits] == [
        TOPICS["heron"], TOPICS["copper"], "Made up by the engine."
    ]  # fmt: skip
    assert [h.chunk.source for h in one.hits] == ["heron.txt", "copper.txt", "elsewhere.md"]
    assert (one.hits[0].chunk.start, one.hits[0].chunk.end) == (0, len(TOPICS["heron"]))
    assert [h.score for h in one.hits] == [1.0, 1.0, 0.1]
    assert "3 of 5 wanted hits came" in one.notes
    assert "1 of 3 not placed" in one.notes


def test_halves_of_characters_are_no_harm(wb: Workbench, server: SearchServer) -> None:
    wb.add_searcher(http(server))
    half = {"text": "a \ud800 b", "id": "\udfff", "source": "\ud83d", "n": "\ud800"}
    server.plan = [(200, json.dumps({"hits": [half]}).encode())] * 2
    wb.try_searcher("far", "q", 5).raw.encode()
    one = column(wb, "q", "searcher:far")
    assert not one.error
    (hit,) = one.hits
    assert hit.chunk.text == "a \ufffd b"
    wb.paste_list("\ud800", json.dumps([half]), "half")
    assert [h.chunk.text for h in column(wb, "\ufffd", "list:half").hits] == ["a \ufffd b"]


def test_an_error_stays_in_its_column(wb: Workbench, prod: SearcherSettings) -> None:
    lists = wb.search("boom heron", ["searcher:prod", "searcher:nobody", "bm25"]).lists
    assert "LookupError: no index for boom heron" in lists["searcher:prod"].error
    assert "line 8" in lists["searcher:prod"].error
    assert "no searcher nobody" in lists["searcher:nobody"].error
    assert lists["searcher:nobody"].error_hint == "There are: prod."
    assert [h.chunk.source for h in lists["bm25"].hits] == ["heron.txt"]


def test_it_is_asked_once_for_search_trace_and_another_k(
    wb: Workbench, prod: SearcherSettings, module: str
) -> None:
    query = "tell me of the heron"
    one, two = column(wb, query), column(wb, query, "searcher:prod+k=1")
    assert (len(one.hits), len(two.hits)) == (2, 1)
    report = wb.why(query=query, quote=TOPICS["heron"], strategy="searcher:prod")
    assert report.stage == "delivered"
    assert asked(module) == [(query, 20, None)]
    column(wb, query, "searcher:prod+k=30")  # deeper than it was asked
    assert asked(module)[1:] == [(query, 30, None)]


def test_it_has_the_last_word_on_a_filter_it_is_told(
    wb: Workbench, prod: SearcherSettings, module: str
) -> None:
    one = column(wb, "the heron", filter=[("tenant", "acme")])
    assert asked(module) == [("the heron", 20, {"tenant": "acme"})]
    assert [h.chunk.source for h in one.hits] == ["heron.txt", "elsewhere.md"]


def test_without_a_filter_of_its_own_it_is_filtered_here(wb: Workbench, module: str) -> None:
    Path(f"{module}.py").write_text(
        "def search(query): return [{'text': t, 'source': s} for s, t in"
        f" {[(f'{n}.txt', t) for n, t in TOPICS.items()]!r}]"
    )
    wb.add_searcher(SearcherSettings("prod", "python", target=f"{module}:search", timeout_s=20))
    one = column(wb, "any", filter=[("source", "violin.txt")])
    assert [h.chunk.source for h in one.hits] == ["violin.txt"]
    assert "filtered here: the searcher takes no filter" in one.notes


def test_why_says_where_an_answer_was_lost(wb: Workbench, prod: SearcherSettings) -> None:
    def stage(query: str, topic: str, strategy: str = "searcher:prod") -> str:
        return wb.why(query=query, quote=TOPICS[topic], strategy=strategy).stage

    assert stage("of the heron", "heron") == "delivered"
    assert stage("of the basalt", "basalt") == "not_retrieved"
    assert stage("heron and copper", "copper", "searcher:prod+k=1") == "below_k"


# Measure ------------------------------------------------------------------------------------------


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


def test_its_chunks_are_what_it_returned_lately(wb: Workbench, prod: SearcherSettings) -> None:
    chunking = "imported:searcher%3Aprod"
    with pytest.raises(NotBrought, match="not answered anything lately"):
        wb.chunk_table(chunking)
    column(wb, "the heron")
    column(wb, "the copper")
    table = wb.chunk_table(chunking)
    assert {table.chunk(row).text for row in range(len(table))} == {
        TOPICS["heron"], TOPICS["copper"], "Made up by the engine."
    }  # fmt: skip
    (place,) = wb.chunk_places(chunking, wb.resolve("heron.txt").id)
    assert (place.start, place.end) == (0, len(TOPICS["heron"]))


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


# Agree --------------------------------------------------------------------------------------------


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


# Keep ---------------------------------------------------------------------------------------------


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
