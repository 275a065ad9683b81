"""Case files from the command line, and the way back from one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli

Run = Callable[..., Result]
TOPICS = ("heron", "copper", "violin", "glacier", "saffron", "compass", "beehive", "turbine")
ABOUT = "All there is to say about the {} stands here."
CASE = ("case", "--question", "q1", "-s", "bm25+k=1,bm25+k=3")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A command on a workspace with eight documents and a question about one of them."""

    def call(*arguments: str | Path, code: int = 0, workspace: str = "workspace") -> Result:
        place = ["--workspace", str(tmp_path / workspace)]
        result = CliRunner().invoke(cli, [*map(str, arguments), *place])
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


def test_a_preview_says_what_the_file_would_hold_and_writes_none(run: Run, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    said = run(*CASE, "--preview").output
    assert "“tell me of the heron” was asked; the answer stands in heron.txt" in said
    assert "The file would hold:" in said
    made = value(run(*CASE, "--preview", "--json"))
    assert made["file"] is None and made["sentences"] and made["included"]
    assert set(tmp_path.iterdir()) == before


def test_a_written_case_is_opened_where_its_documents_are(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.html"
    made = value(run(*CASE, "--to", file, "--json"))
    assert made["file"] == str(file)
    html = file.read_text("utf-8")
    assert ABOUT.format("heron") in html and str(tmp_path) not in html
    found = value(run("open", file, "--json"))
    assert (found["query"], found["question"]) == ("tell me of the heron", "q1")
    assert found["missing"] == []
    assert [s.partition("@")[0] for s in found["strategies"]] == ["bm25", "bm25"]
    assert found["search"].startswith("http://localhost:8501/Search?")
    assert found["trace"].startswith("http://localhost:8501/Trace?")
    assert "tell me of the heron" in run("open", file).output


def test_without_its_documents_a_case_says_what_is_missing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.html"
    run(*CASE, "--to", file)
    found = value(run("open", file, "--json", workspace="elsewhere"))
    assert any("heron.txt" in one for one in found["missing"])


def test_a_withheld_hit_is_not_in_the_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.html"
    run("case", "--query", "heron", "--evidence", ABOUT.format("heron"), "-s", "bm25",
        "--withhold", "1", "--to", file)  # fmt: skip
    assert ABOUT.format("heron") not in file.read_text("utf-8")


def test_what_does_not_go_together_is_refused(run: Run, tmp_path: Path) -> None:
    run("case", "--question", "q1", "--query", "heron", "--preview", code=2)
    run("case", "--query", "heron", "--preview", code=2)
    run("case", "--question", "q1", code=2)
    (tmp_path / "other.html").write_text("<p>no case</p>", "utf-8")
    assert "case" in run("open", tmp_path / "other.html", code=1).output


def test_a_fix_is_tried_by_its_name_and_proposed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lost.jsonl").write_text(
        json.dumps({"id": "q2", "question": "All there is to say about glaciers and a heron",
                    "source": "violin.txt", "quote": ABOUT.format("violin")}) + "\n",
        "utf-8",
    )  # fmt: skip
    run("questions", "import", tmp_path / "lost.jsonl")
    file = tmp_path / "case.html"
    made = value(run("case", "-q", "q2", "-s", "bm25+k=4", "--fix", "k 8", "--to", file, "--json"))
    assert made["sentences"][2].startswith("k 8 brings it back at rank ")
    assert "of 1 other question it rescues 0 and harms 0" in made["sentences"][2]
    assert [s.rpartition("=")[2] for s in value(run("open", file, "--json"))["strategies"]] == [
        "4", "8"
    ]  # fmt: skip
    said = run("case", "-q", "q2", "-s", "bm25+k=4", "--fix", "magic", "--preview", code=1).output
    assert "called magic" in said and "k 8" in said
    run("case", "--query", "x", "--evidence", "y", "--fix", "best", "--preview", code=2)
    assert "Nothing is lost" in run("case", "-q", "q1", "-s", "bm25", "--fix", "best", "--preview",
                                    code=1).output  # fmt: skip


def test_a_query_that_is_no_text_makes_no_traceback(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.html"
    run("case", "--query", "heron \udcff", "--evidence", ABOUT.format("heron"), "-s", "bm25",
        "--to", file)  # fmt: skip
    assert "heron" in run("open", file).output
