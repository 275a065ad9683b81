"""The command line: one JSON object on standard output, exit codes that scripts can use."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str | Path, code: int = 0) -> Result:
        workspace = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, [*map(str, arguments), *workspace])
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "boats.md").write_text("# Boats\n\nA green boat lies at the pier.\r\n", "utf-8")
    (folder / "tea.txt").write_text("Green tea with eighty degrees.", "utf-8")
    return folder


def value(result: Result) -> dict[str, Any]:
    lines = result.stdout.strip().splitlines()
    assert len(lines) == 1, result.stdout
    parsed: dict[str, Any] = json.loads(lines[0])
    return parsed


def test_ingest_says_what_happened_to_each_document(run: Run, docs: Path) -> None:
    first = value(run("ingest", docs, "--json"))
    assert {d["source"]: d["status"] for d in first["documents"]} == {
        "boats.md": "added",
        "tea.txt": "added",
    }
    for d in first["documents"]:
        assert set(d) >= {
            "id", "version", "source", "status", "chars", "tokens", "pages", "language",
            "warnings", "error",
        }  # fmt: skip
        assert d["tokens"] > 0
        assert d["error"] is None
    assert value(run("ingest", docs, "--json"))["counts"] == {"unchanged": 2}


@pytest.mark.parametrize(
    "command", [["search", "x"], ["documents", "list"], ["chunks"], ["runs", "list"], ["evaluate"]]
)
def test_a_slip_in_the_name_of_a_workspace_makes_no_empty_one(
    run: Run, tmp_path: Path, command: list[str]
) -> None:
    assert "There is no workspace" in run(*command, code=1).output
    assert not (tmp_path / "workspace").exists()


def test_a_query_of_nothing_is_refused(run: Run, docs: Path) -> None:
    run("ingest", docs)
    assert "empty" in run("search", "  ", code=2).output


def test_columns_of_a_record_may_be_named_with_commas(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(
        '{"id": "1", "title": "Login loop", "resolution": "Clear the cookies."}', "utf-8"
    )
    run("ingest", file, "--text-column", "title,resolution")
    (one,) = value(run("search", "login", "-s", "bm25", "--json"))["lists"]["bm25"]["hits"]
    assert "Clear the cookies" in one["text"]


def test_columns_of_metadata_are_named_with_commas_or_one_by_one(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kb.csv"
    file.write_text("id,text,team,city,note\n1,Press it.,money,Rome,x\n", "utf-8")
    for names in (["team,city"], ["team", "city"]):
        run("ingest", file, *(x for n in names for x in ("--metadata-column", n)))
        (one,) = value(run("documents", "list", "--json"))["documents"]
        assert one["metadata"] == {"team": "money", "city": "Rome"}


def test_a_dry_run_changes_nothing(run: Run, docs: Path) -> None:
    assert value(run("ingest", docs, "--dry-run", "--json"))["counts"] == {"added": 2}
    assert value(run("documents", "list", "--json"))["documents"] == []


def test_a_bad_file_gives_code_1_and_the_others_go_in(run: Run, docs: Path) -> None:
    (docs / "bad.pdf").write_bytes(b"%PDF-nothing")
    result = value(run("ingest", docs, "--json", code=1))
    assert result["counts"] == {"added": 2, "failed": 1}
    (failed,) = [d for d in result["documents"] if d["status"] == "failed"]
    assert "bad.pdf" in failed["error"]


def test_text_is_printed_exactly_so_that_spans_can_be_checked(run: Run, docs: Path) -> None:
    run("ingest", docs)
    text = run("documents", "text", "boats.md").stdout_bytes.decode("utf-8")
    assert text == "# Boats\n\nA green boat lies at the pier.\n"
    found = value(run("search", "pier", "--strategy", "bm25", "--json"))
    (hit,) = found["lists"]["bm25"]["hits"]
    assert text[hit["start"] : hit["end"]] == hit["text"]


def test_search_gives_lists_with_shares_and_the_expected_passage(run: Run, docs: Path) -> None:
    run("ingest", docs)
    model = "wordllama-l2-supercat-256"
    result = run(
        "search", "green boat", "--strategy", "vector,bm25,hybrid", "--model", model, "-k", "1",
        "--expect", "eighty degrees", "--json",
    )  # fmt: skip
    lists = value(result)["lists"]
    assert list(lists) == ["vector", "bm25", "hybrid"]
    assert lists["vector"]["embedder"] == model
    assert lists["bm25"]["embedder"] is None
    assert lists["bm25"]["expected"]["rank"] == 2
    assert lists["bm25"]["expected"]["gap"] > 0
    assert lists["bm25"]["expected"]["chunks"][0]["coverage"] == 1
    shares = lists["hybrid"]["hits"][0]["shares"]
    assert sum(s["share"] for s in shares) == pytest.approx(lists["hybrid"]["hits"][0]["score"])


def test_filters_are_applied_before_ranking(run: Run, docs: Path) -> None:
    run("ingest", docs)
    run("documents", "tag", "tea.txt", "--set", "tenant=acme")
    found = value(run("search", "green", "-s", "bm25", "--filter", "tenant=acme", "--json"))
    assert [h["source"] for h in found["lists"]["bm25"]["hits"]] == ["tea.txt"]
    assert found["lists"]["bm25"]["allowed"] == 1


def test_removing_and_bringing_back(run: Run, docs: Path) -> None:
    run("ingest", docs)
    run("documents", "remove", "tea.txt")
    listed = value(run("documents", "list", "--json"))["documents"]
    assert [d["source"] for d in listed] == ["boats.md"]
    removed = value(run("documents", "list", "--removed", "--json"))["documents"]
    assert [d["source"] for d in removed] == ["tea.txt"]
    run("documents", "restore", "tea.txt")
    run("documents", "purge", "tea.txt", "--yes")
    listed = value(run("documents", "list", "--json"))["documents"]
    assert [d["source"] for d in listed] == ["boats.md"]
    assert value(run("documents", "list", "--removed", "--json"))["documents"] == []


def test_an_error_is_one_object_and_code_1(run: Run, docs: Path) -> None:
    run("ingest", docs)
    result = run("documents", "show", "nothing", "--json", code=1)
    assert value(result)["error"]["title"] == "No such document"
    assert "nothing" in result.stderr
    refused = run("chunks", "--chunking", "fixed:10/10", "--json", code=1)
    assert "10" in value(refused)["error"]["message"]


@pytest.mark.parametrize(
    "arguments",
    [("search",), ("search", "x", "-k", "many"), ("ingest",), ("nonsense",), ("ingest", "--what")],
)
def test_wrong_usage_is_code_2(arguments: tuple[str, ...]) -> None:
    assert CliRunner().invoke(cli, list(arguments)).exit_code == 2


def test_models_need_no_network(run: Run) -> None:
    names = [m["name"] for m in value(run("models", "--json"))["models"]]
    assert names[:2] == ["all-MiniLM-L6-v2", "wordllama-l2-supercat-256"]


def test_a_backup_is_a_whole_workspace(run: Run, docs: Path, tmp_path: Path) -> None:
    run("ingest", docs)
    run("backup", tmp_path / "copy.zip")
    other = tmp_path / "other"
    result = CliRunner().invoke(
        cli, ["restore", str(tmp_path / "copy.zip"), "--workspace", str(other), "--json"]
    )
    assert json.loads(result.stdout)["documents"] == 2
    again = CliRunner().invoke(cli, ["restore", str(tmp_path / "copy.zip"), "-w", str(other)])
    assert again.exit_code == 1


def test_every_command_has_help_and_the_common_options() -> None:
    def walk(command: Any, path: list[str]) -> None:
        for name, sub in getattr(command, "commands", {}).items():
            walk(sub, [*path, name])
        if not getattr(command, "commands", None):
            options = {o for p in command.params for o in p.opts}
            assert {"--workspace", "--verbose", "--json"} <= options, path
            assert command.help, path

    walk(cli, [])


def test_doctor_names_models_store_browser_and_versions(run: Run) -> None:
    checks = value(run("doctor", "--json"))["checks"]
    names = {c["name"] for c in checks}
    assert {"model all-MiniLM-L6-v2", "store", "Chromium", "duckdb"} <= names
