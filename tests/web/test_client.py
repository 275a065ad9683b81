from __future__ import annotations

import json
import logging
import socket
import threading
import time
import traceback
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from ragdebug.errors import (
    AddressError,
    AddressNotFound,
    AddressUnreachable,
    AnswerNotUnderstood,
    Cancelled,
    KeyMissing,
    KeyRefused,
    RequestRefused,
    ServerFailed,
    TooManyRequests,
)
from ragdebug.web import add_source, redact, watched
from ragdebug.web import client as client_module
from ragdebug.web.client import Address, JsonClient
from ragdebug.web.consent import Sending
from ragdebug.web.waiting import Pace
from tests.support.model_server import ModelServer, break_off, send

KEY = "sk-canary-3f9a/+\"x'"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    server = ModelServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "FIRST_WAIT_S", 0.01)


def ask(server: ModelServer, path: str = "/v1/models", **about: object) -> JsonClient:
    return JsonClient(Address("The model x", **about))  # type: ignore[arg-type]


def get(server: ModelServer, path: str = "/v1/models", **about: object) -> client_module.Answer:
    client = ask(server, **about)
    try:
        return client.get(server.url + path)
    finally:
        client.close()


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


# Keys ---------------------------------------------------------------------------------------------


def test_the_key_is_sent_in_its_header(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", f" {KEY}\n")
    server.key = KEY
    assert get(server, key_env="SHOP_KEY").status == 200
    get_basic = JsonClient(Address("x", key_env="SHOP_KEY", key_header="api-key", key_scheme=""))
    server.key = ""
    get_basic.get(server.url + "/v1/models")
    assert server.headers[-1]["api-key"] == KEY


def test_a_missing_key_names_its_variable(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_KEY", raising=False)
    with pytest.raises(KeyMissing, match="SHOP_KEY"):
        get(server, key_env="SHOP_KEY")
    monkeypatch.setenv("SHOP_KEY", "abcd\r\nX: y")
    with pytest.raises(KeyMissing) as caught:
        get(server, key_env="SHOP_KEY")
    assert "abcd" not in str(caught.value)
    assert server.asked == 0


def test_a_key_may_come_from_another_source(server: ModelServer) -> None:
    add_source({"FROM_SECRETS": "sk-other-source"}.get)
    server.key = "sk-other-source"
    assert get(server, key_env="FROM_SECRETS").status == 200


def test_a_netrc_does_not_replace_the_key(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine 127.0.0.1 login a password b\n")
    file.chmod(0o600)
    monkeypatch.setenv("NETRC", str(file))
    get(server)
    assert "Authorization" not in server.headers[-1]


def test_the_key_does_not_go_to_another_host(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", KEY)
    other = ModelServer()
    other.start()
    try:
        server.plan = [(307, {"Location": other.url + "/v1/models"}, b"")]
        with pytest.raises(AddressError, match="another host"):
            get(server, key_env="SHOP_KEY")
        assert other.asked == 0
        server.plan = [(308, {"Location": "/v1/models"}, b"")]
        assert get(server, "/old", key_env="SHOP_KEY").status == 200
        server.plan = [(302, {"Location": "/old"}, b"")] * 9
        with pytest.raises(AddressError, match="in a circle"):
            get(server, "/old", key_env="SHOP_KEY")
    finally:
        other.stop()


def test_no_error_and_no_log_shows_the_key(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SHOP_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    echo = f"<html>{'x' * 185} {KEY}".encode()
    server.plan = [
        (401, {}, echo),
        (200, {}, echo),
        (400, {}, f'{{"error": "you sent {KEY[:-2]}"}}'.encode()),
        lambda h: send(h, 500, {"error": {"message": f"{h.headers['Authorization']}"}}),
    ]
    for _ in range(4):
        with pytest.raises(AddressError) as caught:
            get(server, "/v1/" + "models", key_env="SHOP_KEY", tries=1)
        error = caught.value
        assert error.__cause__ is None
        assert error.__context__ is None
        shown = "".join(traceback.format_exception(error)) + repr(error) + str(error.args)
        assert KEY not in shown
        assert "3f9a/+\"x'" not in shown
    logging.getLogger("urllib3.connectionpool").debug("header %s", KEY)
    assert KEY not in caplog.text
    assert redact(f"a {KEY} b") == "a [key] b"


def test_a_key_that_comes_back_is_not_passed_on(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", KEY)
    server.plan = [(200, {}, json.dumps({KEY: [f"you sent {KEY}", 1, [0.5], None]}).encode())]
    value = get(server, key_env="SHOP_KEY").value
    assert value == {"[key]": ["you sent [key]", 1, [0.5], None]}


@pytest.mark.parametrize("where", ["/models/KEY", "http://KEY.example.com/"])
def test_a_key_in_a_redirect_is_not_shown(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    key = "sk-Canary-3f9A"
    where = where.replace("KEY", key)
    monkeypatch.setenv("SHOP_KEY", key)
    server.plan = [(307, {"Location": where}, b""), 404]
    with pytest.raises(AddressError) as caught:
        get(server, key_env="SHOP_KEY")
    assert key.lower() not in str(caught.value).lower()


# Pace and stopping --------------------------------------------------------------------------------


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
    client = ask(server)
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


@pytest.mark.parametrize(
    ("what", "tokens", "price", "text"),
    [
        ("340 texts", 52_345, 0.02, "340 texts, about 52,000 tokens (counted with the tokenizer"
         " of m), about 0.001 at 0.02 per million"),
        ("1 text", 7, 0, "1 text, about 7 tokens (counted with the tokenizer of m)"),
        ("9 texts", 123_456_789, 0.13, "9 texts, about 120,000,000 tokens (counted with the"
         " tokenizer of m), about 16.05 at 0.13 per million"),
        ("1 text", 100, 0.02, "1 text, about 100 tokens (counted with the tokenizer of m),"
         " less than 0.0001 at 0.02 per million"),
    ],
)  # fmt: skip
def test_what_would_be_sent_is_said_in_round_numbers(
    what: str, tokens: int, price: float, text: str
) -> None:
    assert str(Sending(what, "a.org", tokens, "m", price)) == text
