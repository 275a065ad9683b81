"""Keeps what of a database cannot be read, under another name: no byte is thrown away."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from ragdebug.store import revisions


def set_aside(path: Path, *, log_only: bool = False) -> list[Path]:
    """Rename a database and its logs, so that the next opening starts a new one; bytes are kept.

    Returns:
        The new names.
    """
    found = sorted(p for p in path.parent.glob(f"{path.name}.wal*") if p.is_file())
    if not log_only and path.exists():
        found.append(path)
    renamed = []
    for old in found:
        new = _unused(path, old.name.removeprefix(path.name))
        old.rename(new)
        renamed.append(new)
    if not log_only:
        revisions.forget(path)
    return renamed


@contextmanager
def log_kept(path: Path) -> Iterator[Path | None]:
    """A copy of the log that a crash left, as long as it is looked at whether it was whole.

    DuckDB takes a log that was cut short, or that is none, for a complete one and deletes it.
    """
    log = path.with_name(f"{path.name}.wal")
    copy = path.with_name(f"{path.name}.new-{os.getpid()}-wal")
    try:
        found = log.stat().st_size > 0
        if found:
            shutil.copyfile(log, copy)
    except OSError:
        found = False
    try:
        yield copy if found else None
    finally:
        with suppress(OSError):
            copy.unlink()


def keep(path: Path, log: Path | None) -> Path | None:
    """Keep the copy of a log of which not all could be read, unless it was set aside already."""
    if log is None:
        return None
    for aside in path.parent.glob(f"{path.name}.damaged-*.wal"):
        if filecmp.cmp(log, aside, shallow=False):
            return aside
    kept = _unused(path, ".wal")
    log.rename(kept)
    return kept


def _unused(path: Path, tail: str) -> Path:
    """A name for something that is put aside."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    n, new = 1, path.with_name(f"{path.name}.damaged-{stamp}{tail}")
    while new.exists():
        n += 1
        new = path.with_name(f"{path.name}.damaged-{stamp}-{n}{tail}")
    return new
