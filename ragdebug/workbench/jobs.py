"""Long work that outlives a page change and a closed tab.

One worker thread runs jobs in the order they were started, so that two of them never compete for
the processor or the store. Work is cancelled at its next progress call; what it had finished stays.
"""

from __future__ import annotations

import atexit
import itertools
import logging
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragdebug.errors import Cancelled, RagDebugError
from ragdebug.protocols import Progress

log = logging.getLogger(__name__)

KEEP = 20  # finished jobs remembered
_OPEN: weakref.WeakSet[Jobs] = weakref.WeakSet()


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of long work as it stands now.

    Attributes:
        id: counts up from 1 in this process.
        kind: ingest, index, ... ; `key` tells jobs of a kind apart.
        title: what a person reads.
        state: waiting, running, done, failed or cancelled.
        done: of `total`, in units of `what`; total is 0 when it is not known.
        rate: units a second, over the last seconds.
        eta_s: seconds left, None when unknown.
        error: message of a failed job; `hint` says what to do.
        result: what the work returned.
    """

    id: int
    kind: str
    key: str
    title: str
    state: str = "waiting"
    done: int = 0
    total: int = 0
    what: str = ""
    rate: float = 0.0
    eta_s: float | None = None
    error: str = ""
    hint: str = ""
    started_at: float = 0.0
    finished_at: float = 0.0
    result: Any = None

    @property
    def active(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in ("waiting", "running")

    @property
    def share(self) -> float | None:
        """Part that is done, 0 to 1, None when the total is not known."""
        return min(1.0, self.done / self.total) if self.total else None


class Jobs:
    """A queue with one worker; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._jobs: dict[int, Job] = {}
        self._work: deque[tuple[int, Callable[[Progress], Any]]] = deque()
        self._cancelled: set[int] = set()
        self._ids = itertools.count(1)
        self._thread: threading.Thread | None = None
        self._closed = False
        _OPEN.add(self)

    def start(self, kind: str, title: str, work: Callable[[Progress], Any], key: str = "") -> Job:
        """Queue some work; an active job of the same kind and key is returned instead."""
        with self._wake:
            if key:
                for job in self._jobs.values():
                    if job.active and (job.kind, job.key) == (kind, key):
                        return job
            job = Job(next(self._ids), kind, key, title)
            self._jobs[job.id] = job
            self._work.append((job.id, work))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="ragdebug-jobs", daemon=True)
                self._thread.start()
            self._wake.notify()
            return job

    def list(self) -> Sequence[Job]:
        """Newest first."""
        with self._lock:
            return sorted(self._jobs.values(), key=lambda j: -j.id)

    def get(self, job_id: int) -> Job | None:
        """One job, or None when it was never there or is forgotten."""
        with self._lock:
            return self._jobs.get(job_id)

    def active(self, kind: str = "") -> Sequence[Job]:
        """Jobs that wait or run, oldest first."""
        jobs = reversed(self.list())
        return [j for j in jobs if j.active and (not kind or j.kind == kind)]

    def cancel(self, job_id: int) -> None:
        """Stop a job at its next progress call; a waiting one at once."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or not job.active:
                return
            self._cancelled.add(job_id)
            if job.state == "waiting":
                self._work = deque(w for w in self._work if w[0] != job_id)
                self._jobs[job_id] = replace(job, state="cancelled", finished_at=time.time())

    def wait(self, job_id: int, timeout_s: float | None = None) -> Job:
        """Block until a job is over; for notebooks and tests."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            job = self.get(job_id)
            if job is None:
                raise RagDebugError(f"There is no job {job_id}.")
            if not job.active or (deadline is not None and time.monotonic() > deadline):
                return job
            time.sleep(0.01)

    def close(self) -> None:
        """Cancel everything and let the worker end."""
        for job in self.active():
            self.cancel(job.id)
        with self._wake:
            self._closed = True
            self._wake.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=10)

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._work:
                    if self._closed:
                        return
                    self._wake.wait()
                job_id, work = self._work.popleft()
                self._change(job_id, state="running", started_at=time.time())
            try:
                result = work(self._progress_of(job_id))
            except Cancelled:
                outcome: dict[str, Any] = {"state": "cancelled"}
            except RagDebugError as e:
                outcome = {"state": "failed", "error": e.message, "hint": e.hint}
            except Exception as e:
                log.exception("job %s failed", job_id)
                outcome = {"state": "failed", "error": f"{type(e).__name__}: {e}"}
            else:
                outcome = {"state": "done", "result": result}
            with self._lock:
                self._change(job_id, finished_at=time.time(), eta_s=None, **outcome)
                self._cancelled.discard(job_id)
                over = sorted(i for i, j in self._jobs.items() if not j.active)
                for old in over[:-KEEP]:
                    del self._jobs[old]

    def _change(self, job_id: int, **values: Any) -> None:  # noqa: ANN401 - fields of Job
        self._jobs[job_id] = replace(self._jobs[job_id], **values)

    def _progress_of(self, job_id: int) -> Progress:
        recent: deque[tuple[float, int, str]] = deque(maxlen=50)

        def progress(done: int, total: int, what: str) -> None:
            now = time.monotonic()
            if recent and (recent[-1][2] != what or recent[-1][1] > done):
                recent.clear()  # a new phase counts from the start again
            recent.append((now, done, what))
            while len(recent) > 2 and now - recent[0][0] > 20:
                recent.popleft()
            seconds, units = now - recent[0][0], done - recent[0][1]
            rate = units / seconds if seconds > 0 and units > 0 else 0.0
            eta = (total - done) / rate if rate and total else None
            with self._lock:
                if job_id in self._cancelled:
                    raise Cancelled("Stopped. What was finished is kept.")
                self._change(job_id, done=done, total=total, what=what, rate=rate, eta_s=eta)

        return progress


@atexit.register
def _close_all() -> None:
    """Let the workers end before the interpreter does: one inside a C++ library would abort it."""
    for jobs in list(_OPEN):
        jobs.close()
