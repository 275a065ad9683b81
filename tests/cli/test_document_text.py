"""A better text of a page from the command line, and the way back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli
from ragdebug.places import sample_folder

Run = Callable[..., Result]
MANUAL = sample_folder() / "manuals" / "kw480-service-manual.pdf"
NAME = MANUAL.name
EMPTY = "6"  # its page without a text layer
WORDS = "The rotary valve is greased with white paste every ninth month."


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A command on a workspace with a PDF of several pages and a text without pages."""

    def call(*arguments: str | Path, code: int = 0, input: str | bytes | None = None) -> Result:  # noqa: A002 - what click calls it
        workspace = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, [*map(str, arguments), *workspace], input=input)
        assert result.exit_code == code, result.output
        return result

    (tmp_path / "plain.txt").write_text("One page at most.", "utf-8")
    call("ingest", MANUAL, tmp_path / "plain.txt")
    return call


def text(run: Run, *arguments: str) -> str:
    return run("documents", "text", NAME, *arguments).stdout_bytes.decode("utf-8")


def value(result: Result) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(result.stdout)
    return parsed


def stage(run: Run) -> str:
    asked = ("--query", "white paste", "--evidence", WORDS, "-s", "bm25", "--json")
    return str(value(run("why", *asked))["stage"])


def test_a_page_is_printed_as_it_stands_in_the_whole(run: Run) -> None:
    whole, page = text(run), text(run, "--page", "2")
    assert page.strip()
    assert page in whole
    assert len(page) < len(whole)
    found = value(run("documents", "text", NAME, "--page", "2", "--json"))
    assert (found["text"], found["page"]) == (page, 2)


def test_a_page_gets_a_better_text_and_its_own_again(run: Run, tmp_path: Path) -> None:
    before = text(run)
    (tmp_path / "page six.txt").write_bytes(f"\ufeff{WORDS}\r\n".encode())
    assert stage(run) == "not_in_corpus"
    made = value(
        run("documents", "text", NAME, "--page", EMPTY, "--set", tmp_path / "page six.txt",
            "--json")
    )  # fmt: skip
    assert (made["source"], made["page"], made["pages_set"]) == (NAME, 6, [6])
    assert (made["chars"], made["chars_before"]) == (len(WORDS), 0)
    assert text(run, "--page", EMPTY).strip() == WORDS
    assert stage(run) == "delivered"
    # What was read before is still there, by its version.
    assert text(run, "--version", made["version_before"]) == before
    said = run("documents", "text", NAME, "--page", EMPTY, "--unset").stdout
    assert f"{NAME}, page 6: 0 characters, before {len(WORDS)}" in said
    assert "that was read from the file is back" in said
    assert text(run) == before
    assert stage(run) == "not_in_corpus"


def test_the_text_may_come_from_standard_input_and_the_way_back_is_said(run: Run) -> None:
    said = run("documents", "text", NAME, "--page", EMPTY, "--set", "-", input=WORDS).stdout
    assert said == (
        f"{NAME}, page 6: {len(WORDS)} characters, before 0\n"
        "The file and its own text stay; back to it with: "
        f"ragdebug documents text {NAME} --page 6 --unset\n"
    )
    assert text(run, "--page", EMPTY).strip() == WORDS


def test_what_cannot_be_is_refused_with_the_reason(run: Run, tmp_path: Path) -> None:
    before = text(run)
    (tmp_path / "latin.txt").write_bytes("Öl".encode("latin-1"))
    (tmp_path / "blank.txt").write_text("\n  \n", "utf-8")
    given = ("documents", "text", NAME, "--page", EMPTY, "--set")
    assert "not UTF-8" in run(*given, tmp_path / "latin.txt", code=1).stderr
    assert "--unset" in run(*given, tmp_path / "blank.txt", code=1).stderr
    run(*given, tmp_path / "nowhere.txt", code=2)
    run("documents", "text", NAME, "--page", "99", "--set", "-", input="x", code=1)
    run("documents", "text", NAME, "--page", "99", code=1)
    run("documents", "text", "plain.txt", "--page", "1", "--set", "-", input="x", code=1)
    run("documents", "text", NAME, "--set", "-", input="x", code=2)
    run("documents", "text", NAME, "--unset", code=2)
    run(*given, "-", "--unset", input="x", code=2)
    assert "already" in run("documents", "text", NAME, "--page", "2", "--unset").stdout
    assert text(run) == before
