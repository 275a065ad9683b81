"""Asking for the stage from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli
from ragdebug.diagnose import STAGES

Run = Callable[..., Result]
DRAFT = "wordllama-l2-supercat-256"
TOPICS = ("heron", "copper", "violin", "glacier", "saffron", "compass", "beehive", "turbine")
ABOUT = "All there is to say about the {} stands here."


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A command on a workspace with eight documents and a question about one of them."""

    def call(*arguments: str | Path, code: int = 0) -> Result:
        workspace = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, [*map(str, arguments), *workspace])
        assert result.exit_code == code, result.output
        return result

    docs = tmp_path / "docs"
    docs.mkdir()
    for topic in TOPICS:
        (docs / f"{topic}.txt").write_text(ABOUT.format(topic), "utf-8")
    (tmp_path / "q.jsonl").write_text(
        json.dumps({"id": "q1", "question": "tell me of the heron", "source": "heron.txt",
                    "quote": ABOUT.format("heron")}) + "\n",
        "utf-8",
    )  # fmt: skip
    call("ingest", docs)
    call("questions", "import", tmp_path / "q.jsonl")
    return call


def value(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.strip().splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def test_a_question_that_is_found_is_delivered(run: Run) -> None:
    made = value(run("why", "--question", "q1", "-s", "bm25", "--json"))
    assert (made["stage"], made["question"]) == ("delivered", "q1")
    assert made["strategy"].startswith("bm25@structure:220/40")
    (evidence,) = made["evidence"]
    assert (evidence["source"], evidence["start"], evidence["stage"]) == (
        "heron.txt", 0, "delivered",
    )  # fmt: skip
    assert evidence["end"] == len(evidence["quote"]) == len(ABOUT.format("heron"))
    (chunk,) = evidence["chunks"]
    assert (chunk["coverage"], chunk["ranks"], chunk["gap"]) == (1.0, {"bm25": 1}, {"bm25": 0.0})
    assert chunk["scores"]["bm25"] > 0
    assert {step["stage"] for step in made["path"]} <= set(STAGES)
    assert all(set(step) == {"stage", "status", "facts"} for step in made["path"])


def test_a_line_says_what_health_knows(run: Run, tmp_path: Path) -> None:
    asked = ("why", "--question", "q1", "-s", "bm25")
    assert run(*asked).stdout.splitlines()[-1] == (
        "health: nothing found, see: ragdebug health --strategy bm25@structure:220/40:tokens:label"
    )
    (tmp_path / "copy.txt").write_text(ABOUT.format("heron"), "utf-8")
    run("ingest", tmp_path / "copy.txt")
    assert "health: 2 findings" in run(*asked).stdout
    health = value(run(*asked, "--json"))["health"]
    assert health["codes"] == ["duplicate_documents", "duplicate_chunks"]
    assert (sum(health["counts"].values()), health["waiting"]) == (2, [])


def test_a_query_with_its_evidence_is_traced_through_any_strategy(run: Run) -> None:
    query = ("why", "--query", "tell me of the violin", "--evidence", ABOUT.format("copper"))
    made = value(run(*query, "-s", "hybrid+k=1", "-m", DRAFT, "--json"))
    assert made["stage"] == "below_k"
    (lost,) = [step for step in made["path"] if step["status"] == "lost"]
    assert lost["stage"] == "below_k" and lost["facts"]["rank"] > 1
    assert set(made["evidence"][0]["chunks"][0]["ranks"]) >= {"vector", "bm25", "fused"}
    hidden = value(run(*query, "-s", "bm25", "-k", "8", "--filter", "source=violin.txt", "--json"))
    assert hidden["stage"] == "filtered_out"
    small = value(
        run(*query, "-s", "bm25", "-k", "8", "-c", "fixed:12/0:chars", "--budget", "1", "--json")
    )
    assert small["stage"] == "cut"
    assert small["strategy"].startswith("bm25@fixed:12/0:chars")


def test_words_that_stand_nowhere_are_an_answer_and_no_error(run: Run) -> None:
    made = value(run("why", "--query", "x", "--evidence", "no such words", "-s", "bm25", "--json"))
    assert made["stage"] == "not_in_corpus"
    (evidence,) = made["evidence"]
    assert (evidence["start"], evidence["end"], evidence["chunks"]) == (None, None, [])
    seen = value(
        run("why", "--query", "x", "--evidence", "no such words", "--source", "heron.txt",
            "--page", "1", "-s", "bm25", "--json")
    )  # fmt: skip
    assert seen["stage"] == "lost_in_parsing"


def test_a_query_without_evidence_is_told_what_to_give(run: Run) -> None:
    told = run("why", "--query", "x", "-s", "bm25", code=2)
    assert "--source and --page" in told.output


def test_findings_of_the_wanted_document_are_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "copy.txt").write_text(ABOUT.format("heron"), "utf-8")
    run("ingest", tmp_path / "copy.txt")
    named = "! health, of the document: Documents with the same text: 1 document of 9"
    assert named in run("why", "-q", "q1", "-s", "bm25").stdout
    other = ("why", "--query", "x", "--evidence", ABOUT.format("violin"), "-s", "bm25")
    assert "of the document" not in run(*other).stdout
    codes = [f["code"] for f in value(run("why", "-q", "q1", "-s", "bm25", "--json"))["health"][
        "of_documents"]]  # fmt: skip
    assert codes == ["duplicate_documents", "duplicate_chunks"]


