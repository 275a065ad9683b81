"""A server on this machine, and a client that does not wait long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragdebug.web import client
from ragdebug.web.client import JsonClient
from ragdebug.web.records import Address, Answer
from tests.support.model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)


def ask(**about: object) -> JsonClient:
    return JsonClient(Address("The model x", **about))  # type: ignore[arg-type]


def get(server: ModelServer, path: str = "/v1/models", **about: object) -> Answer:
    client = ask(**about)
    try:
        return client.get(server.url + path)
    finally:
        client.close()
