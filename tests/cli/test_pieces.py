"""Chunks of another system from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli

Run = Callable[..., Result]
PIECES = [
    {
        "page_content": "A heron stands in the reeds.",
        "metadata": {"source": "birds.txt"},
        "id": "p1",
    },
    {"page_content": "A heron  stands\nstill.", "metadata": {"source": "birds.txt"}, "id": "p2"},
    {"page_content": "Nobody wrote this.", "metadata": {"source": "birds.txt"}, "id": "p3"},
    {"page_content": "Copper is red.", "metadata": {"source": "metals.txt"}, "id": "p4"},
]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str | Path, code: int = 0) -> Result:
        workspace = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, [*map(str, arguments), *workspace])
        assert result.exit_code == code, result.output
        return result

    (tmp_path / "birds.txt").write_text("A heron stands in the reeds. A heron stands still.\n")
    (tmp_path / "pieces.jsonl").write_text(
        "".join(json.dumps(p) + "\n" for p in PIECES) + "{broken\n", "utf-8"
    )
    call("ingest", tmp_path / "birds.txt")
    return call


def test_a_file_of_chunks_becomes_a_chunking(run: Run, tmp_path: Path) -> None:
    told = json.loads(
        run("ingest", "--chunks", tmp_path / "pieces.jsonl", "--name", "theirs", "--json").stdout
    )
    assert told["chunking"] == "imported:theirs"
    assert told["placed"] == {"exact": 2, "folded": 1}
    assert [r["id"] for r in told["not_placed"]] == ["p3"]
    assert told["made_of_pieces"] == ["metals.txt"]
    assert told["problems"][0]["line"] == 5
    cut = json.loads(run("chunks", "birds.txt", "-c", "imported:theirs", "--json").stdout)
    assert [(c["start"], c["end"]) for c in cut["chunks"]] == [(None, None), (0, 28), (29, 50)]
    assert "not placed" in run("chunks", "birds.txt", "-c", "imported:theirs").stdout
    found = json.loads(run("search", "heron", "-s", "bm25@imported:theirs", "--json").stdout)
    assert [h["start"] for h in found["lists"]["bm25"]["hits"]] == [0, 29]


def test_text_says_what_stands_nowhere_and_what_was_made(run: Run, tmp_path: Path) -> None:
    told = run("ingest", "--chunks", tmp_path / "pieces.jsonl", "--dry-run").stdout
    assert "4 chunks of pieces.jsonl; would be searched as imported:pieces" in told
    assert "not placed: p3 of birds.txt: 'Nobody wrote this.'" in told
    assert "metals.txt" in told and "line 5" in told
    assert "None yet" in run("pieces", "list").stdout


def test_sets_are_listed_removed_and_brought_back(run: Run, tmp_path: Path) -> None:
    run("ingest", "--chunks", tmp_path / "pieces.jsonl", "--name", "theirs")
    assert "imported:theirs" in run("pieces", "list").stdout
    run("pieces", "remove", "imported:theirs")
    assert "no set of chunks theirs" in run("pieces", "show", "theirs", code=1).output
    (gone,) = json.loads(run("pieces", "list", "--removed", "--json").stdout)["sets"]
    run("pieces", "restore", gone["id"])
    assert "placed: 2 by their text" in run("pieces", "show", "theirs").stdout


def test_columns_can_be_said_by_hand(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("wo,was\nbirds.txt,A heron stands still.\n")
    assert "text" in run("ingest", "--chunks", tmp_path / "odd.csv", code=1).output
    told = run(
        "ingest", "--chunks", tmp_path / "odd.csv", "--column", "text=was", "--column", "source=wo"
    ).stdout
    assert "placed: 1 by their text" in told


def test_options_of_chunks_need_a_file_of_chunks(run: Run, tmp_path: Path) -> None:
    assert "--chunks" in run("ingest", tmp_path / "birds.txt", "--name", "x", code=2).output
    assert "--chunks" in run("ingest", code=2).output
