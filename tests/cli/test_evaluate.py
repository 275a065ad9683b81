"""Evaluating, comparing and gating from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli

Run = Callable[..., Result]
TOPICS = ("heron", "copper", "violin", "glacier", "saffron", "compass", "beehive", "turbine",
          "basalt", "monsoon", "parchment", "lighthouse")  # fmt: skip
DRAFT = "wordllama-l2-supercat-256"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A command on a workspace with twelve documents and a question about each."""

    def call(*arguments: str | Path, code: int = 0) -> Result:
        workspace = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, [*map(str, arguments), *workspace])
        assert result.exit_code == code, result.output
        return result

    docs = tmp_path / "docs"
    docs.mkdir()
    lines = []
    for topic in TOPICS:
        text = f"All there is to say about the {topic} stands here."
        (docs / f"{topic}.txt").write_text(text, "utf-8")
        lines.append(
            {"question": f"tell me of the {topic}", "source": f"{topic}.txt", "quote": text}
        )
    questions = tmp_path / "questions.jsonl"
    questions.write_text("".join(json.dumps(x) + "\n" for x in lines), "utf-8")
    call("ingest", docs)
    call("questions", "import", questions)
    return call


def value(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.strip().splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def evaluate(run: Run, strategy: str = "bm25", *more: str) -> dict[str, Any]:
    (made,) = value(run("evaluate", "--strategy", strategy, *more, "--json"))["runs"]
    one: dict[str, Any] = made
    return one


def test_evaluate_gives_each_measure_with_its_interval(run: Run) -> None:
    made = evaluate(run)
    assert set(made) >= {
        "id", "fingerprint", "strategy", "chunking", "embedder", "n", "unlabelled",
        "unanswerable", "metrics",
    }  # fmt: skip
    assert (made["n"], made["unlabelled"], made["unanswerable"]) == (12, 0, 0)
    assert made["metrics"]["recall@1"]["mean"] == 1.0
    assert 0.7 < made["metrics"]["recall@1"]["low"] < 1.0
    for name in ("recall@20", "rr@10", "ndcg@5", "recall@500t", "coverage@5", "tokens@5"):
        assert name in made["metrics"]


def test_a_line_says_what_health_knows(run: Run) -> None:
    assert "health: nothing found, see: ragdebug health\n" in run("evaluate", "-s", "bm25").stdout
    health = value(run("evaluate", "-s", f"vector+model={DRAFT}+minimum=0.99", "--json"))["health"]
    assert health["codes"] == ["minimum"]
    assert sum(health["counts"].values()) == 1


def test_other_values_of_k_and_other_chunkings(run: Run) -> None:
    result = value(
        run("evaluate", "-s", "bm25", "-c", "fixed:30/0:chars", "-c", "document", "--k", "2,7",
            "--json")
    )  # fmt: skip
    assert [r["chunking"] for r in result["runs"]] == ["fixed:30/0:chars:label", "document:label"]
    assert "recall@7" in result["runs"][0]["metrics"]
    assert "recall@5" not in result["runs"][0]["metrics"]
    run("evaluate", "-s", "bm25", "--k", "zero", code=1)


def test_text_output_tells_runs_and_counts(run: Run) -> None:
    run("questions", "add", "a question that nobody has labelled")
    text = run("evaluate", "-s", "bm25").stdout
    assert "1.00 (0.76-1.00)" in text
    assert "12 labelled, 1 unlabelled, 0 not answerable here" in text


def test_compare_has_the_form_that_scripts_read(run: Run) -> None:
    a = evaluate(run)["id"]
    b = evaluate(run, f"vector+model={DRAFT}")["id"]
    result = value(run("compare", a, b, "--json"))
    assert set(result) >= {
        "metric", "n", "mean_a", "mean_b", "difference", "low", "high", "p", "wins", "ties",
        "losses", "verdict",
    }  # fmt: skip
    assert result["metric"] == "recall@5" and result["n"] == 12
    assert result["wins"] + result["ties"] + result["losses"] == 12
    assert result["difference"] == pytest.approx(result["mean_a"] - result["mean_b"])
    run("compare", a, "ffff", code=1)
    run("compare", a, b, "--measure", "recal@5", code=1)


def test_the_gate_ends_with_the_code_that_a_build_needs(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "gate.xml"
    run("gate", "-s", "bm25", "--min", "recall@5=0.9", "--junit", report)
    suite = ElementTree.parse(report).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "0", "0")
    run("gate", "-s", "bm25", "--min", "tokens@5=999", "--junit", report, code=1)
    assert ElementTree.parse(report).getroot().get("failures") == "1"
    run("gate", "-s", "bm25", "--min", "recall@5=0.9", "--slice", "nothing", code=3)
    base = evaluate(run)["id"]
    assert value(run("gate", "-s", "bm25", "--baseline", base, "--json"))["ok"] is True
    run("gate", "--min", "recall@5", code=1)
    refused = run("gate", "-s", "bm25", "--min", "recall@5=80", code=1)
    assert "Did you mean 0.8?" in refused.output
    run("gate", code=2)


def test_runs_are_listed_shown_noted_taken_out_and_exported(run: Run, tmp_path: Path) -> None:
    one = evaluate(run)["id"]
    run("runs", "note", one, "before the new parser")
    (listed,) = value(run("runs", "list", "--json"))["runs"]
    assert (listed["id"], listed["note"]) == (one, "before the new parser")
    shown = value(run("runs", "show", one, "--json"))
    assert len(shown["questions"]) == 12
    assert {q["rank"] for q in shown["questions"]} == {1}
    assert "before the new parser" in run("runs", "show", one[:5]).stdout
    for kind in ("csv", "parquet"):
        files = value(run("runs", "export", one, "--to", tmp_path / kind, "--format", kind,
                          "--json"))["files"]  # fmt: skip
        assert files and all(Path(f).stat().st_size for f in files)
    run("runs", "remove", one)
    assert value(run("runs", "list", "--json"))["runs"] == []
    run("runs", "restore", one)
    assert value(run("runs", "list", "--json"))["runs"][0]["id"] == one
