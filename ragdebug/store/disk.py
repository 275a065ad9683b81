"""Small things about files that more than one store needs."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make a rename in a folder survive a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_tree(folder: Path) -> None:
    """Bring all files of a folder to the disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            with contextlib.suppress(OSError):
                handle = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder; files that vanish meanwhile count nothing."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file():
                total += path.stat().st_size
    return total


_HALF_MADE = re.compile(r"\.(?:new|compact)-(\d+)")


def sweep(path: Path) -> None:
    """Delete the half made copies of a file that a killed process left beside it."""
    for left in path.parent.glob(f"{path.name}.*"):
        found = _HALF_MADE.search(left.name)
        if found and not alive(int(found[1])):
            with contextlib.suppress(OSError):
                left.unlink()


def alive(pid: int) -> bool:
    """Whether a process with this id exists; True where that cannot be told."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
