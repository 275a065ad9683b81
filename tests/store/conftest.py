"""Databases in temporary folders, documents to save, and other processes to share them with."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS
from ragdebug.store.workspace import Store
from tests.store.helpers import Start, start_process


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test's database of facts lies."""
    return tmp_path / "workspace" / "facts.duckdb"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    """A database of facts that is closed as soon as nobody uses it."""
    made = Database(path, FACTS, linger_s=0)
    yield made
    made.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """All stores of a new workspace."""
    made = Store(tmp_path / "workspace")
    yield made
    made.close()


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts Python code in a process of its own; what is left is killed after the test.

    The code gets the arguments as `args` and says with ``say("ready")`` that it is where it should
    be; `start` returns then.
    """
    running: list[subprocess.Popen[str]] = []

    def run(code: str, *args: object, wait: bool = True) -> subprocess.Popen[str]:
        process = start_process(code, *args)
        running.append(process)
        if wait:
            assert process.stdout is not None
            line = process.stdout.readline()
            if line.strip() != "ready":
                pytest.fail(f"{line}{process.communicate()[1]}")
        return process

    yield run
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()
