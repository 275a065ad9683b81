"""A database of the workspace: cursors, transactions, and its file as a whole."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ragdebug.errors import ChangedMeanwhile, StoreBusy
from ragdebug.store import faults, owners, revisions
from ragdebug.store.aside import set_aside
from ragdebug.store.copies import copy_open, rewrite
from ragdebug.store.migrations import Migration
from ragdebug.store.opening import CONFIG, open_file, replaced
from ragdebug.store.registry import shared

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

T = TypeVar("T")
PAUSE_S = 1.0  # how long to wait for the other threads before a damaged file is set aside


class Database:
    """One DuckDB file. Any number of threads, objects and processes may use it, in turns.

    Args:
        path: the file; made with its folder at the first use.
        migrations: all migrations of its tables.
        wait_s: how long to wait for another process that holds it.
        on_wait: called with a sentence such as "waiting for ragdebug ingest (PID 123)".
        linger_s: how long the file stays open after the last use.
        disposable: whether all of it can be computed again; a damaged file is then set aside and a
            new one started, with a notice.
    """

    def __init__(
        self,
        path: str | Path,
        migrations: Sequence[Migration],
        wait_s: float = 15.0,
        on_wait: Callable[[str], None] | None = None,
        *,
        linger_s: float = 0.5,
        disposable: bool = False,
    ) -> None:
        self._shared = shared(Path(path))
        self.path = self._shared.path
        self.migrations = tuple(migrations)
        self.wait_s = wait_s
        self.on_wait = on_wait
        self.linger_s = linger_s
        self.disposable = disposable

    # Use ------------------------------------------------------------------------------------------

    @contextmanager
    def cursor(self) -> Iterator[DuckDBPyConnection]:
        """A cursor of this thread, for reading; inside `transaction`, the transaction's own.

        Fetch all rows before the block ends, and keep no relation or reader: the file stays locked
        as long as one of them lives.

        Raises:
            StoreBusy: another process held the file for all of `wait_s`.
            StoreDamaged: the file cannot be read.
            StoreTooNew: a newer release wrote it.
        """
        current = getattr(self._shared.local, "transaction", None)
        if current is not None:
            yield current
            return
        with self._new_cursor() as cursor:
            yield cursor

    @contextmanager
    def _new_cursor(self) -> Iterator[DuckDBPyConnection]:
        import duckdb

        connection = self._shared.acquire(self._open, self.wait_s, self.on_wait)
        try:
            cursor = connection.cursor()
            try:
                yield cursor
            finally:
                cursor.close()
        except duckdb.Error as error:
            if faults.is_damage(error) or isinstance(error, duckdb.FatalException):
                self._shared.broken = True  # the next user starts from the file again
            self._shared.damaged |= self.disposable and faults.is_lasting(error)
            raise faults.translate(error, self.path, self.disposable) from error
        finally:
            self._shared.release(self.linger_s)
            if self._shared.damaged:
                self._put_aside()

    def _put_aside(self) -> None:
        """Set a damaged file aside once nobody uses it, so that the next use makes a new one."""
        if getattr(self._shared.local, "depth", 0):
            return
        with suppress(StoreBusy, OSError):  # the next user meets the damage and tries again
            self._shared.claim(PAUSE_S)
            try:
                if self._shared.damaged:  # no other thread was faster
                    self._shared.notices.append(replaced(self.path, set_aside(self.path)))
                    self._shared.damaged = False
            finally:
                self._shared.unclaim()

    def _open(self) -> tuple[DuckDBPyConnection, list[str]]:
        return open_file(self.path, self.migrations, disposable=self.disposable)

    @contextmanager
    def transaction(self, *, counted: bool = True) -> Iterator[DuckDBPyConnection]:
        """All or nothing: commits when the block ends, takes all back when it raises.

        One thread of a process writes at a time. A transaction inside another one of the same
        thread is part of it. Keep it short (a batch of about a second).

        Args:
            counted: whether `revision` counts this save; not for what no list depends on.

        Raises:
            ChangedMeanwhile: somebody else saved the same row first.
        """
        local = self._shared.local
        if getattr(local, "transaction", None) is not None:
            local.counted |= counted
            yield local.transaction
            return
        if not self._shared.writing.acquire(timeout=self.wait_s):
            raise StoreBusy(f"{self.path} is being written to by another thread of this program.")
        try:
            with self._new_cursor() as cursor:
                cursor.execute("BEGIN")
                local.transaction, local.counted, number = cursor, counted, None
                try:
                    yield cursor
                    if local.counted:
                        number = revisions.advance(cursor)
                    cursor.execute("COMMIT")
                except BaseException:
                    _rollback(cursor)
                    raise
                finally:
                    local.transaction = None
                if number is not None:
                    revisions.publish(self.path, number)
        finally:
            self._shared.writing.release()

    def write(self, work: Callable[[DuckDBPyConnection], T], attempts: int = 5) -> T:
        """Run `work` in a transaction, again when somebody else changed the same row.

        Raises:
            ChangedMeanwhile: it happened `attempts` times.
        """
        for attempt in range(attempts):
            try:
                with self.transaction() as cursor:
                    return work(cursor)
            except ChangedMeanwhile:
                if attempt == attempts - 1:
                    raise
                time.sleep(random.uniform(0.005, 0.02) * 2**attempt)
        raise AssertionError("attempts must be 1 or more")

    # State ----------------------------------------------------------------------------------------

    @property
    def notices(self) -> list[str]:
        """Sentences for the user about what was found when the file was opened."""
        return list(self._shared.notices)

    def dismiss_notices(self) -> None:
        """Forget the notices, once a person has read them."""
        self._shared.notices.clear()

    @property
    def is_open(self) -> bool:
        """Whether this process holds the file now."""
        return self._shared.connection is not None

    def revision(self) -> int:
        """A number that grows with every counted save of any process; costs no lock.

        Equal numbers mean that nothing changed.
        """
        number = revisions.read(self.path)
        if number is None:
            with self.cursor() as cursor:
                number = revisions.current(cursor)
        return number

    def holder(self) -> owners.Holder | None:
        """The process noted as having the file open, if any; it may be gone."""
        return owners.read(self.path)

    def close(self) -> None:
        """Let the file go now, unless a thread of this process uses it."""
        self._shared.close()

    # The whole file -------------------------------------------------------------------------------

    def start_new(self) -> list[Path]:
        """Set a damaged file aside, bytes kept, so that the next use starts a new one.

        Returns:
            The names under which file and logs were kept.
        """
        self._shared.claim(self.wait_s)
        try:
            return set_aside(self.path)
        finally:
            self._shared.unclaim()

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy of the database to a file that is not open."""
        with self.cursor() as cursor:
            copy_open(cursor, target)

    def compact(self) -> None:
        """Rewrite the file, so that deleted rows are gone from the disk too.

        Raises:
            StoreBusy: others use it.
        """
        import duckdb

        with self.cursor():
            pass  # up to date, log written back
        self._shared.claim(self.wait_s)
        try:
            deadline = time.monotonic() + self.wait_s
            while True:
                try:
                    rewrite(self.path, CONFIG)
                    return
                except duckdb.Error as error:
                    if not faults.is_locked(error):
                        raise faults.translate(error, self.path) from error
                    if time.monotonic() >= deadline:
                        holder = owners.describe(self.path, faults.holder_pid(error))
                        raise StoreBusy(f"{self.path} is in use by {holder}.") from error
                    owners.wait_sign(self.path)
                    time.sleep(0.05)
        finally:
            owners.end_wait(self.path)
            self._shared.unclaim()


def _rollback(cursor: DuckDBPyConnection) -> None:
    import duckdb

    try:
        cursor.execute("ROLLBACK")
    except duckdb.Error:
        pass  # the failed statement, or a damaged file, has ended the transaction already
