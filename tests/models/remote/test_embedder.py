"""Vectors by a model behind an address."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ragdebug.errors import AnswerNotUnderstood, RequestRefused
from ragdebug.models import load_embedder
from ragdebug.models.remote_probe import SENTENCE
from ragdebug.protocols import Embedder
from ragdebug.web.consent import sending
from tests.models.remote.conftest import Add
from tests.support.model_server import ModelServer, embed


def unit(values: list[float]) -> list[float]:
    length = sum(x * x for x in values) ** 0.5
    return [x / length for x in values]


def test_vectors_are_those_of_the_server_at_unit_length(server: ModelServer, add: Add) -> None:
    record = add()
    assert record.dimension == 32
    assert record.probe == pytest.approx(unit(embed(SENTENCE)), abs=1e-6)
    model = load_embedder("api:prod")
    assert isinstance(model, Embedder)
    texts = ["two words", "drei Wörter hier", "two words"]
    with sending():
        made = model.embed_passages(texts)
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, [unit(embed(t)) for t in texts], atol=1e-6)
    np.testing.assert_allclose(model.embed_query("two words"), made[0], atol=1e-7)


def test_prompts_are_put_in_front(server: ModelServer, add: Add) -> None:
    add(query_prompt="query: ", passage_prompt="passage: ")
    model = load_embedder("api:prod")
    with sending():
        model.embed_passages(["a"])
        model.embed_queries(["b"])
    model.embed_query("c")
    sent = [body["input"] for body in server.bodies]
    assert sent[-3:] == [["passage: a"], ["query: b"], ["query: c"]]
    assert sent[0] == [f"passage: {SENTENCE}"]


def test_a_batch_holds_no_more_than_allowed_and_blank_texts_are_not_sent(
    server: ModelServer, add: Add
) -> None:
    add(batch=2)
    model = load_embedder("api:prod")
    before = server.asked
    with sending():
        made = model.embed_passages(["a", " \n", "b", "", "c"])
    assert [b["input"] for b in server.bodies[before:]] == [["a", "b"], ["c"]]
    assert np.linalg.norm(made, axis=1) == pytest.approx([1, 0, 1, 0, 1])
    assert not model.embed_query("  ").any()
    assert server.asked == before + 2


def test_reordered_and_base64_answers_are_read(server: ModelServer, add: Add) -> None:
    add()
    model = load_embedder("api:prod")
    server.order = "reversed"

    def packed(value: Any) -> Any:
        for item in value["data"]:
            raw = struct.pack("<32f", *item["embedding"])
            item["embedding"] = base64.b64encode(raw).decode()
        return value

    server.change = packed
    with sending():
        made = model.embed_passages(["one", "two", "three"])
    expected = [unit(embed(t)) for t in ("one", "two", "three")]
    np.testing.assert_allclose(made, expected, atol=1e-6)


def test_shorter_vectors_are_asked_for(server: ModelServer, add: Add) -> None:
    assert add(dimensions=8).dimension == 8
    assert server.bodies[-1]["dimensions"] == 8


def _first(change: Callable[[dict[str, Any]], object]) -> Callable[[Any], Any]:
    def apply(value: Any) -> Any:
        change(value["data"][0])
        return value

    return apply


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_first(lambda i: i.update(embedding=[0.0] * 32)), "all zeros"),
        (_first(lambda i: i.update(embedding=[float("nan")] * 32)), "no number"),
        (_first(lambda i: i.update(embedding=[1.0, 2.0])), "different lengths"),
        (_first(lambda i: i.update(embedding=["a"] * 32)), "no list of numbers"),
        (_first(lambda i: i.update(embedding="%%%")), "no list of numbers"),
        (_first(lambda i: i.update(embedding="YWI=")), "no list of numbers"),
        (_first(lambda i: i.pop("embedding")), "no list of numbers"),
        (_first(lambda i: i.update(index=1)), "not 0 to 1, each once"),
        (_first(lambda i: i.update(index=-1)), "not 0 to 1, each once"),
        (_first(lambda i: i.update(index=True)), "not 0 to 1, each once"),
        (_first(lambda i: i.update(index="0")), "not 0 to 1, each once"),
        (_first(lambda i: i.update(index=[0])), "not 0 to 1, each once"),
        (_first(lambda i: i.update(embedding=[10**400] * 32)), "no list of numbers"),
        (lambda v: {**v, "data": v["data"][:1]}, "2 texts were sent, and 1 vectors came back"),
        (lambda v: {**v, "data": v["data"] * 2}, "2 texts were sent, and 4 vectors came back"),
        (lambda v: {**v, "data": [1, 2]}, "not where it should be"),
        (lambda v: {"embeddings": []}, "no list under 'data' in it, only: embeddings"),
        (lambda v: [], "2 texts were sent, and 0"),
        (lambda v: 7, "no list under 'data'"),
    ],
)
def test_what_is_no_vector_is_refused_in_a_sentence(
    server: ModelServer, add: Add, change: Callable[[Any], Any], says: str
) -> None:
    add()
    model = load_embedder("api:prod")
    server.change = change
    with sending(), pytest.raises(AnswerNotUnderstood, match=says):
        model.embed_passages(["one", "two"])


def test_a_server_that_takes_fewer_texts_gets_fewer(server: ModelServer, add: Add) -> None:
    add(batch=8)
    model = load_embedder("api:prod")
    server.plan = [413]
    with sending():
        made = model.embed_passages([f"text {i}" for i in range(8)])
        assert len(made) == 8
        before = len(server.bodies)
        model.embed_passages([f"more {i}" for i in range(8)])
    assert [len(b["input"]) for b in server.bodies[before:]] == [4, 4]


def test_a_text_that_is_too_long_is_named_in_the_servers_words(
    server: ModelServer, add: Add
) -> None:
    add()
    model = load_embedder("api:prod")
    server.plan = [(400, {}, b'{"error": {"message": "maximum context length is 8"}}')] * 3
    with sending(), pytest.raises(RequestRefused, match="maximum context length is 8") as caught:
        model.embed_passages(["a long text", "b", "c", "d"])
    assert "begins: a long text" in str(caught.value)
    assert "smaller size" in caught.value.hint
