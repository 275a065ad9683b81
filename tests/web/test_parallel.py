"""Several things at the same time: results kept, errors and stopping."""

from __future__ import annotations

import threading
import time

import pytest

from ragdebug.errors import Cancelled
from ragdebug.web.parallel import in_parallel
from ragdebug.web.waiting import look, watched


def until_stopped() -> None:
    """Go on until somebody stops it."""
    try:
        while True:
            look()
            time.sleep(0.01)
    except Cancelled:
        return


@pytest.mark.parametrize("at_once", [1, 3])
def test_each_item_is_done_once_and_its_result_kept(at_once: int) -> None:
    kept: dict[int, int] = {}
    told: list[int] = []
    items = range(10)
    in_parallel(lambda i: i * i, items, kept.__setitem__, at_once, lambda: told.append(len(kept)))
    assert kept == {i: i * i for i in items}
    assert told[-1] == 10


@pytest.mark.parametrize("at_once", [1, 3])
def test_items_are_taken_only_when_there_is_room(at_once: int) -> None:
    taken = 0

    def items():  # type: ignore[no-untyped-def]
        nonlocal taken
        while True:
            taken += 1
            yield taken

    def work(item: int) -> None:
        if item >= 5:
            raise LookupError("the fifth")

    with pytest.raises(LookupError, match="the fifth"):
        in_parallel(work, items(), lambda *_: None, at_once)
    assert 5 <= taken < 5 + at_once


def test_what_is_under_way_when_one_fails_is_kept() -> None:
    kept: dict[int, str] = {}
    begun = threading.Barrier(3, timeout=20)

    def work(item: int) -> str:
        begun.wait()
        if item == 1:
            raise LookupError("the first")
        until_stopped()  # it ends only after the error
        return "late"

    with pytest.raises(LookupError, match="the first"):
        in_parallel(work, range(1, 9), kept.__setitem__, 3)
    assert kept == {2: "late", 3: "late"}


def test_whoever_watches_this_thread_stops_all() -> None:
    kept: dict[int, str] = {}

    def stop() -> None:
        raise Cancelled("Stopped.")

    def work(item: int) -> str:
        until_stopped()
        return "late"

    with watched(stop), pytest.raises(Cancelled):
        in_parallel(work, range(9), kept.__setitem__, 2)
    assert kept == {0: "late", 1: "late"}
