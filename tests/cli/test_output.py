"""What commands print where output, names or usage are not as one would like."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ragdebug.cli import cli
from ragdebug.cli.base import Session, printable
from ragdebug.workbench import Workbench


def error_of(stdout: str) -> dict[str, Any]:
    value = json.loads(stdout)
    assert set(value) == {"error"}
    error: dict[str, Any] = value["error"]
    return error


@pytest.mark.parametrize("arguments", [("search",), ("ingest", "x", "--rows", "y"), ("nonsense",)])
def test_wrong_usage_is_one_object_too(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli, [*arguments, "--json"])
    assert result.exit_code == 2
    assert error_of(result.stdout)["title"] == "Wrong usage"
    assert "Usage:" in result.stderr


def test_a_question_that_nobody_answers_is_one_object_too(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A line of text.", "utf-8")
    workspace = ["-w", str(tmp_path / "w"), "--json"]
    CliRunner().invoke(cli, ["ingest", str(tmp_path / "a.txt"), *workspace])
    result = CliRunner().invoke(cli, ["documents", "purge", "a.txt", *workspace], input="")
    assert result.exit_code == 1
    assert error_of(result.stdout)["title"] == "Stopped"


def test_a_fault_of_the_program_is_told_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr(Workbench, "documents", broken)
    result = CliRunner().invoke(cli, ["documents", "list", "--json", "-w", str(tmp_path)])
    assert result.exit_code == 1
    assert error_of(result.stdout)["message"] == "RuntimeError: odd"
    assert "Traceback" not in result.stderr


def test_a_query_of_bytes_that_are_no_text_is_answered(tmp_path: Path) -> None:
    workspace = ["-s", "bm25", "-w", str(tmp_path)]
    asked = CliRunner().invoke(cli, ["search", "caf\udce9", "--json", *workspace])
    assert asked.exit_code == 0
    assert json.loads(asked.stdout)["query"] == "caf\udce9"
    refused = CliRunner().invoke(cli, ["search", "x", "--filter", "\udce9", *workspace])
    assert refused.exit_code == 1
    assert "\\udce9" in refused.stderr


@pytest.mark.parametrize("as_json", [True, False])
def test_an_output_that_lacks_the_characters_still_gets_the_result(
    as_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="latin-1"))
    Session(Path(), verbose=False, json=as_json).result({"name": "é→"}, "é→")
    sys.stdout.flush()
    shown = written.getvalue().decode("latin-1").strip()
    assert (json.loads(shown) == {"name": "é→"}) if as_json else (shown == "é\\u2192")


def test_names_cannot_steer_the_terminal() -> None:
    assert printable("a\x1b[31mb\tc\nd\r\x07") == "a\ufffd[31mb\tc\nd\ufffd\ufffd"
