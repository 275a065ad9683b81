"""Corpora of one chunk, damaged caches, endless lines, and two programs on one workspace."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli

ROOT = Path(__file__).resolve().parents[2]
MODEL = "wordllama-l2-supercat-256"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def run(workspace: Path, *arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [*map(str, arguments), "--json", "-w", str(workspace)])
    assert result.exit_code == code, result.output
    return result


def value(result: Result) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(result.stdout)
    return parsed


def hits(workspace: Path, *strategies: str) -> dict[str, list[tuple[str, float]]]:
    names = ",".join(strategies)
    found = value(run(workspace, "search", "a heron", "-s", names, "--model", MODEL))["lists"]
    assert all(one["error"] is None for one in found.values())
    return {n: [(h["chunk"], h["score"]) for h in one["hits"]] for n, one in found.items()}


@pytest.fixture
def heron(workspace: Path, tmp_path: Path) -> Path:
    file = tmp_path / "heron.txt"
    file.write_text("The heron wades in the reeds.", "utf-8")
    run(workspace, "ingest", file)
    return file


def test_hnsw_finds_the_one_chunk_there_is(workspace: Path, heron: Path) -> None:
    approximate = hits(workspace, "vector+index=hnsw", "hybrid+index=hnsw")
    exact = hits(workspace, "vector", "hybrid")
    assert list(approximate.values()) == list(exact.values())
    assert all(len(found) == 1 for found in exact.values())


@pytest.mark.parametrize("whole", [True, False])
def test_a_damaged_cache_without_saved_indexes_is_made_again_and_told(
    workspace: Path, heron: Path, whole: bool
) -> None:
    before = hits(workspace, "vector", "bm25", "hybrid")
    shutil.rmtree(workspace / "indexes")
    cache = workspace / "vectors.duckdb"
    data = cache.read_bytes()
    cache.write_bytes(b"\x5a" * len(data) if whole else data[: len(data) // 3])
    names = ("vector", "bm25", "hybrid")
    result = run(workspace, "search", "a heron", "-s", ",".join(names), "--model", MODEL)
    found = value(result)["lists"]
    assert {n: [(h["chunk"], h["score"]) for h in found[n]["hits"]] for n in names} == before
    assert "vectors.duckdb was damaged" in result.stderr
    assert list(workspace.glob("vectors.duckdb.damaged-*"))
    assert "damaged" not in run(workspace, "documents", "list").stderr


def test_a_long_line_is_cut_and_an_endless_one_refused(workspace: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    folder.mkdir()
    (folder / "long.txt").write_text("rain " * 40_000 + "heron", "utf-8")
    (folder / "word.txt").write_text("x" * 200_000, "utf-8")
    (folder / "endless.txt").write_text("rain " * 2_000_001, "utf-8")
    report = value(run(workspace, "ingest", folder, code=1))
    assert report["counts"] == {"added": 2, "failed": 1}
    (failed,) = [d for d in report["documents"] if d["status"] == "failed"]
    assert "endless.txt: line 1 is longer than 10,000,000" in failed["error"]
    assert failed["hint"]
    chunks = value(run(workspace, "chunks", "-c", "structure:220/40"))["chunks"]
    assert max(c["tokens"] for c in chunks if c["source"] == "long.txt") <= 220
    found = value(run(workspace, "search", "heron", "-s", "bm25"))["lists"]["bm25"]["hits"]
    assert found[0]["text"].endswith("heron")


# What pages do: ask again and again, and keep the files open for a moment in between.
APP = """
import sys, time
from ragdebug import Workbench

with Workbench(sys.argv[1]) as wb:
    print("open", flush=True)
    seen = 0
    until = time.monotonic() + 60
    while seen < 5 and time.monotonic() < until:
        seen = len(wb.documents())
        found = wb.search("heron", ["bm25"]).lists["bm25"]
        assert not found.error, found.error
        time.sleep(0.01)
    print(seen, found.total, flush=True)
"""


def test_the_command_line_and_another_program_take_turns(
    workspace: Path, heron: Path, tmp_path: Path
) -> None:
    arguments = [sys.executable, "-c", APP, str(workspace)]
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as app:
        try:
            assert app.stdout is not None
            assert app.stdout.readline() == "open\n"
            for n in range(4):
                file = tmp_path / f"{n}.txt"
                file.write_text(f"Heron number {n}.", "utf-8")
                run(workspace, "ingest", file)
                assert len(value(run(workspace, "documents", "list"))["documents"]) == n + 2
            assert app.communicate(timeout=90)[0] == "5 5\n"
        finally:
            app.kill()
    assert app.returncode == 0


def test_an_approximate_index_is_said_once_and_remembered(workspace: Path, heron: Path) -> None:
    asked = ("search", "a heron", "-s", "vector+index=hnsw", "--model", MODEL)
    line = "Building the approximate index, 1 vector\n"
    assert run(workspace, *asked).stderr.count(line) == 1
    assert run(workspace, *asked).stderr.count(line) == 0
