"""One connection per database file in this process, open only while somebody uses it.

DuckDB lets one process at a time write a file. So the file is opened at the first use, kept open
for a moment after the last one, since uses come in bursts, and then closed for the others. When
another process waits, it is closed at the next pause, and left alone long enough to be taken.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ragdebug.errors import StoreBusy, StoreError
from ragdebug.store import faults, owners

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Opener = Callable[[], "tuple[DuckDBPyConnection, list[str]]"]

RETRY_S = 0.05
TELL_AFTER_S = 0.4  # shorter waits are not worth a word
TURN_S = 1.0  # longest time to go on without a pause while another process waits
YIELD_S = 0.25  # how long the file is left alone for the one that waits
DRAIN_S = 2.0  # longest time to wait for the other threads of this process to pause


class SharedConnection:
    """The connection of one file, with all that its users in this process share.

    Attributes:
        notices: sentences for the user about what was found at opening.
        writing: held by the one thread that writes.
        broken: the connection is not to be used any more; the file may be as it should.
        damaged: the file is not, and will be set aside at the next pause if it can be made anew.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self._reset()

    def _reset(self) -> None:
        self.condition = threading.Condition()
        self.writing = threading.Lock()
        self.local = threading.local()
        self.connection: DuckDBPyConnection | None = None
        self.users = 0
        self.opening = False
        self.exclusive = False
        self.broken = False
        self.damaged = False
        self.forked = False
        self.opened_at = 0.0
        self.closes_at = 0.0
        self.yielded_at = 0.0
        self.timer: threading.Timer | None = None

    # Use ------------------------------------------------------------------------------------------

    def acquire(
        self, opener: Opener, wait_s: float, on_wait: Callable[[str], None] | None
    ) -> DuckDBPyConnection:
        """Count a user in and give the connection, opening the file where needed.

        Raises:
            StoreBusy: another process held the file for all of `wait_s`.
        """
        deadline = time.monotonic() + wait_s
        with self.condition:
            if self.forked:
                raise StoreError(
                    f"{self.path} was open when this process was split off (fork).",
                    hint="Start processes by spawn, or open the workspace in the new one only.",
                )
            nested = getattr(self.local, "depth", 0) > 0
            if not nested:
                self._give_turn(deadline)
            while self.opening or (self.exclusive and not nested):
                if not self.condition.wait(max(0.0, deadline - time.monotonic())):
                    raise self._busy("another thread of this program")
            if self.connection is not None and not (self.broken and self.users == 0):
                return self._count_in()
            self._close_now()
            self.opening = True
        try:
            connection, notices = self._open(opener, deadline, on_wait)
        except BaseException:
            with self.condition:
                self.opening = False
                self.condition.notify_all()
            raise
        with self.condition:
            self.opening = False
            self.connection = connection
            self.opened_at = time.monotonic()
            self.notices.extend(n for n in notices if n not in self.notices)
            self.condition.notify_all()
            return self._count_in()

    def _count_in(self) -> DuckDBPyConnection:
        assert self.connection is not None
        self.users += 1
        self.local.depth = getattr(self.local, "depth", 0) + 1
        return self.connection

    def release(self, linger_s: float) -> None:
        """Count a user out; the last one leaves the file open for `linger_s` more seconds."""
        with self.condition:
            self.users -= 1
            self.local.depth -= 1
            if self.users == 0:
                if self.broken or linger_s <= 0:
                    self._close_now()
                elif owners.someone_waits(self.path):
                    self._close_now()
                    self.yielded_at = time.monotonic()
                else:
                    self.closes_at = time.monotonic() + linger_s
                    self._arm(linger_s)
            self.condition.notify_all()

    def _give_turn(self, deadline: float) -> None:
        """Let the other threads finish and the file go, when a process has waited long enough."""
        if self.connection is None or time.monotonic() - self.opened_at < TURN_S:
            return
        if not owners.someone_waits(self.path):
            return
        until = min(deadline, time.monotonic() + DRAIN_S)
        while self.connection is not None and self.users > 0:
            # Bounded: a thread may hold a cursor while it waits for what this one brings.
            if not self.condition.wait(max(0.0, until - time.monotonic())):
                return
        if self.connection is not None:
            self._close_now()
            self.yielded_at = time.monotonic()

    # Opening and closing --------------------------------------------------------------------------

    def _open(
        self, opener: Opener, deadline: float, on_wait: Callable[[str], None] | None
    ) -> tuple[DuckDBPyConnection, list[str]]:
        import duckdb

        pause = self.yielded_at + YIELD_S - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        started, told = time.monotonic(), ""
        try:
            while True:
                try:
                    opened = opener()
                except duckdb.Error as error:
                    if not faults.is_locked(error):
                        raise faults.translate(error, self.path) from error
                    holder = owners.describe(self.path, faults.holder_pid(error))
                    now = time.monotonic()
                    if now >= deadline:
                        raise self._busy(holder) from error
                    if on_wait and holder != told and now - started >= TELL_AFTER_S:
                        told = holder
                        on_wait(f"waiting for {holder}")
                    owners.wait_sign(self.path)
                    time.sleep(min(RETRY_S, max(0.0, deadline - now)))
                else:
                    owners.note(self.path)
                    return opened
        finally:
            owners.end_wait(self.path)

    def _busy(self, holder: str) -> StoreBusy:
        return StoreBusy(
            f"{self.path} is in use by {holder}.",
            hint="Try again when it has finished; nothing was lost.",
        )

    def _close_now(self) -> None:
        """Close the file; the caller holds the condition."""
        connection, self.connection = self.connection, None
        self.broken = False
        if connection is None:
            return
        owners.clear(self.path)
        connection.close()

    def _arm(self, seconds: float) -> None:
        if self.timer is None:
            self.timer = threading.Timer(seconds, self._on_timer)
            self.timer.daemon = True
            self.timer.start()

    def _on_timer(self) -> None:
        with self.condition:
            self.timer = None
            if self.users == 0 and not self.opening and self.connection is not None:
                left = self.closes_at - time.monotonic()
                if left <= 0:
                    self._close_now()
                else:
                    self._arm(left)

    def close(self) -> None:
        """Close the file now unless somebody uses it."""
        with self.condition:
            if self.users == 0:
                self._close_now()

    def claim(self, wait_s: float) -> None:
        """Keep everybody out and close the file; `unclaim` ends it. Not inside a cursor.

        Raises:
            StoreBusy: other threads did not finish within `wait_s`.
        """
        deadline = time.monotonic() + wait_s
        with self.condition:
            assert getattr(self.local, "depth", 0) == 0, "claim inside a cursor"
            while self.exclusive or self.opening:
                if not self.condition.wait(max(0.0, deadline - time.monotonic())):
                    raise self._busy("another thread of this program")
            self.exclusive = True
            while self.users:
                if not self.condition.wait(max(0.0, deadline - time.monotonic())):
                    self.exclusive = False
                    self.condition.notify_all()
                    raise self._busy("another thread of this program")
            self._close_now()

    def unclaim(self) -> None:
        """Let the others in again."""
        with self.condition:
            self.exclusive = False
            self.condition.notify_all()

    def abandon(self) -> None:
        """In the child of a fork: forget the parent's connection without touching its file."""
        inherited = self.connection
        self._reset()
        if inherited is not None:
            # Its destructor would write a checkpoint into the parent's file: keep it for ever.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(inherited))
            self.forked = True
