"""Result lists from the command line: import, look at, measure, trace, take out, bring back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli
from tests.workbench.outside.conftest import Collection, collection

Run = Callable[..., Result]


def command(workspace: Path) -> Run:
    def call(*arguments: str | Path, code: int = 0) -> Result:
        result = CliRunner().invoke(cli, [*map(str, arguments), "--workspace", str(workspace)])
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return collection(tmp_path_factory.mktemp("collection"), 5)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, collected: Collection) -> Run:
    """A command on a workspace with the collection."""
    call = command(tmp_path_factory.mktemp("lists") / "workspace")
    call("ingest", collected.corpus)
    call("questions", "import", collected.folder)
    call("lists", "import", collected.run, "--name", "engine")
    return call


def value(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.strip().splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def test_a_run_scores_exactly_what_ir_measures_says(run: Run, collected: Collection) -> None:
    made = value(run("evaluate", "-s", "list:engine", "--json"))
    (one,) = made["runs"]
    for name, by_question in collected.measures().items():
        metric = one["metrics"][name]
        assert metric["n"] == 25
        assert metric["mean"] == pytest.approx(mean(by_question.values()), abs=1e-12), name
    assert one["milliseconds"] is None  # nobody knows how long it took
    assert "the list has no answer for 3 of 25 questions, which count as 0" in one["notes"]
    assert one["packages"]["list:engine"]


def test_lists_are_listed_and_shown(run: Run) -> None:
    (one,) = value(run("lists", "list", "--json"))["lists"]
    assert (one["name"], one["strategy"], one["format"], one["queries"]) == (
        "engine", "list:engine", "trec", 22,
    )  # fmt: skip
    shown = value(run("lists", "show", "list:engine", "--json"))
    assert (shown["questions"], shown["answered"], len(shown["unanswered"])) == (25, 22, 3)
    assert shown["hits"] == shown["placed"] + shown["not_placed"]
    assert shown["elsewhere"] == shown["not_placed"] > 0
    assert "list:engine" in run("lists", "list").stdout
    said = run("lists", "show", "engine").stdout
    assert "questions: 22 of 25 have a list" in said
    assert "The rank column says another order" in said


def test_search_and_why_take_a_list(run: Run, collected: Collection) -> None:
    text = collected.queries["q0"]
    found = value(run("search", text, "-s", "list:engine,bm25", "-k", "3", "--json"))
    assert list(found["lists"]) == ["list:engine", "bm25"]
    hits = found["lists"]["list:engine"]["hits"]
    assert [h["rank"] for h in hits] == list(range(1, len(hits) + 1))
    assert "as returned" in run("search", text, "-s", "list:engine").stdout
    why = value(run("why", "--question", "q0", "-s", "list:engine", "--json"))
    assert why["strategy"] == "list:engine"
    refused = value(run("why", "--question", "q3", "-s", "list:engine", "--json", code=1))
    assert "no answer to this query" in refused["error"]["message"]


def test_compare_gate_and_health_take_a_list(run: Run) -> None:
    runs = value(run("evaluate", "-s", "list:engine,bm25", "--json"))["runs"]
    ids = [r["id"] for r in runs]
    assert value(run("compare", *ids, "--measure", "ndcg@10", "--json"))["n"] == 25
    run("gate", "-s", "list:engine", "--min", "recall@20=0.01")
    assert run("health", "--strategy", "list:engine").stdout
    refused = run("export-code", "list:engine", "-o", "x", code=1)
    assert "another system" in refused.stderr


def test_one_list_of_one_query(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps({"hits": [{"id": "d3", "score": 0.5}, {"id": "nowhere"}]}))
    seen = value(run("lists", "import", file, "--query", "what", "--dry-run", "--json"))
    assert seen["understood"] == "2 hits: ids, scores; texts of 1 known; 1 placed."
    made = value(run("lists", "import", file, "--query", "what", "--name", "one", "--json"))
    assert (made["hits"], made["placed"], made["unknown"]) == (2, 1, ["what"])
    hits = value(run("search", "what", "-s", "list:one", "--json"))["lists"]["list:one"]["hits"]
    assert [(h["score"], h["source"].endswith("d3")) for h in hits] == [(0.5, True), (None, False)]
    run("lists", "remove", "one")


def test_lists_are_taken_out_and_brought_back(tmp_path: Path) -> None:
    run = command(tmp_path / "workspace")
    (tmp_path / "a.trec").write_text("q1 Q0 d1 1 0.5 x\n")
    would = value(run("lists", "import", tmp_path / "a.trec", "--dry-run", "--json"))
    assert (would["dry_run"], would["list"]["name"], would["hits"]) == (True, "a", 1)
    assert value(run("lists", "list", "--json"))["lists"] == []
    assert "None. Import some" in run("lists", "list").stdout
    run("lists", "import", tmp_path / "a.trec", "--name", "prod")
    (tmp_path / "a.trec").write_text("q1 Q0 d2 1 0.5 x\n")
    run("lists", "import", tmp_path / "a.trec", "--name", "prod")
    (old,) = value(run("lists", "list", "--removed", "--json"))["lists"]
    back = value(run("lists", "restore", old["id"], "--json"))["restored"]
    assert back["id"] == old["id"]
    run("lists", "remove", "prod")
    assert "There is no result list prod here" in run("lists", "show", "prod", code=1).stderr
    run("lists", "restore", "prod")
    assert value(run("lists", "show", "prod", "--json"))["hits"] == 1
    refused = run("lists", "import", tmp_path / "a.trec", "--name", "a:b", code=1)
    assert "cannot be a name" in refused.stderr
    assert "There is no file" in run("lists", "import", tmp_path / "no.trec", code=1).stderr
