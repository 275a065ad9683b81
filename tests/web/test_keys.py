"""Keys: sent to one host in one header, and shown nowhere."""

from __future__ import annotations

import json
import logging
import traceback
from pathlib import Path

import pytest

from ragdebug.errors import AddressError, KeyMissing
from ragdebug.web import add_source, redact
from ragdebug.web.client import JsonClient
from ragdebug.web.records import Address
from tests.support.model_server import ModelServer, send
from tests.web.conftest import get

KEY = "sk-canary-3f9a/+\"x'"


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


@pytest.mark.parametrize("header", ["Authorization", "api-key"])
def test_the_key_does_not_go_to_another_host(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, header: str
) -> None:
    monkeypatch.setenv("SHOP_KEY", KEY)
    with ModelServer() as other:
        server.plan = [(307, {"Location": other.url + "/v1/models"}, b"")]
        with pytest.raises(AddressError, match=r"another host \(127\.0\.0\.1\)"):
            get(server, key_env="SHOP_KEY", key_header=header)
        server.plan = [(307, {"Location": f"http://elsewhere.example/?k={KEY}"}, b"")]
        with pytest.raises(AddressError, match=r"another host \(elsewhere\.example\)"):
            get(server, key_env="SHOP_KEY", key_header=header)
        server.plan = [(307, {"Location": f"http://{KEY}.example/"}, b"")]
        with pytest.raises(AddressError, match="its name holds the key"):
            get(server, key_env="SHOP_KEY", key_header=header)
        assert other.asked == 0
        server.plan = [(308, {"Location": "/v1/models"}, b"")]
        assert get(server, "/old", key_env="SHOP_KEY").status == 200
        server.plan = [(302, {"Location": "/old"}, b"")] * 9
        with pytest.raises(AddressError, match="in a circle"):
            get(server, "/old", key_env="SHOP_KEY")


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
