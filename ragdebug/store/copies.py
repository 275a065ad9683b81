"""Consistent copies of a database, made by DuckDB itself.

Never open a database file that this process has open by other means, not even to read it: closing
that second handle would drop the lock of the first (POSIX locks belong to the process).
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdebug.errors import StoreBusy
from ragdebug.store.sql import one

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def copy_open(cursor: DuckDBPyConnection, target: Path) -> None:
    """Copy the database of a cursor, as it is at this moment, to a file; replaces it whole."""
    name = one(cursor, "SELECT current_database()")
    assert name is not None
    copy_attached(cursor, str(name[0]), target)


def copy_attached(cursor: DuckDBPyConnection, name: str, target: Path) -> None:
    """Copy a database that is attached under `name` to a file; replaces it whole."""
    made = target.with_name(f"{target.name}.new-{os.getpid()}-{threading.get_ident()}")
    for old in made.parent.glob(f"{made.name}*"):
        old.unlink()
    try:
        alias = f"copy_{threading.get_ident()}"  # names are seen by all cursors of a file
        cursor.execute(f"ATTACH ? AS {alias}", [str(made)])
        try:
            cursor.execute(f"COPY FROM DATABASE {quoted(name)} TO {alias}")
            cursor.execute(f"CHECKPOINT {alias}")
        finally:
            cursor.execute(f"DETACH {alias}")
        os.replace(made, target)
    finally:
        for left in made.parent.glob(f"{made.name}*"):
            left.unlink()


def rewrite(path: Path, config: dict[str, Any]) -> None:
    """Copy a database to a new file and put that in its place.

    The old file is attached for reading meanwhile: its lock keeps other processes out until the
    new one is in place, and a reader never touches the log.

    Raises:
        duckdb.Error: another process holds the file.
        StoreBusy: another process has left a log.
    """
    import duckdb

    made = path.with_name(f"{path.name}.compact-{os.getpid()}-{threading.get_ident()}")
    with duckdb.connect(config=config) as connection:
        connection.execute("ATTACH ? AS old_store (READ_ONLY)", [str(path)])
        if path.with_name(f"{path.name}.wal").exists():
            raise StoreBusy(f"{path} was written to meanwhile; it was not rewritten.")
        copy_attached(connection, "old_store", made)
        os.replace(made, path)
        connection.execute("DETACH old_store")


def quoted(name: str) -> str:
    """A name as SQL takes it literally."""
    return '"' + name.replace('"', '""') + '"'
