"""Opens a database file once: new, old, half upgraded, damaged, or with a log that is damaged."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdebug.store import faults, revisions
from ragdebug.store.aside import keep, log_kept, set_aside
from ragdebug.store.copies import copy_open
from ragdebug.store.disk import sweep
from ragdebug.store.migrations import Migration, apply, is_empty, newest, version_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Nothing is fetched or loaded behind the user's back, and a variable of ours is never a table.
CONFIG: dict[str, Any] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "memory_limit": "1GB",  # of each open file; beyond it DuckDB uses the disk
}


def open_file(
    path: Path, migrations: Sequence[Migration], *, disposable: bool = False
) -> tuple[DuckDBPyConnection, list[str]]:
    """Open a database, make it when it is not there, bring its tables up to date.

    Args:
        path: the file.
        migrations: all of them.
        disposable: whether a damaged file may be set aside and made anew without asking, since
            everything in it can be computed again.

    Returns:
        The connection, and sentences for the user about what was found.

    Raises:
        duckdb.Error: only when another program holds the file.
        StoreTooNew: the file, or its tables, are of a later release.
        StoreDamaged: nothing of it can be opened; the file is left as it is.
        StoreError: the disk or its permissions are in the way.
    """
    notices: list[str] = []
    try:
        sweep(path)
        created = not path.exists() or path.stat().st_size == 0
    except OSError as error:  # its folder may not be looked into
        raise faults.refused(path, error) from error
    if created:
        _create(path, migrations)
    with log_kept(path) as log:
        connection, lost = _connect(path, migrations, disposable, notices)
        if lost and not (created and disposable):
            notices.append(_loss(path, lost, created, keep(path, log)))
    return connection, notices


def _connect(
    path: Path, migrations: Sequence[Migration], disposable: bool, notices: list[str]
) -> tuple[DuckDBPyConnection, int]:
    """The connection, up to date, and how many saves it lacks."""
    import duckdb

    connection: DuckDBPyConnection
    try:
        connection = duckdb.connect(str(path), config=CONFIG)
    except duckdb.Error as error:
        if faults.is_locked(error):
            raise
        connection = _open_damaged(path, migrations, error, disposable, notices)
    try:
        _bring_up_to_date(connection, path, migrations, notices)
        lost = revisions.settle(connection, path)
    except duckdb.Error as error:
        with suppress(duckdb.Error):
            connection.close()
        if not (disposable and faults.is_lasting(error)):
            raise faults.translate(error, path) from error
        connection, lost = _start_again(path, migrations, notices), 0
    except BaseException:
        connection.close()
        raise
    return connection, lost


def _loss(path: Path, lost: int, created: bool, log: Path | None) -> str:
    if created:
        return f"{path.name} was gone, with all that was saved in it. A new one was started."
    saves = "save" if lost == 1 else f"{lost} saves"
    kept = f" The log was kept as {log.name}." if log else ""
    return (
        f"{path.name} lacks the last {saves} made here: its log was cut short, or an older copy "
        f"was put in its place.{kept}"
    )


def _create(path: Path, migrations: Sequence[Migration]) -> None:
    """Make a new database under another name first: a crash never leaves half a file."""
    import duckdb

    made = path.with_name(f"{path.name}.new-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"{made.name}*"):
            old.unlink()
        with duckdb.connect(str(made), config=CONFIG) as connection:
            apply(connection, migrations)
        if path.exists() and path.stat().st_size == 0:
            path.unlink()
        try:
            os.link(made, path)  # fails when another process was faster
        except FileExistsError:
            pass
        except OSError:  # a disk without links
            if not path.exists():
                made.rename(path)
        made.unlink(missing_ok=True)
    except duckdb.Error as error:
        raise faults.translate(error, path) from error
    except OSError as error:
        raise faults.refused(path, error) from error


def _open_damaged(
    path: Path,
    migrations: Sequence[Migration],
    error: Exception,
    disposable: bool,
    notices: list[str],
) -> DuckDBPyConnection:
    """Open a file whose log or body cannot be read, without what cannot be read."""
    import duckdb

    if faults.is_newer(error) or faults.is_system(error):
        raise faults.translate(error, path) from error
    logs = set_aside(path, log_only=True)
    if logs:
        try:
            connection = duckdb.connect(str(path), config=CONFIG)
        except duckdb.Error as second:
            for log in logs:  # the log was not the reason; leave all as it was
                log.rename(path.with_name(path.name + log.name[log.name.index(".wal") :]))
            if faults.is_locked(second):
                raise
            error = second
        else:
            notices.append(
                f"The log of the last writes to {path.name} was damaged, as after a crash or on a "
                f"full disk. Writes that stood only there are lost; all that was saved before is "
                f"here. The log was kept as {', '.join(p.name for p in logs)}."
            )
            return connection
    if not disposable:
        raise faults.damaged(path, error) from error
    return _start_again(path, migrations, notices)


def _start_again(
    path: Path, migrations: Sequence[Migration], notices: list[str]
) -> DuckDBPyConnection:
    """Put a damaged file that can be computed again aside, and open a new one."""
    import duckdb

    notices.append(replaced(path, set_aside(path)))
    _create(path, migrations)
    connection: DuckDBPyConnection = duckdb.connect(str(path), config=CONFIG)
    return connection


def replaced(path: Path, kept: Sequence[Path]) -> str:
    """The notice about a damaged file that was put aside and made anew."""
    return (
        f"{path.name} was damaged. It holds nothing that cannot be computed again, so a new one "
        f"was started; the old file was kept as {', '.join(p.name for p in kept)}."
    )


def _bring_up_to_date(
    connection: DuckDBPyConnection,
    path: Path,
    migrations: Sequence[Migration],
    notices: list[str],
) -> None:
    found, known = version_of(connection), newest(migrations)
    if found > known:
        raise faults.too_new(path, found, known)
    if found == known:
        return
    if not is_empty(connection):
        backup = path.with_name(f"{path.name}.v{found}.bak")
        copy_open(connection, backup)
        notices.append(
            f"{path.name} was brought from version {found} to {known}; "
            f"a copy of the old one is {backup.name}."
        )
    apply(connection, migrations)
