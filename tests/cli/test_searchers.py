"""Searchers from the command line, each command as a process of its own would see it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli
from ragdebug.web import agreed
from tests.support.search_server import SearchServer

Run = Callable[..., Result]
HERON = "The heron stands in shallow water and waits for fish."
CODE = f"""
print("loaded")
def search(query, k):
    print("asked for", query)
    return [{{"body": {HERON!r}, "file": "heron.txt", "score": 0.5}}]
"""
SAME = ["--python", "mysearch:search", "--field", "text=body"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A command in the folder of mysearch.py, on a workspace with one document."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "mysearch.py").write_text(CODE)
    (tmp_path / "heron.txt").write_text(HERON)
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)

    def call(*arguments: str, code: int = 0) -> Result:
        monkeypatch.setattr(agreed, "_here", {})
        sys.path[:] = before
        sys.modules.pop("mysearch", None)
        result = CliRunner().invoke(cli, [*arguments, "--workspace", "w"])
        assert result.exit_code == code, result.output
        return result

    call("ingest", "heron.txt")
    yield call
    sys.path[:] = before
    sys.modules.pop("mysearch", None)


def value(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.strip().splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def test_the_first_steps(run: Run) -> None:
    assert "No searchers" in run("searchers").stdout
    said = run("searchers", "try", *SAME, "where is the heron").stdout
    assert "text=body, source=file, score=score" in said.replace("fields: ", "")
    assert "[heron.txt]" in said
    assert "ragdebug searchers try prod" in run("searchers", "add", "prod", *SAME).stdout
    assert "mysearch:search" in run("searchers", "list").stdout
    found = run("search", "the heron", "-s", "bm25,searcher:prod").stdout
    assert found.count(HERON) == 2
    why = run("why", "--query", "the heron", "--evidence", HERON, "-s", "searcher:prod")
    assert "delivered" in why.stdout


def test_json_is_one_object_whatever_their_code_prints(run: Run) -> None:
    run("searchers", "add", "prod", *SAME)
    trial = value(run("searchers", "try", "prod", "the heron", "--json"))
    assert trial["fields"] == {"text": "body", "source": "file", "score": "score"}
    assert trial["hits"][0] | {"metadata": {}} == {
        "text": HERON, "id": None, "source": "heron.txt", "score": 0.5, "page": None,
        "start": None, "end": None, "metadata": {}, "document": "heron.txt", "placed": True,
    }  # fmt: skip
    result = run("search", "the heron", "-s", "searcher:prod", "--json")
    (one,) = value(result)["lists"].values()
    assert one["hits"][0]["text"] == HERON
    assert "asked for the heron" in result.stderr


def test_it_is_evaluated_and_compared(run: Run, tmp_path: Path) -> None:
    rows = [{"question": "the heron", "source": "heron.txt", "quote": HERON}]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    run("questions", "import", "q.jsonl")
    run("searchers", "add", "prod", *SAME)
    made = value(run("evaluate", "--strategy", "searcher:prod,bm25", "--json"))
    by_name = {r["strategy"]: r["metrics"]["recall@5"]["mean"] for r in made["runs"]}
    assert by_name["searcher:prod"] == 1.0
    ids = [r["id"] for r in made["runs"]]
    run("compare", *ids)
    run("searchers", "remove", "prod")
    other = value(run("evaluate", "--strategy", "searcher:prod,bm25", "--json", code=1))
    assert [f["strategy"] for f in other["failed"]] == ["searcher:prod"]
    assert len(other["runs"]) == 1


def test_somebody_elses_workspace_runs_nothing_until_it_is_allowed(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run("searchers", "add", "prod", *SAME)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "somebody"))
    assert "not agreed: ragdebug searchers allow prod" in run("searchers", "list").stdout
    refused = run("searchers", "try", "prod", "the heron", code=1)
    assert "mysearch.py" in refused.stderr and "nobody here has agreed" in refused.stderr
    lists = run("search", "the heron", "-s", "searcher:prod,bm25")
    assert "loaded" not in lists.output
    assert lists.stdout.count(HERON) == 1
    run("searchers", "allow", "prod")
    assert run("search", "the heron", "-s", "searcher:prod,bm25").stdout.count(HERON) == 2


def test_removing_and_restoring(run: Run) -> None:
    run("searchers", "add", "prod", *SAME)
    run("searchers", "remove", "prod")
    assert "no searcher prod" in run("searchers", "remove", "prod", code=1).stderr
    assert "prod" in run("searchers", "list", "--removed").stdout
    run("searchers", "restore", "prod")
    assert [s["name"] for s in value(run("searchers", "--json"))["searchers"]] == ["prod"]


def test_an_address_is_tried_before_it_is_added(run: Run) -> None:
    with SearchServer([("7", "heron.txt", HERON)]) as server:
        options = ["--http", f"{server.url}/elastic", "--header", "X-Tenant: acme",
                   "--hits", "hits.hits", "--field", "text=_source.body"]  # fmt: skip
        trial = value(run("searchers", "try", *options, "the heron", "--json"))
        assert trial["fields"]["text"] == "_source.body"
        assert json.loads(trial["raw"])["took"] == 3
        server.plan = [(200, {"odd": [1, 2]})]
        failed = run("searchers", "try", *options, "the heron", code=1)
        assert "has no hits.hits" in failed.stdout and '"odd"' in failed.stdout
        run("searchers", "add", "far", *options)
        assert HERON in run("search", "the heron", "-s", "searcher:far,bm25").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["add", "x"], 2, "--python MODULE:FUNCTION or --http URL"),
        (["add", "x", "--python", "a:b", "--http", "http://h"], 2, "--python"),
        (["add", "x", "--http", "http://h", "--header", "X-Api-Key: k3y-9931-abcdefgh-77"], 1,
         "looks like a key"),
        (["add", "x", "--http", "http://h", "--header", "nothing"], 1, "Name: value"),
        (["add", "x", "--http", "http://h", "--field", "text"], 1, "role=path"),
        (["try", "prod"], 2, "NAME and QUERY"),
        (["try", "nobody", "q"], 1, "no searcher nobody"),
    ],
)  # fmt: skip
def test_wrong_usage(run: Run, arguments: list[str], code: int, words: str) -> None:
    result = run("searchers", *arguments, code=code)
    assert words in result.stderr
    assert "k3y-9931" not in result.output
