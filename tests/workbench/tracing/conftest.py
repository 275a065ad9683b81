"""Workspaces with the corpus of `corpus`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench
from tests.workbench.tracing.corpus import opened


@pytest.fixture
def wb(tmp_path: Path) -> Iterator[Workbench]:
    with opened(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def shared() -> Iterator[Workbench]:
    """The same, for tests that change nothing in it."""
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as made:
        yield made
