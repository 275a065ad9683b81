"""Several requests at the same time: one pace, nothing lost, nothing sent twice."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ragdebug.embed import embed_missing, text_hash
from ragdebug.errors import Cancelled, RequestRefused
from ragdebug.models import load_embedder
from ragdebug.protocols import Vectors
from ragdebug.web import client
from ragdebug.web.consent import sending
from tests.models.remote.conftest import Add
from tests.models.remote.test_embedder import unit
from tests.support.model_server import ModelServer, embed, send

TEXTS = [f"text number {i}" for i in range(12)]


class Memory:
    """Vectors by hash, of one model."""

    def __init__(self) -> None:
        self.kept: dict[str, Vectors] = {}

    def known(self, model: str, hashes: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([h in self.kept for h in hashes], bool)

    def put(self, model: str, hashes: Sequence[str], vectors: Vectors) -> None:
        self.kept |= dict(zip(hashes, vectors, strict=True))

    def get(self, model: str, hashes: Sequence[str]) -> tuple[NDArray[np.int64], Vectors]:
        raise AssertionError("embedding reads no vectors")


class Together:
    """Answers are held back until so many requests are there; at most so many ever were."""

    def __init__(self, wanted: int) -> None:
        self.barrier = threading.Barrier(wanted, timeout=20)
        self.lock = threading.Lock()
        self.now = self.most = 0

    def __call__(self, value: Any) -> Any:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.barrier.wait()
        with self.lock:
            self.now -= 1
        return value


def sent(server: ModelServer) -> dict[str, int]:
    return {text: n for text, n in server.texts.items() if text in TEXTS}


def test_passages_are_embedded_at_the_same_time(server: ModelServer, add: Add) -> None:
    add(batch=2, parallel=3)
    model, cache = load_embedder("api:prod"), Memory()
    server.change = together = Together(3)
    with sending():
        stats = embed_missing(TEXTS, model, cache)
    assert (stats.embedded, stats.left, together.most) == (12, 0, 3)
    assert sent(server) == dict.fromkeys(TEXTS, 1)
    for text in TEXTS:
        np.testing.assert_allclose(cache.kept[text_hash(text)], unit(embed(text)), atol=1e-6)


def test_questions_come_back_in_their_order(server: ModelServer, add: Add) -> None:
    add(batch=2, parallel=3)
    model = load_embedder("api:prod")
    server.change = together = Together(3)
    with sending():
        made = model.embed_queries(["", *TEXTS])
    assert together.most == 3
    assert not made[0].any()
    np.testing.assert_allclose(made[1:], [unit(embed(t)) for t in TEXTS], atol=1e-6)


def test_what_is_under_way_is_kept_when_one_is_refused(server: ModelServer, add: Add) -> None:
    add(batch=2, parallel=2)
    model, cache = load_embedder("api:prod"), Memory()
    refused = threading.Event()

    def wait(value: Any) -> Any:
        refused.wait(20)
        return value

    def refuse(handler: Any) -> None:
        refused.set()
        send(handler, 403, {"error": "no more"})

    server.change, server.plan = wait, [None, refuse]
    with sending(), pytest.raises(Exception, match="no more"):
        embed_missing(TEXTS, model, cache)
    kept = len(cache.kept)
    assert 2 <= kept == len(sent(server)) < 12
    with sending():
        assert embed_missing(TEXTS, model, cache).embedded == 12 - kept
    assert sent(server) == dict.fromkeys(TEXTS, 1)


def test_stopping_keeps_what_was_sent_and_begins_nothing(server: ModelServer, add: Add) -> None:
    add(batch=1, parallel=3)
    model, cache = load_embedder("api:prod"), Memory()

    def stop(done: int, total: int, what: str) -> None:
        if done:
            raise Cancelled("Stopped.")

    with sending(), pytest.raises(Cancelled):
        embed_missing(TEXTS, model, cache, stop)
    assert 1 <= len(cache.kept) == len(sent(server)) < 12
    with sending():
        assert embed_missing(TEXTS, model, cache).left == 0
    assert sent(server) == dict.fromkeys(TEXTS, 1)


def test_waiting_of_all_ends_when_a_person_stops(server: ModelServer, add: Add) -> None:
    add(batch=1, parallel=3)
    model, cache = load_embedder("api:prod"), Memory()
    before = server.asked
    server.plan = [(429, {"Retry-After": "100"}, b"{}")] * 3

    def stop(done: int, total: int, what: str) -> None:
        if server.asked > before:
            raise Cancelled("Stopped.")

    with sending(), pytest.raises(Cancelled):
        embed_missing(TEXTS, model, cache, stop)
    assert cache.kept == {}
    assert server.asked - before <= 3


def test_too_many_requests_for_one_hold_up_all(
    server: ModelServer, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)
    add(batch=1, parallel=3)
    model, cache = load_embedder("api:prod"), Memory()
    server.plan = [(429, {"Retry-After": "0.05"}, b"{}"), 429, 503]
    with sending():
        assert embed_missing(TEXTS, model, cache).embedded == 12
    assert sent(server) == dict.fromkeys(TEXTS, 1)


def test_a_server_that_takes_fewer_gets_fewer_from_all(server: ModelServer, add: Add) -> None:
    add(batch=4, parallel=3)
    model, cache = load_embedder("api:prod"), Memory()
    server.plan = [413]
    with sending():
        assert embed_missing(TEXTS, model, cache).embedded == 12
    assert sent(server) == dict.fromkeys(TEXTS, 1)


def test_nothing_is_sent_in_threads_where_nobody_agreed(server: ModelServer, add: Add) -> None:
    add(batch=1, parallel=3)
    model = load_embedder("api:prod")
    before = server.asked
    with pytest.raises(Exception, match="nothing was sent"):
        embed_missing(TEXTS, model, Memory())
    assert server.asked == before


def test_a_refused_text_is_named(server: ModelServer, add: Add) -> None:
    add(batch=1, parallel=2)
    model = load_embedder("api:prod")
    server.plan = [(400, {}, b'{"error": "too long"}')] * 2
    with sending(), pytest.raises(RequestRefused, match="too long.*begins: text number"):
        embed_missing(TEXTS, model, Memory())
