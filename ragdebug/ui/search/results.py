"""Results of one session: computed beside the page, kept so that a click costs nothing.

A page run says what it wants to see. What is not there yet is computed by a thread of this session,
cheap lists first; the page draws what is ready, and runs again when more is. Lists that need a
model wait for `release`, so that loading one never holds up the first drawing.

Nothing here is shared between sessions, and the thread touches no session state.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ragdebug.errors import RagDebugError

log = logging.getLogger(__name__)

KEPT = 80  # values: lists, shares, terms
RELEASE_S = 5.0  # the longest that a page which was interrupted can hold up its lists
# Sessions compute at the same time, but not more than this many.
_TURNS = threading.Semaphore(3)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A value to compute.

    Attributes:
        key: under which it is kept.
        make: gives it.
        heavy: it may load a model, and waits for the page to be drawn.
        apart: it waits for another system: it gets a thread of its own and holds up nothing.
    """

    key: Hashable
    make: Callable[[], Any]
    heavy: bool = False
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """Stands for a value that could not be made."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A value and when it was made, in seconds since the epoch."""

    value: Any
    made_at: float


class Results:
    """The values of one session."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._values: OrderedDict[Hashable, Kept] = OrderedDict()
        self._queue: deque[Wanted] = deque()
        self._now: Hashable = None
        self._thread: threading.Thread | None = None
        self._apart: set[Hashable] = set()
        self._open = False
        self.version = 0

    def get(self, key: Hashable) -> Kept | None:
        """A value, None when it is not there."""
        with self._lock:
            kept = self._values.get(key)
            if kept is not None:
                self._values.move_to_end(key)
            return kept

    def want(self, wanted: Sequence[Wanted], *, at_once: bool) -> None:
        """Compute these, instead of what was wanted before and has not begun.

        Args:
            wanted: what is missing or stale; a stale value stays until the new one is there.
            at_once: do not wait for `release`.
        """
        with self._lock:
            for one in (w for w in wanted if w.apart and w.key not in self._apart):
                self._apart.add(one.key)
                threading.Thread(
                    target=self._run_apart, args=(one,), name="search apart", daemon=True
                ).start()
            here = (w for w in wanted if not w.apart and w.key != self._now)
            queue = sorted(here, key=lambda w: w.heavy)
            self._queue = deque(queue)
            self._open = at_once or not any(w.heavy for w in queue)
            self._lock.notify_all()
            if queue and self._thread is None:
                self._thread = threading.Thread(target=self._run, name="search", daemon=True)
                self._thread.start()

    def release(self) -> None:
        """The page is drawn: models may be loaded."""
        with self._lock:
            self._open = True
            self._lock.notify_all()

    def wait(self, keys: Iterable[Hashable], seconds: float) -> bool:
        """Wait until all these are there; False when they are not in time."""
        wanted = list(keys)
        with self._lock:
            return self._lock.wait_for(
                lambda: all(key in self._values for key in wanted), timeout=seconds
            )

    def forget(self, which: Callable[[Any], bool]) -> None:
        """Forget some values; what is wanted of them is computed again."""
        with self._lock:
            for key in [k for k, kept in self._values.items() if which(kept.value)]:
                del self._values[key]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self._queue.clear()

    def _may_go_on(self) -> bool:
        return self._open or not self._queue or not self._queue[0].heavy

    def _run(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(self._may_go_on, RELEASE_S)
                if not self._queue:
                    self._thread = None
                    return
                work = self._queue.popleft()
                self._now = work.key
            with _TURNS:
                value = _made(work)
            with self._lock:
                self._now = None
                self._put(work.key, value)

    def _run_apart(self, work: Wanted) -> None:
        value = _made(work)
        with self._lock:
            self._apart.discard(work.key)
            self._put(work.key, value)

    def _put(self, key: Hashable, value: Any) -> None:  # noqa: ANN401 - whatever was made
        self._values[key] = Kept(value, time.time())
        self._values.move_to_end(key)
        while len(self._values) > KEPT:
            self._values.popitem(last=False)
        self.version += 1
        self._lock.notify_all()


def _made(work: Wanted) -> Any:  # noqa: ANN401 - whatever the work returns
    try:
        return work.make()
    except RagDebugError as error:
        return Failure(error.message, error.hint)
    except Exception as error:
        log.exception("a column failed")
        return Failure(f"{type(error).__name__}: {error}", "The log has the details.")
