"""Jobs run one after the other, show how far they are, and stop when told."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from ragdebug.errors import InvalidSetting
from ragdebug.protocols import Progress
from ragdebug.workbench.jobs import Jobs


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def test_a_job_gives_its_result(jobs: Jobs) -> None:
    job = jobs.start("index", "Index", lambda progress: 42)
    over = jobs.wait(job.id, 5)
    assert (over.state, over.result) == ("done", 42)


def test_progress_is_seen_while_it_runs(jobs: Jobs) -> None:
    seen, go_on = threading.Event(), threading.Event()

    def work(progress: Progress) -> None:
        progress(0, 10, "texts")
        progress(4, 10, "texts")
        seen.set()
        go_on.wait(5)

    job = jobs.start("index", "Index", work)
    assert seen.wait(5)
    now = jobs.get(job.id)
    assert now is not None
    assert (now.state, now.done, now.total, now.what, now.share) == ("running", 4, 10, "texts", 0.4)
    go_on.set()
    assert jobs.wait(job.id, 5).state == "done"


def test_a_running_job_stops_at_its_next_progress_call(jobs: Jobs) -> None:
    started, finished = threading.Event(), []

    def work(progress: Progress) -> None:
        for n in range(100_000):
            started.set()
            progress(n, 100_000, "texts")
            threading.Event().wait(0.001)
        finished.append(True)

    job = jobs.start("index", "Index", work)
    assert started.wait(5)
    jobs.cancel(job.id)
    assert jobs.wait(job.id, 5).state == "cancelled"
    assert not finished


def test_a_waiting_job_never_starts_once_cancelled(jobs: Jobs) -> None:
    go_on, ran = threading.Event(), []
    first = jobs.start("a", "First", lambda progress: go_on.wait(5))
    second = jobs.start("b", "Second", lambda progress: ran.append(True))
    jobs.cancel(second.id)
    go_on.set()
    assert jobs.wait(first.id, 5).state == "done"
    assert jobs.wait(second.id, 5).state == "cancelled"
    assert not ran


def test_the_same_work_is_not_queued_twice(jobs: Jobs) -> None:
    go_on = threading.Event()
    first = jobs.start("index", "Index", lambda progress: go_on.wait(5), key="x")
    again = jobs.start("index", "Index", lambda progress: None, key="x")
    other = jobs.start("index", "Index", lambda progress: None, key="y")
    assert again.id == first.id != other.id
    go_on.set()


def test_a_failure_is_told_and_the_next_job_runs(jobs: Jobs) -> None:
    def refused(progress: Progress) -> None:
        raise InvalidSetting("Size is 0.", hint="Use 1.")

    def broken(progress: Progress) -> None:
        raise ZeroDivisionError("oops")

    first, second = jobs.start("a", "A", refused), jobs.start("b", "B", broken)
    third = jobs.start("c", "C", lambda progress: "fine")
    assert jobs.wait(third.id, 5).result == "fine"
    failed = jobs.get(first.id)
    assert failed is not None
    assert (failed.state, failed.error, failed.hint) == ("failed", "Size is 0.", "Use 1.")
    crashed = jobs.get(second.id)
    assert crashed is not None
    assert crashed.state == "failed"
    assert "oops" in crashed.error


LEFT_BEHIND = """
import time
from ragdebug.errors import Cancelled
from ragdebug.workbench.jobs import Jobs

def work(progress):
    try:
        while True:
            progress(1, 2, "texts")
            time.sleep(0.01)
    except Cancelled:
        print("stopped", flush=True)
        raise

jobs = Jobs()
jobs.start("index", "Index", work)
while not jobs.list()[0].total:
    time.sleep(0.01)
"""


def test_a_program_that_ends_stops_its_work_first() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")
