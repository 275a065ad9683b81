"""Workspaces and small corpora for the use cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench

DRAFT = "model=wordllama-l2-supercat-256"  # embeds a small corpus in no time


@pytest.fixture
def wb(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "workspace") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    return made


def write(folder: Path, **files: str) -> None:
    """Write text files; "__" in a name stands for "/", the last "_" for "."."""
    for name, text in files.items():
        stem, _, suffix = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
