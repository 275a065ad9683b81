"""Addresses as searchers: what is sent, what is read, what goes wrong, and no key shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ragdebug.errors import (
    AddressNotFound,
    AddressUnreachable,
    AnswerNotUnderstood,
    KeyMissing,
    KeyRefused,
    RagDebugError,
    ServerFailed,
    TooManyRequests,
)
from ragdebug.searchers import Reply, open_searcher
from ragdebug.settings import SearcherSettings
from ragdebug.web import client
from tests.support.search_server import SearchServer

CANARY = "canary-3f9a-9021-kkz"
PASSAGES = [("p1", "heron.md", "the heron waits"), ("p2", "copper.md", "copper turns green")]


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer(PASSAGES) as server:
        yield server


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)


def ask(
    server: SearchServer, query: str = "the heron", path: str = "/search", **more: Any
) -> Reply:
    pairs = more.pop("pairs", ())
    settings = SearcherSettings("x", "http", url=server.url + path, **{"timeout_s": 5, **more})
    searcher = open_searcher(settings)
    try:
        return searcher.ask(query, 3, pairs)
    finally:
        searcher.close()


def test_query_k_and_filter_are_sent_and_hits_are_read(server: SearchServer) -> None:
    reply = ask(server, 'the "heron"\n\\', pairs=(("tenant", "acme"),))
    body = {"query": 'the "heron"\n\\', "k": 3, "filter": {"tenant": "acme"}}
    assert server.asked == [("/search", body)]
    (hit,) = reply.understood.hits
    p = hit.piece
    assert (p.text, p.source, p.id, hit.score) == ("the heron waits", "heron.md", "p1", 1 / 3)
    assert reply.understood.where == "results"
    assert reply.elapsed_s > 0


def test_other_names_are_mapped(server: SearchServer) -> None:
    fields = (("text", "_source.body"), ("source", "_source.meta.file"), ("id", "_id"))
    for given in ((), fields):
        reply = ask(server, path="/elastic", hits="hits.hits", fields=given)
        (hit,) = reply.understood.hits
        p = hit.piece
        assert (p.text, p.source, p.id) == ("the heron waits", "heron.md", "p1")
        assert dict(reply.understood.fields)["text"] == "_source.body"


def test_get_puts_the_query_into_the_address(server: SearchServer) -> None:
    reply = ask(server, "copper & green", path="/find?q={query}&n={k}", method="GET")
    assert server.asked == [("/find?q=copper%20%26%20green&n=3", None)]
    assert [h.piece.id for h in reply.understood.hits] == ["p2"]


@pytest.mark.parametrize(
    ("plan", "error", "words"),
    [
        ([500] * 3, ServerFailed, "500: planned 500"),
        ([429] * 3, TooManyRequests, "429"),
        ([404], AddressNotFound, "404"),
        ([(200, b"<html><b>Log in</b>")], AnswerNotUnderstood, "HTML.*<html><b>Log in</b>"),
        ([(200, b'{"results": [')], AnswerNotUnderstood, "no JSON"),
        ([(200, b"")], AnswerNotUnderstood, "empty"),
    ],
)
def test_what_goes_wrong_is_said_in_the_servers_words(
    server: SearchServer, plan: list[Any], error: type[RagDebugError], words: str
) -> None:
    server.plan = plan
    with pytest.raises(error, match=words) as raised:
        ask(server)
    assert raised.value.message.startswith("The searcher x: ")


def test_what_passes_is_tried_again(server: SearchServer) -> None:
    server.plan = [503, 429]
    assert len(ask(server).understood.hits) == 1
    server.plan = [503]
    with pytest.raises(ServerFailed):
        ask(server, retries=0)


def test_an_empty_answer_and_an_unknown_one(server: SearchServer) -> None:
    assert ask(server, "nothing like it").understood.hits == ()
    server.plan = [(200, {"status": "ok", "answer": 42})]
    reply = ask(server)
    assert reply.problem is not None
    assert "status, answer" in reply.problem.message
    assert reply.value == {"status": "ok", "answer": 42}


def test_a_slow_one_is_given_up(server: SearchServer) -> None:
    server.wait_s = 0.5
    with pytest.raises(AddressUnreachable, match=r"within 0\.1 s"):
        ask(server, timeout_s=0.1, retries=0)


def test_keys_come_from_the_environment_and_are_never_shown(
    server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.key = CANARY
    headers = (("X-Api-Key", "${SEARCH_KEY}"), ("X-Tenant", "acme"))
    with pytest.raises(KeyMissing, match="SEARCH_KEY"):
        ask(server, headers=headers)
    assert server.asked == []
    monkeypatch.setenv("SEARCH_KEY", CANARY)
    assert len(ask(server, headers=headers).understood.hits) == 1
    assert server.headers[-1]["X-Api-Key"] == CANARY
    assert server.headers[-1]["X-Tenant"] == "acme"
    server.key = "another"
    with pytest.raises(KeyRefused, match=r"bad key \[key\]") as refused:
        ask(server, headers=headers)
    assert CANARY not in repr(refused.value) + str(refused.value.__dict__)
