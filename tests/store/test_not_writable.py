"""A workspace that may only be read: a clear word and a way on, whatever the system calls it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.cli import cli
from ragdebug.errors import StoreError
from ragdebug.store import faults

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("The heron wades.", "utf-8")
    with Workbench(tmp_path / "w") as wb:
        wb.ingest([tmp_path / "a.txt"])
    return tmp_path / "w"


@pytest.fixture(params=["Read-only file system", "Permission denied"])
def reason(workspace: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Why the system refuses to open the database for writing (root may do anything)."""

    def refuse(path: str, **_: object) -> None:
        raise duckdb.IOException(f'IO Error: Cannot open file "{path}": {request.param}')

    monkeypatch.setattr(duckdb, "connect", refuse)
    return str(request.param)


def test_the_error_says_which_folder_and_what_to_do(workspace: Path, reason: str) -> None:
    with Workbench(workspace) as wb, pytest.raises(StoreError) as caught:
        wb.search("heron", ["bm25"])
    assert caught.value.title == "Workspace not writable"
    assert str(workspace / "facts.duckdb") in caught.value.message
    assert reason in caught.value.message
    assert str(workspace) in caught.value.hint
    assert "copy" in caught.value.hint
    assert not list(workspace.glob("*damaged*"))


@pytest.mark.parametrize("page", ["app.py", "pages/1_Corpus.py", "pages/3_Search.py"])
def test_a_page_tells_it(
    workspace: Path, reason: str, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDEBUG_WORKSPACE", str(workspace))
    app = AppTest.from_file(str(ROOT / page), default_timeout=60).run()
    assert not app.exception
    (shown,) = app.error
    assert "Workspace not writable" in shown.value
    assert "copy" in shown.value


@pytest.mark.parametrize(
    "command", [("documents", "list"), ("search", "heron", "-s", "bm25"), ("ingest", ".")]
)
def test_the_command_line_tells_it(workspace: Path, reason: str, command: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli, [*command, "--json", "-w", str(workspace)])
    assert result.exit_code == 1
    error = json.loads(result.stdout)["error"]
    assert error["title"] == "Workspace not writable"
    assert "copy" in error["hint"]
    assert reason in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("number", [errno.EPERM, errno.EACCES, errno.EROFS])
def test_a_new_workspace_where_nothing_may_be_made(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with Workbench(tmp_path / "w") as wb, pytest.raises(StoreError) as caught:
        wb.documents()
    assert caught.value.title == "Workspace not writable"
    assert caught.value.hint == f"Change the rights of {tmp_path}, or choose another folder."


def test_a_folder_that_may_not_be_looked_into(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exists = Path.exists

    def refuse(path: Path) -> bool:
        if path.name == "facts.duckdb":
            raise PermissionError(13, "Permission denied", str(path))
        return exists(path)

    monkeypatch.setattr(Path, "exists", refuse)
    with Workbench(workspace) as wb, pytest.raises(StoreError, match="Permission denied"):
        wb.search("heron", ["bm25"])


def test_other_refusals_of_the_system_keep_their_words() -> None:
    full = faults.refused(Path("w/facts.duckdb"), OSError(28, "No space left on device"))
    assert "No space left on device" in full.message
    assert full.title != "Workspace not writable"
    assert full.hint
