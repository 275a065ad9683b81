"""``ragdebug health``: findings in text and as one JSON object; only a failure ends with 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug import Workbench
from ragdebug.cli import cli
from ragdebug.workbench.health import CHECKS

LONG = " ".join(f"lantern{n} glows" for n in range(200))
DRAFT = "vector+model=wordllama-l2-supercat-256"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("health")
    with Workbench(folder / "workspace") as wb:
        wb.ingest_files(
            [("long.txt", LONG.encode()), ("a.txt", b"The tide turns at noon, says the board."),
             ("b.txt", b"The tide turns at noon, says the board.")]
        )  # fmt: skip
    return folder / "workspace"


def call(workspace: Path, *arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["health", *arguments, "-w", str(workspace)])
    assert result.exit_code == code, result.output
    return result


def value(workspace: Path, *arguments: str) -> dict[str, Any]:
    (line,) = call(workspace, *arguments, "--json").stdout.splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def test_findings_have_counts_and_places_and_do_not_make_the_command_fail(workspace: Path) -> None:
    found = value(workspace, "--strategy", "vector@document,bm25")
    by_code = {f["code"]: f for f in found["findings"]}
    long = by_code["beyond_window"]
    assert (long["count"], long["of"]) == (1, 3)
    assert long["strategies"] == ["vector@document:label"]
    assert [w["page"] for w in long["where"]] == ["chunks"]
    assert long["where"][0]["chunking"] == "document:label"
    assert by_code["duplicate_documents"]["strategies"] == []
    assert sum(found["counts"].values()) == len(found["findings"])
    assert set(found["clean"]) | set(by_code) == set(CHECKS)


def test_without_runs_the_four_presets_are_checked(workspace: Path) -> None:
    found = value(workspace)
    assert [s.partition("@")[0] for s in found["strategies"]] == [
        "vector", "bm25", "hybrid", "reranked",
    ]  # fmt: skip
    assert found["runs"] == []


def test_text_names_each_finding_and_how_many_checks_found_nothing(workspace: Path) -> None:
    out = call(workspace, "--strategy", f"{DRAFT},bm25").stdout
    assert "Documents with the same text: 1 document of 3 has the same text" in out
    assert "corpus: b.txt = a.txt" in out
    assert f"of {len(CHECKS)} checks." in out


def test_a_model_that_is_not_here_is_told_as_unchecked(workspace: Path) -> None:
    found = value(workspace, "--strategy", "vector+model=/nowhere/at/all")
    unchecked = {f["code"] for f in found["findings"] if f["severity"] == "unchecked"}
    assert {"beyond_window", "model_language", "prompts"} <= unchecked
    assert "in_no_chunk" in found["clean"]


def test_hnsw_is_compared_with_exact_search(workspace: Path) -> None:
    with Workbench(workspace) as wb:
        wb.build("structure:220/40", DRAFT.partition("=")[2])
    strategies = f"{DRAFT},bm25,hybrid+model=wordllama-l2-supercat-256"
    asked = ("--index", "--strategy", strategies, "--m", "8", "--ef-search", "16")
    (check,) = value(workspace, *asked)["index"]  # both search in one index
    assert check["strategy"].startswith("vector@structure:220/40")
    assert (check["m"], check["ef_search"], check["ef_search_used"]) == (8, 16, 36)
    assert (check["kind"], check["queries"]) == ("chunk texts", check["chunks"])
    assert {k: r["mean"] for k, r in check["recall"].items()} == {"5": 1, "10": 1, "20": 1}
    assert check["saved_ms"] == check["exact_ms"] - check["hnsw_ms"]
    assert (check["costs"], check["labelled"], check["lost"]) == ([], 0, 0)
    (check,) = value(workspace, *asked, "--sample", "2")["index"]
    assert check["queries"] == 2
    said = call(workspace, *asked, "--sample", "2").stdout
    assert "2 of " in said
    assert "M 8, efSearch 16" in said
    assert "recall at 5   100.0%" in said
    assert "0 chunk texts have other hits among the first five" in said


def test_what_cannot_be_compared_is_refused(workspace: Path, tmp_path: Path) -> None:
    assert "uses vectors" in call(workspace, "--index", "-s", "bm25", code=1).stderr
    assert "belong to --index" in call(workspace, "--m", "8", code=2).stderr
    call(workspace, "--index", "-s", DRAFT, "--m", "1", code=1)
    (tmp_path / "new").mkdir()
    call(tmp_path / "new", "--index", "-s", DRAFT, code=1)


def test_a_strategy_that_does_not_exist_is_refused(workspace: Path) -> None:
    call(workspace, "--strategy", "telepathy", code=1)


def test_an_empty_workspace_has_no_findings(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    assert value(tmp_path / "new")["findings"] == []
