"""Who is asked, with which key, and only where a person agreed."""

from __future__ import annotations

import pytest

from ragdebug.errors import AddressNotFound, KeyMissing, KeyRefused, SendingNotAllowed
from ragdebug.models import load_embedder, load_reranker
from tests.models.remote.conftest import Add
from tests.support.model_server import ModelServer


def test_an_unknown_model_is_answered_with_the_known_ones(server: ModelServer, add: Add) -> None:
    with pytest.raises(AddressNotFound, match="no model tiny") as caught:
        add(model="tiny")
    assert caught.value.hint == "The server offers: small, large."


def test_the_key_comes_from_the_environment(
    server: ModelServer, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.key = "sk-right-one"
    with pytest.raises(KeyRefused, match="A key is needed"):
        add()
    with pytest.raises(KeyMissing, match="THE_KEY"):
        add(key_env="THE_KEY")
    monkeypatch.setenv("THE_KEY", "sk-wrong-one")
    with pytest.raises(KeyRefused, match="THE_KEY was not accepted") as caught:
        add(key_env="THE_KEY")
    assert "sk-wrong-one" not in str(caught.value)
    monkeypatch.setenv("THE_KEY", "sk-right-one")
    assert add(key_env="THE_KEY").dimension == 32


def test_texts_are_sent_only_where_a_person_agreed(server: ModelServer, add: Add) -> None:
    add()
    add(name="order", kind="reranker", url=f"{server.url}/v2", model="r")
    model, scorer = load_embedder("api:prod"), load_reranker("api:order")
    before = server.asked
    host = server.url.removeprefix("http://")
    with pytest.raises(SendingNotAllowed, match=f"2 texts at {host}; nothing was sent"):
        model.embed_passages(["a", "b"])
    with pytest.raises(SendingNotAllowed, match="1 question"):
        model.embed_queries(["a"])
    with pytest.raises(SendingNotAllowed, match="a question and 2 texts"):
        scorer.score("q", ["a", "b"])
    assert server.asked == before
    model.embed_query("a")
    assert server.asked == before + 1


def test_the_key_may_stand_in_a_header_of_its_own(
    server: ModelServer, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", "sk-of-azure")
    server.key, server.key_header = "sk-of-azure", "api-key"
    with pytest.raises(KeyRefused, match="THE_KEY was not accepted"):
        add(key_env="THE_KEY")
    address = f"{server.url}/openai/deployments/small/embeddings?api-version=2024-06-01"
    assert add(url=address, key_env="THE_KEY", key_header="api-key").dimension == 32
    assert server.paths[-1] == "/openai/deployments/small/embeddings?api-version=2024-06-01"
    assert "Authorization" not in server.headers[-1]
