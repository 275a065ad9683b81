"""A counter of saves, in the database and in a small file beside it.

The file lets any process see in microseconds, without the lock, whether somebody saved something.
Since it is written after each commit, it also tells when a database lost saves it once confirmed:
DuckDB takes a log that was cut in half for a complete one.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ragdebug.store.migrations import read_meta, write_meta

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def _file(database: Path) -> Path:
    return database.with_name(f"{database.name}.revision")


def read(database: Path) -> int | None:
    """The number of the last save, None when it is not known without opening the database."""
    try:
        return int(_file(database).read_text("ascii"))
    except (OSError, ValueError):
        return None


def publish(database: Path, number: int) -> None:
    """Write the number of the last save where others see it."""
    # Same length always and one write: a reader sees the old number or the new one.
    with contextlib.suppress(OSError):
        handle = os.open(_file(database), os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            os.write(handle, b"%020d" % number)
        finally:
            os.close(handle)


def forget(database: Path) -> None:
    """Take the file away, with the database it belonged to."""
    _file(database).unlink(missing_ok=True)


def current(cursor: DuckDBPyConnection) -> int:
    """The number of the last save, as the database has it."""
    return int(read_meta(cursor, "revision") or 0)


def advance(cursor: DuckDBPyConnection) -> int:
    """Count one save up, in the transaction at hand; returns the new number."""
    number = current(cursor) + 1
    write_meta(cursor, "revision", str(number))
    return number


def settle(cursor: DuckDBPyConnection, database: Path) -> int:
    """Make file and database agree after opening.

    Returns:
        How many confirmed saves the database has lost; 0 nearly always.
    """
    inside, outside = current(cursor), read(database)
    lost = max(0, (outside or 0) - inside)
    if lost:  # the counter never goes back: others compare it with what they saw last
        inside = (outside or 0) + 1
        write_meta(cursor, "revision", str(inside))
    if inside != outside:
        publish(database, inside)
    return lost
