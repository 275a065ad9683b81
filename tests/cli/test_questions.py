"""``ragdebug questions``: what scripts can rely on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli

Run = Callable[..., Result]
TEXT = "The toll is four coins. Children pass free of charge."


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str | Path, code: int = 0) -> Result:
        workspace = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, [*map(str, arguments), *workspace])
        assert result.exit_code == code, result.output
        return result

    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "bridge.txt").write_text(TEXT, "utf-8")
    (folder / "twice.txt").write_text("Pay here. Pay here.", "utf-8")
    call("ingest", folder)
    return call


def value(result: Result) -> dict[str, Any]:
    lines = result.stdout.strip().splitlines()
    assert len(lines) == 1, result.stdout
    parsed: dict[str, Any] = json.loads(lines[0])
    return parsed


def listed(run: Run, *options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = value(run("questions", "list", "--json", *options))["questions"]
    return found


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(
        "id,question,source,quote,tags\nq1,How much?,bridge,The toll is four coins.,price\n"
        "q2,And children?,bridge,Children go free of charge.,\nq3,Why?,bridge,Zebras eat kelp.,\n",
        "utf-8",
    )
    return path


def test_import_says_what_was_placed_and_what_was_not(run: Run, rows: Path) -> None:
    said = value(run("questions", "import", rows, "--json"))
    assert {k: said[k] for k in ("added", "changed", "unchanged", "placed", "suggested")} == {
        "added": 3, "changed": 0, "unchanged": 0, "placed": 1, "suggested": 1,
    }  # fmt: skip
    assert [(u["id"], u["quote"]) for u in said["unplaced"]] == [
        ("q2", "Children go free of charge."),
        ("q3", "Zebras eat kelp."),
    ]
    assert said["unplaced"][0]["nearest"]["quote"] == "Children pass free of charge."
    again = run("questions", "import", rows)
    assert "0 added, 0 changed, 3 unchanged" in again.stdout
    assert "Zebras eat kelp." in again.stdout


def test_a_dry_run_saves_nothing(run: Run, rows: Path) -> None:
    assert value(run("questions", "import", rows, "--dry-run", "--json"))["added"] == 3
    assert listed(run) == []


def test_list_gives_needs_as_lists_of_places(run: Run, rows: Path) -> None:
    run("questions", "import", rows)
    first, second, third = listed(run)
    assert {k: first[k] for k in ("id", "question", "state", "tags", "notes")} == {
        "id": "q1", "question": "How much?", "state": "labelled", "tags": ["price"], "notes": "",
    }  # fmt: skip
    ((place,),) = first["needs"]
    wanted = {
        "source": "bridge.txt", "start": 0, "end": 23, "quote": "The toll is four coins.",
        "page": None, "status": "placed", "origin": "import rows.csv",
    }  # fmt: skip
    assert {k: place[k] for k in wanted} == wanted
    assert second["needs"][0][0]["status"] == "suggested"
    assert third["needs"][0][0]["start"] is None
    assert [q["id"] for q in listed(run, "--tag", "price")] == ["q1"]
    assert [q["id"] for q in listed(run, "--state", "unusable")] == ["q2", "q3"]
    assert "How much?" in run("questions", "list").stdout


def test_pages_are_told(run: Run, tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "two.pdf"))
    for words in ("First sheet speaks of boats.", "Second sheet speaks of tea."):
        canvas.drawString(72, 700, words)
        canvas.showPage()
    canvas.save()
    run("ingest", tmp_path / "two.pdf")
    run("questions", "add", "tea?", "--quote", "speaks of tea")
    run("questions", "add", "boats?", "--source", "two.pdf", "--page", "1")
    assert [q["needs"][0][0]["page"] for q in listed(run)] == [2, 1]
    assert listed(run)[1]["needs"][0][0]["region"] == "page"


def test_adding_with_a_quote(run: Run) -> None:
    made = value(run("questions", "add", "How much?", "--quote", "the TOLL is", "--tag", "a",
                     "--tag", "b", "--notes", "n", "--json"))  # fmt: skip
    assert (made["tags"], made["notes"], made["state"]) == (["a", "b"], "n", "labelled")
    assert made["needs"][0][0]["quote"] == "The toll is"
    refused = value(run("questions", "add", "Pay?", "--quote", "Pay here.", "--json", code=1))
    assert "2 places" in refused["error"]["message"]
    every = value(run("questions", "add", "Pay?", "--quote", "Pay here.", "--every", "--json"))
    assert [[p["start"] for p in need] for need in every["needs"]] == [[0, 10]]
    silent = value(run("questions", "add", "Moon?", "--not-answerable", "--json"))
    assert silent["state"] == "not answerable"
    run("questions", "add", "x", "--quote", "nowhere at all", code=1)
    run("questions", "add", "x", "--page", "1", code=2)


def test_removal_can_be_undone(run: Run, rows: Path) -> None:
    run("questions", "import", rows)
    run("questions", "remove", "q1", "q2")
    assert [q["id"] for q in listed(run)] == ["q3"]
    assert [q["id"] for q in listed(run, "--removed")] == ["q1", "q2"]
    assert value(run("questions", "restore", "q1", "--json")) == {"restored": ["q1"]}
    assert [q["id"] for q in listed(run)] == ["q1", "q3"]
    error = value(run("questions", "remove", "zz", "--json", code=1))["error"]
    assert error["title"] == "No such question"


@pytest.mark.parametrize("kind", ["jsonl", "csv", "spans", "beir", "trec", "lines"])
def test_what_is_exported_can_be_imported(run: Run, rows: Path, tmp_path: Path, kind: str) -> None:
    run("questions", "import", rows)
    before = listed(run)
    out = tmp_path / f"out-{kind}"
    said = value(run("questions", "export", out, "--format", kind, "--json"))
    assert said["questions"] == 3
    assert out.exists()
    again = value(run("questions", "import", out, "--format", kind, "--json"))
    assert (again["added"], again["changed"]) == (0, 0)
    assert listed(run) == before


def test_a_file_without_a_question_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"quote": "x"}\n', "utf-8")
    said = value(run("questions", "import", tmp_path / "bad.jsonl", "--json", code=1))
    assert said["problems"][0]["line"] == 1
    (tmp_path / "x.csv").write_text("Frage;Zahl\nWas?;1\n", "utf-8")
    run("questions", "import", tmp_path / "x.csv", code=1)
    run("questions", "import", tmp_path / "x.csv", "--column", "question=Frage")
    assert [q["question"] for q in listed(run)] == ["Was?"]
    run("questions", "import", tmp_path / "missing.csv", code=2)


def test_of_many_unplaced_passages_some_are_told_and_the_others_counted(
    run: Run, tmp_path: Path
) -> None:
    many = tmp_path / "many.csv"
    lines = [f"q{i},Question {i}?,bridge,Zebras eat kelp {i}." for i in range(300)]
    bad = [f"b{i},,bridge,No question here {i}." for i in range(50)]
    many.write_text("\n".join(["id,question,source,quote", *lines, *bad]), "utf-8")
    told = run("questions", "import", many).stdout.splitlines()
    assert len(told) < 100
    assert any("and 280 more" in line for line in told)
    assert any("and 30 more lines" in line for line in told)
    assert "300 not placed" in told[-1]
    assert len(value(run("questions", "import", many, "--json"))["unplaced"]) == 300


def test_the_form_of_an_export_goes_by_its_ending(run: Run, tmp_path: Path) -> None:
    run("questions", "add", "what is it")
    assert value(run("questions", "export", tmp_path / "q.csv", "--json"))["format"] == "csv"
    assert "question" in (tmp_path / "q.csv").read_text("utf-8-sig").splitlines()[0].split(",")
    assert value(run("questions", "export", tmp_path / "q.jsonl", "--json"))["format"] == "jsonl"
    run("questions", "export", tmp_path / "folder", code=2)
    run("questions", "export", tmp_path / "folder", "--format", "beir")