def test_the_text_has_a_line_a_stage_and_marks_the_one_that_lost_it(run: Run) -> None:
    text = run("why", "--question", "q1", "-s", "bm25").stdout
    assert "delivered" in text and "heron.txt 0-48" in text
    lost = run("why", "--query", "violin", "--evidence", ABOUT.format("heron"), "-s", "bm25+k=1",
               "--filter", "source=violin.txt").stdout  # fmt: skip
    assert "lost: filtered_out" in lost
    (marked,) = [line for line in lost.splitlines() if line.startswith(">")]
    assert "filter" in marked and "source; violin.txt" in marked


def test_all_questions_are_counted_by_stage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(
        json.dumps({"id": "q2", "question": "nothing of the kind", "source": "copper.txt",
                    "quote": ABOUT.format("copper"), "tags": ["hard"]}) + "\n",
        "utf-8",
    )  # fmt: skip
    run("questions", "import", tmp_path / "more.jsonl")
    both = ("why", "--all", "-s", "bm25,searcher:gone")
    found, failed = value(run(*both, "--json"))["strategies"]
    assert (found["stages"]["delivered"], found["stages"]["not_retrieved"]) == (["q1"], ["q2"])
    assert found["failed"] == []
    assert [one["question"] for one in failed["failed"]] == ["q1", "q2"]
    text = run(*both).stdout.splitlines()
    assert [line.split() for line in text[1:3]] == [["1", "not_retrieved"], ["1", "delivered"]]
    assert text[5].split() == ["2", "search_failed"]
    assert text[6].startswith("! 2 failed: ")
    (some,) = value(run("why", "--all", "--tag", "hard", "-s", "bm25", "--json"))["strategies"]
    assert [q for ids in some["stages"].values() for q in ids] == ["q2"]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--question", "q1", "--query", "x"),
        ("--query", "x"),
        ("--question", "q1", "--evidence", "x"),
        ("--query", "x", "--evidence", "y", "--page", "1"),
        ("--question", "q1", "-s", "bm25,vector"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: tuple[str, ...]) -> None:
    run("why", *arguments, code=2)


def test_a_question_that_is_not_there_is_an_error(run: Run) -> None:
    made = value(run("why", "--question", "zz", "-s", "bm25", "--json", code=1))
    assert made["error"]["message"]


def test_a_named_strategy_is_known_by_every_command(run: Run, tmp_path: Path) -> None:
    from ragdebug import Workbench

    with Workbench(tmp_path / "workspace") as wb:
        wb.name_strategy("last year", "bm25+k=2+variant=okapi")
    told = json.loads(run("search", "heron", "-s", "last year,bm25", "--json").stdout)
    assert [x["strategy"].partition("@")[0] for x in told["lists"].values()] == ["bm25", "bm25"]
    assert "variant=okapi" in next(iter(told["lists"].values()))["strategy"]
    why = json.loads(run("why", "-q", "q1", "-s", "last year", "--json").stdout)
    assert "variant=okapi" in why["strategy"]
    ran = json.loads(run("evaluate", "-s", "last year", "--json").stdout)
    assert "variant=okapi" in ran["runs"][0]["strategy"]
    assert "No strategy is called 'nobody'" in run("search", "x", "-s", "nobody", code=1).output


def test_a_tag_that_no_question_has_is_named(run: Run) -> None:
    assert "no labelled question is tagged nobody" in run("why", "--all", "--tag", "nobody").stdout
