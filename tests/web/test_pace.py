"""The pace that all threads keep, and waiting that a person ends."""

from __future__ import annotations

import threading

import pytest

from ragdebug.errors import Cancelled
from ragdebug.web import watched
from ragdebug.web.waiting import Pace
from tests.support.model_server import ModelServer
from tests.web.conftest import ask, get


def test_requests_and_tokens_are_spread_over_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("ragdebug.web.waiting.time.monotonic", lambda: now[0])
    monkeypatch.setattr(
        "ragdebug.web.waiting.pause", lambda s: now.__setitem__(0, now[0] + max(0, s))
    )
    pace = Pace(requests_per_minute=30)
    pace._free_at = 0.0
    starts = []
    for _ in range(3):
        pace.wait()
        starts.append(now[0])
    assert starts == [0, 2, 4]
    pace = Pace(requests_per_minute=60, tokens_per_minute=6000)
    now[0], pace._free_at = 0.0, 0.0
    starts = []
    for tokens in (1000, 10, 0):
        pace.wait(tokens)
        starts.append(now[0])
    assert starts == [0, 10, 11]
    pace.hold(30)
    pace.wait()
    assert now[0] == 41


def test_threads_keep_one_pace_and_one_client(server: ModelServer) -> None:
    client = ask()
    threads = [
        threading.Thread(target=client.get, args=(server.url + "/v1/models",)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.asked == 8
    client.close()


def test_waiting_ends_when_a_person_stops(server: ModelServer) -> None:
    server.plan = [(429, {"Retry-After": "100"}, b"{}")]
    seen = []

    def check() -> None:
        seen.append(server.asked)
        if server.asked:
            raise Cancelled("Stopped.")

    with watched(check), pytest.raises(Cancelled):
        get(server)
    assert seen[0] == 0
    assert server.asked == 1


def test_a_hold_stops_those_who_wait_already(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    pace = Pace(requests_per_minute=60)
    pace._free_at = 0.0

    def pause(seconds: float) -> None:
        if now[0] == 0:  # while this one waits for its turn, another is told to slow down
            pace.hold(30)
        now[0] += seconds

    monkeypatch.setattr("ragdebug.web.waiting.time.monotonic", lambda: now[0])
    monkeypatch.setattr("ragdebug.web.waiting.pause", pause)
    pace.wait()
    pace.wait()
    assert now[0] == 30
    pace.wait()
    assert now[0] == 31
