"""What a server answers, and what is done and said when it does not."""

from __future__ import annotations

import socket
import threading
import time
from email.utils import formatdate
from typing import Any

import pytest

from ragdebug.errors import (
    AddressError,
    AddressNotFound,
    AddressUnreachable,
    AnswerNotUnderstood,
    KeyRefused,
    RequestRefused,
    ServerFailed,
    TooManyRequests,
)
from ragdebug.web import client as client_module
from ragdebug.web.client import JsonClient
from ragdebug.web.records import Address
from ragdebug.web.waiting import Pace
from tests.support.model_server import ModelServer, break_off
from tests.web.conftest import get


def test_an_answer_is_read_and_timed(server: ModelServer) -> None:
    answer = get(server)
    assert answer.value == {"data": [{"id": "small"}, {"id": "large"}]}
    assert (answer.status, answer.tries) == (200, 1)
    assert answer.elapsed_s > 0


@pytest.mark.parametrize(
    "planned", [429, 500, 503, 529, break_off, (503, {"Retry-After": "0"}, b"busy")]
)
def test_what_may_pass_is_tried_again(server: ModelServer, planned: object) -> None:
    server.plan = [planned, planned]
    assert get(server).tries == 3
    assert server.asked == 3


@pytest.mark.parametrize(
    ("status", "error"),
    [(400, RequestRefused), (401, KeyRefused), (403, KeyRefused), (404, AddressNotFound),
     (422, RequestRefused), (501, ServerFailed)],
)  # fmt: skip
def test_what_will_not_pass_is_said_at_once_in_the_servers_words(
    server: ModelServer, status: int, error: type[AddressError]
) -> None:
    server.plan = [status]
    with pytest.raises(error, match=f"planned {status}"):
        get(server)
    assert server.asked == 1


@pytest.mark.parametrize(
    "body",
    [b'{"error": "x <b>y</b>"}', b'{"message": "x <b>y</b>"}', b'{"detail": "x <b>y</b>"}',
     b'{"detail": [{"msg": "x <b>y</b>"}]}', b'{"object": "error", "message": "x <b>y</b>"}',
     b"x <b>y</b>"],
)  # fmt: skip
def test_reasons_are_read_in_all_usual_forms(server: ModelServer, body: bytes) -> None:
    server.plan = [(400, {}, body)]
    with pytest.raises(RequestRefused, match="x <b>y</b>") as caught:
        get(server)
    assert caught.value.status == 400


def test_it_waits_as_long_as_the_server_asks(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(client_module, "pause", waited.append)
    monkeypatch.setattr(Pace, "hold", lambda self, s: None)
    later = formatdate(time.time() + 90, usegmt=True)
    server.plan = [
        (429, {"Retry-After": "7"}, b"{}"),
        (429, {"Retry-After-Ms": "1500"}, b"{}"),
        (503, {"Retry-After": later}, b"{}"),
        (503, {"Retry-After": "soon"}, b"{}"),
    ]
    assert get(server).tries == 5
    assert waited[:2] == [7, 1.5]
    assert 80 < waited[2] <= 90
    assert waited[3] <= 1


def test_a_long_wait_is_told_and_not_waited_for(server: ModelServer) -> None:
    server.plan = [(429, {"Retry-After": "3600"}, b'{"error": {"message": "slow down"}}')]
    with pytest.raises(TooManyRequests, match="slow down.*wait 60 minutes"):
        get(server)
    assert server.asked == 1


def test_no_quota_is_not_tried_again(server: ModelServer) -> None:
    server.plan = [(429, {}, b'{"error": {"message": "no", "code": "insufficient_quota"}}')]
    with pytest.raises(TooManyRequests, match="no quota left"):
        get(server)
    assert server.asked == 1


def test_waits_grow_and_stay_within_their_limit() -> None:
    for attempt, longest in [(1, 0.01), (2, 0.02), (3, 0.04), (40, 30)]:
        waits = [client_module._wait_s(attempt) for _ in range(50)]
        assert all(longest / 2 <= w <= longest for w in waits)
        assert len(set(waits)) > 1


def test_the_last_error_stays(server: ModelServer) -> None:
    server.plan = [500] * 9
    with pytest.raises(ServerFailed, match="planned 500"):
        get(server, tries=3)
    assert server.asked == 3


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        ("text/html", b"<html><script>alert(1)</script>" + b"x" * 900, "a page of HTML"),
        ("application/json", b'{"a": ', "no JSON"),
        ("application/json", b"", "an empty answer"),
        ("application/json", b"\xff\xfe\xfa\xfb", "no JSON"),
        ("application/json", b"[" * 200_000, "no JSON"),
    ],
)
def test_what_is_no_json_is_quoted_in_short(
    server: ModelServer, kind: str, body: bytes, says: str
) -> None:
    server.plan = [(200, {"Content-Type": kind}, body)]
    with pytest.raises(AnswerNotUnderstood, match=says) as caught:
        get(server)
    assert len(caught.value.message) < 400
    if b"script" in body:
        assert "<script>alert(1)</script>" in caught.value.message


def test_an_answer_without_end_is_left(server: ModelServer) -> None:
    server.plan = [(200, {}, b"1" * 3_000_000)]
    with pytest.raises(AnswerNotUnderstood, match="longer than 1 MB"):
        get(server, most_bytes=1 << 20)


def test_a_slow_server_is_not_waited_for(server: ModelServer) -> None:
    server.wait_s = 1.0
    with pytest.raises(AddressUnreachable, match="within 0.1 s"):
        get(server, timeout_s=0.1)
    assert server.asked == client_module.QUICK_TRIES


@pytest.mark.parametrize("head", ["HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n"])
def test_a_server_that_trickles_is_not_waited_for(server: ModelServer, head: str) -> None:
    gone = threading.Event()

    def trickle(handler: Any) -> None:
        handler.close_connection = True
        handler.wfile.write(head.encode())
        while not gone.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    server.plan = [trickle, trickle]
    try:
        with pytest.raises(AddressUnreachable, match="no answer .* within 0.1 s"):
            get(server, timeout_s=0.1)
    finally:
        gone.set()
    assert server.asked == client_module.QUICK_TRIES


def test_a_closed_port_is_said() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = JsonClient(Address("The model x"))
    with pytest.raises(AddressUnreachable, match=f"127.0.0.1:{port}.*refused"):
        client.get(f"http://127.0.0.1:{port}/v1")


def test_plain_http_behind_https_is_said(server: ModelServer) -> None:
    with pytest.raises(AddressUnreachable, match="TLS"):
        JsonClient(Address("x")).get(server.url.replace("http:", "https:"))


def test_a_server_on_this_machine_needs_no_proxy(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert get(server).status == 200
    with pytest.raises(AddressUnreachable, match="proxy"):
        JsonClient(Address("x", tries=1)).get("http://models.invalid/v1")
