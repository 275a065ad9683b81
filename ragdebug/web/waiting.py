"""Waiting that a person can end, and a pace that all threads of one address keep together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

STEP_S = 0.2

_watch: ContextVar[Callable[[], None] | None] = ContextVar("watch", default=None)


@contextmanager
def watched(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` before each request and while waiting in this thread; it may raise Cancelled."""
    before = _watch.set(check)
    try:
        yield
    finally:
        _watch.reset(before)


def watching() -> Callable[[], None]:
    """What lets whoever watches this thread say that it is enough; it may be called elsewhere."""
    return _watch.get() or _nobody


def look() -> None:
    """Let whoever watches say that it is enough."""
    watching()()


def _nobody() -> None:
    """Nobody watches."""


def pause(seconds: float) -> None:
    """Sleep, looking up often enough that nobody waits for the end of it."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        look()
        time.sleep(min(STEP_S, left))


class Pace:
    """Requests and tokens a minute, spread evenly; 0 is no limit. Threads share it."""

    def __init__(self, requests_per_minute: float = 0, tokens_per_minute: float = 0) -> None:
        self._requests = requests_per_minute
        self._tokens = tokens_per_minute
        self._free_at = 0.0
        self._lock = threading.Lock()

    def wait(self, tokens: int = 0) -> None:
        """Wait until the next request may start; it takes a minute's share of what it sends."""
        share = max(
            60 / self._requests if self._requests else 0,
            60 * tokens / self._tokens if self._tokens else 0,
        )
        while True:
            # Nobody's turn is set beforehand: `hold` may come while others wait.
            with self._lock:
                now = time.monotonic()
                left = self._free_at - now
                if left <= 0:
                    self._free_at = now + share
                    return
            pause(left)

    def hold(self, seconds: float) -> None:
        """Let no further request start for so long, since the server asked for it."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic() + seconds)
