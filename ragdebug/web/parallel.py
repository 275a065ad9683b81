"""Several requests at the same time, each result kept, stopped by a person or by an error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext
from contextvars import copy_context
from typing import TypeVar

from ragdebug.errors import Cancelled
from ragdebug.web.waiting import STEP_S, watched, watching

T = TypeVar("T")
R = TypeVar("R")


def in_parallel(
    work: Callable[[T], R],
    items: Iterable[T],
    keep: Callable[[T, R], None],
    at_once: int,
    check: Callable[[], None] | None = None,
) -> None:
    """Do `work` for each item, some at the same time, and hand each result over when it is there.

    After an error, whoever raises it, nothing further is begun. What is under way is waited for
    and kept, since it may have to be paid, and then the first error is raised.

    Args:
        work: done in other threads, where what a person agreed to in this one holds too.
        items: the next one is taken only when there is room for it.
        keep: called in this thread with an item and its result, in the order in which they end.
        at_once: most items at the same time; 1 does all in this thread.
        check: called in this thread after each result and while others are waited for; it may
            raise Cancelled. Without it whoever watches this thread may.
    """
    if at_once <= 1:
        for item in items:
            with watched(check) if check else nullcontext():
                made = work(item)
            keep(item, made)
            if check:
                check()
        return
    check = check or watching()
    stop = threading.Event()

    def look() -> None:
        if stop.is_set():
            raise Cancelled("Stopped.")

    def do(item: T) -> R:
        with watched(look):
            return work(item)

    def begin(item: T) -> Future[R]:
        done: Future[R] = Future()

        def run() -> None:
            try:
                done.set_result(do(item))
            except BaseException as e:  # raised where it is waited for
                done.set_exception(e)

        # A pool's threads would be waited for when the program ends.
        threading.Thread(
            target=copy_context().run, args=(run,), name="request", daemon=True
        ).start()
        return done

    waiting = iter(items)
    running: dict[Future[R], T] = {}
    try:
        while True:
            while len(running) < at_once:
                try:
                    item = next(waiting)
                except StopIteration:
                    break
                running[begin(item)] = item
            if not running:
                return
            ended, _ = wait(running, timeout=STEP_S, return_when=FIRST_COMPLETED)
            for future in ended:
                made = future.result()
                keep(running.pop(future), made)
            check()
    finally:
        stop.set()
        for future, item in running.items():
            if future.exception() is None:  # it waits for the end of it
                keep(item, future.result())
