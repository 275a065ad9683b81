"""A copy of the facts that queries of people are run on, made again when something was saved."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import threading
from pathlib import Path

from ragdebug.store.connection import Database
from ragdebug.store.disk import alive

_NAME = re.compile(r"facts-(\d+)-\d+\.duckdb")
_numbers = itertools.count(1)

State = tuple[tuple[int, int, int], ...]


class ConsoleCopy:
    """Copies in a folder of the workspace, one of each process.

    Args:
        db: the database of facts.
        folder: where the copies lie; made when the first is.
    """

    def __init__(self, db: Database, folder: Path) -> None:
        self.db = db
        self.folder = folder
        self._lock = threading.Lock()
        self._made: tuple[State, Path] | None = None

    def fresh(self) -> Path:
        """A copy with all that was saved up to now.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._lock:
            state = self._state()
            if self._made is not None and self._made[0] == state and self._made[1].exists():
                return self._made[1]
            self.folder.mkdir(parents=True, exist_ok=True)
            made = self.folder / f"facts-{os.getpid()}-{next(_numbers)}.duckdb"
            with self.db.cursor():
                state = self._state()  # of the open file; what is saved from here on changes it
                self.db.copy_to(made)
            self._sweep()
            self._made = (state, made)
            return made

    def clear(self) -> list[Path]:
        """Delete the copies of all processes; returns those that could not be deleted."""
        with self._lock:
            self._made = None
            return [p for p in self._all() if not _deleted(p)]

    def close(self) -> None:
        """Delete the copy of this object."""
        with self._lock:
            if self._made is not None:
                _deleted(self._made[1])
            self._made = None

    def _state(self) -> State:
        """What changes with every save of any process; the file is not opened."""
        found = []
        for path in (self.db.path, self.db.path.with_name(f"{self.db.path.name}.wal")):
            try:
                now = path.stat()
            except OSError:
                found.append((0, 0, 0))
            else:
                found.append((now.st_ino, now.st_mtime_ns, now.st_size))
        return tuple(found)

    def _sweep(self) -> None:
        """Delete this object's last copy, and those that dead processes left."""
        if self._made is not None:
            _deleted(self._made[1])
        for path in self._all():
            named = _NAME.match(path.name)
            if named and not alive(int(named[1])):
                _deleted(path)

    def _all(self) -> list[Path]:
        return sorted(self.folder.glob("facts-*")) if self.folder.is_dir() else []


def _deleted(path: Path) -> bool:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    return not path.exists()
