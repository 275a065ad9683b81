from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ragdebug.errors import (
    AddressNotFound,
    AnswerNotUnderstood,
    InvalidSetting,
    KeyMissing,
    KeyRefused,
    ModelChanged,
    ModelError,
    ModelNotFound,
    RequestRefused,
    SendingNotAllowed,
)
from ragdebug.model_files import info, locate, remotes
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.model_files.text import estimated_tokens
from ragdebug.models import forget, is_loaded, load_embedder, load_reranker
from ragdebug.models.remote import try_model
from ragdebug.models.remote_probe import SENTENCE
from ragdebug.protocols import Embedder
from ragdebug.settings import DEFAULT_EMBEDDER, RemoteModel, StrategySettings
from ragdebug.tokens import counter
from ragdebug.web.consent import sending
from tests.support.model_server import ModelServer, embed, overlap

Add = Callable[..., RemoteRecord]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    server = ModelServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def add(server: ModelServer) -> Iterator[Add]:
    """Registers a model as an open workspace does: add(name="small", kind="embedder", ...)."""
    known: dict[str, RemoteRecord] = {}

    def register(**values: Any) -> RemoteRecord:
        given = {"name": "prod", "kind": "embedder", "url": f"{server.url}/v1", "model": "small"}
        record = try_model(RemoteModel(**given | values))
        known[record.model.name] = record
        return record

    remotes.add_provider(known.get)
    yield register
    remotes.remove_provider(known.get)
    forget()


def unit(values: list[float]) -> list[float]:
    length = sum(x * x for x in values) ** 0.5
    return [x / length for x in values]


# Settings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "kind", "form", "endpoint"),
    [
        ("https://api.openai.com/v1", "embedder", "", "https://api.openai.com/v1/embeddings"),
        ("https://a.org/v1/embeddings/", "embedder", "", "https://a.org/v1/embeddings"),
        ("http://localhost:11434", "embedder", "", "http://localhost:11434/v1/embeddings"),
        ("https://a.org/x?version=2", "embedder", "", "https://a.org/x/embeddings?version=2"),
        ("https://api.cohere.com/v2", "reranker", "", "https://api.cohere.com/v2/rerank"),
        ("https://api.jina.ai/v1/rerank", "reranker", "cohere", "https://api.jina.ai/v1/rerank"),
        ("http://[::1]:8080", "reranker", "tei", "http://[::1]:8080/rerank"),
        ("https://api.voyageai.com/v1", "reranker", "voyage", "https://api.voyageai.com/v1/rerank"),
    ],
)
def test_a_base_or_a_whole_address_will_do(url: str, kind: str, form: str, endpoint: str) -> None:
    assert RemoteModel("a", kind, url, "m", form).endpoint == endpoint


SECRET = "sk-123456"


@pytest.mark.parametrize(
    "values",
    [
        {"url": f"https://me:{SECRET}@a.org/v1"},
        {"url": f"https://{SECRET}@a.org/v1"},
        {"url": f"https://a.org/v1?api_key={SECRET}"},
        {"url": f"https://a.org/v1?subscription-key={SECRET}"},
        {"url": f"https://a.org/v1?access_token={SECRET}"},
        {"url": f"https://a.org/v1#{SECRET}"},
        {"url": f"ftp://a.org/{SECRET}"},
        {"url": f"file:///{SECRET}"},
        {"url": f"a.org/{SECRET}"},
        {"url": f"https://a.org:port/{SECRET}"},
        {"url": f"https://a b.org/{SECRET}"},
        {"key_env": SECRET},
        {"key_env": "0123abcd" * 4},
        {"key_env": "OPENAI API KEY"},
        {"name": "Prod Small"},
        {"name": "a/b"},
        {"name": ""},
        {"kind": "llm"},
        {"form": "cohere"},
        {"model": " "},
        {"batch": 0},
        {"timeout_s": float("nan")},
        {"price_per_million": -1},
        {"requests_per_minute": -1},
    ],
)
def test_what_cannot_work_or_holds_a_key_is_refused_without_quoting_it(
    values: dict[str, Any],
) -> None:
    good = {"name": "a", "kind": "embedder", "url": "https://a.org/v1", "model": "m"}
    with pytest.raises(InvalidSetting) as caught:
        RemoteModel(**good | values)
    assert SECRET not in f"{caught.value} {caught.value!r}"
    assert "0123abcd0123" not in str(caught.value)


def test_settings_survive_json_and_a_strategy_names_them() -> None:
    model = RemoteModel("a-1.b", "embedder", "https://a.org/v1", "m", languages=("en", "de"))
    assert RemoteModel.from_dict(model.as_dict() | {"of a later release": 1}) == model
    text = f"vector@structure:220/40:tokens:label+model={model.full_name}"
    assert str(StrategySettings.parse(text)) == text
    assert StrategySettings.parse(text).embedder == "api:a-1.b"


# Embeddings ---------------------------------------------------------------------------------------


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


# Consent ------------------------------------------------------------------------------------------


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


# Change -------------------------------------------------------------------------------------------


def test_noise_changes_nothing(server: ModelServer, add: Add) -> None:
    server.noise = 1e-3
    record = add()
    assert load_embedder("api:prod").info.fingerprint == record.fingerprint
    assert info("api:prod").fingerprint == record.fingerprint


def test_another_model_behind_the_address_is_noticed_at_first_use(
    server: ModelServer, add: Add
) -> None:
    add()
    server.seed = 1
    with pytest.raises(ModelChanged, match="cosine 0") as caught:
        load_embedder("api:prod")
    assert "ragdebug models accept prod" in caught.value.hint
    assert not is_loaded("api:prod")
    server.seed, server.dimension = 0, 16
    with pytest.raises(ModelChanged, match="16 numbers instead of 32"):
        load_embedder("api:prod")
    server.dimension = 32
    model = load_embedder("api:prod")
    assert is_loaded("api:prod")
    server.dimension = 16
    with pytest.raises(ModelChanged, match="16 numbers instead of 32"):
        model.embed_query("a")


def test_a_long_process_asks_again(
    server: ModelServer, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    add()
    model = load_embedder("api:prod")
    server.seed = 1
    model.embed_query("a")
    monkeypatch.setattr("ragdebug.models.remote_probe.RECHECK_S", 0.0)
    with pytest.raises(ModelChanged):
        model.embed_query("a")


def test_the_fingerprint_is_of_the_model_and_not_of_its_address(
    server: ModelServer, add: Add
) -> None:
    record = add()
    moved = replace(record, model=replace(record.model, url="https://b.org", batch=7))
    assert moved.fingerprint == record.fingerprint
    for other in (
        replace(record, model=replace(record.model, model="large")),
        replace(record, model=replace(record.model, query_prompt="query: ")),
        replace(record, model=replace(record.model, passage_prompt="passage: ")),
        replace(record, dimension=31),
        replace(record, probe=tuple(-x for x in record.probe)),
    ):
        assert other.fingerprint != record.fingerprint
    assert RemoteRecord.from_dict(record.as_dict()) == record


def test_one_name_for_two_models_is_an_error(server: ModelServer, add: Add) -> None:
    record = add()
    other = replace(record, model=replace(record.model, model="large"))
    second = {"prod": other}.get
    remotes.add_provider(second)
    try:
        with pytest.raises(ModelError, match="Two open workspaces"):
            info("api:prod")
    finally:
        remotes.remove_provider(second)
    assert info("api:prod").fingerprint == record.fingerprint
    same = {"prod": RemoteRecord.from_dict(record.as_dict())}.get
    remotes.add_provider(same)
    assert info("api:prod").fingerprint == record.fingerprint
    remotes.remove_provider(same)


def test_what_is_known_without_asking(server: ModelServer, add: Add) -> None:
    add(window=512, languages=("de",), price_per_million=0.02)
    before = server.asked
    model = info("api:prod")
    assert (model.kind, model.dimension, model.window) == ("embedder", 32, 512)
    assert (model.languages, model.remote, model.batch) == (("de",), True, 64)
    assert "0.02 per million tokens" in model.note
    assert "127.0.0.1" not in repr(model)
    count = counter("api:prod")
    assert count.count("two words") == counter(DEFAULT_EMBEDDER).count("two words")
    with pytest.raises(ModelNotFound, match="no files here"):
        locate("api:prod", allow_download=True)
    with pytest.raises(ModelNotFound, match="no model api:nobody"):
        info("api:nobody")
    with pytest.raises(ModelError, match="is an embedder"):
        load_reranker("api:prod")
    assert server.asked == before


# Reranking ----------------------------------------------------------------------------------------

TEXTS = ["red blue", "green", "blue red green", " "]


@pytest.mark.parametrize(("form", "path"), [("cohere", "/v2"), ("tei", "/tei")])
def test_scores_come_back_in_the_order_of_the_texts(
    server: ModelServer, add: Add, form: str, path: str
) -> None:
    add(kind="reranker", url=server.url + path, model="r", form=form, batch=2)
    scorer = load_reranker("api:prod")
    with sending():
        made = scorer.score("red green", TEXTS)
        empty = scorer.score("red", [])
    assert made.tolist() == [overlap("red green", t) for t in TEXTS[:3]] + [0.5]
    assert empty.shape == (0,)
    assert scorer.score_kind == "api"
    assert [len(b.get("documents") or b["texts"]) for b in server.bodies[-2:]] == [2, 1]


def test_voyage_has_names_of_its_own(server: ModelServer, add: Add) -> None:
    def asked(handler: Any) -> None:
        from tests.support.model_server import send

        items = [{"index": i, "relevance_score": s} for i, s in ((2, 0.9), (0, 0.5), (1, 0.1))]
        send(handler, 200, {"object": "list", "data": items})

    server.plan = [asked]
    record = add(kind="reranker", url=f"{server.url}/v1", model="r", form="voyage")
    assert record.probe == (0.5, 0.1, 0.9)
    assert server.bodies[-1]["top_k"] == 3


def test_pairs_are_asked_once_a_query(server: ModelServer, add: Add) -> None:
    add(kind="reranker", url=f"{server.url}/v2", model="r")
    scorer = load_reranker("api:prod")
    queries, wanted = ["red", "green blue"], [[0, 1], [1], [0]]
    before = server.asked
    with sending():
        made = [x.tolist() for x in scorer.score_pairs(queries, TEXTS[:3], wanted)]
    assert made == [[overlap(queries[q], TEXTS[t]) for q in some] for t, some in enumerate(wanted)]
    assert server.asked == before + 2
    assert scorer.lengths("red", ["a" * 40]) == [estimated_tokens("red") + 10]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda v: {"results": v["results"][:-1]}, "3 texts were sent, and 2 scores came back"),
        (lambda v: {"results": [{"index": i} for i in range(3)]}, "no number under"),
        (
            lambda v: {"results": [{"index": i, "relevance_score": None} for i in range(3)]},
            "no number under",
        ),
        (
            lambda v: {"results": [{"index": 0, "relevance_score": 1} for _ in range(3)]},
            "not 0 to 2",
        ),
        (
            lambda v: {"results": [{"index": i, "relevance_score": 10**400} for i in range(3)]},
            "no number under",
        ),
        (lambda v: {"data": []}, "no list under 'results'"),
    ],
)
def test_what_are_no_scores_is_refused(
    server: ModelServer, add: Add, change: Callable[[Any], Any], says: str
) -> None:
    add(kind="reranker", url=f"{server.url}/v2", model="r")
    scorer = load_reranker("api:prod")
    server.change = change
    with sending(), pytest.raises(AnswerNotUnderstood, match=says):
        scorer.score("q", ["a", "b", "c"])


def test_another_reranker_is_noticed(server: ModelServer, add: Add) -> None:
    add(kind="reranker", url=f"{server.url}/v2", model="r")

    def shifted(value: Any) -> Any:
        for item in value["results"]:
            item["relevance_score"] += 0.3
        return value

    server.change = shifted
    with pytest.raises(ModelChanged, match="scores differ by up to 0.3"):
        load_reranker("api:prod")


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("漢字漢字漢", 4)]
)
def test_tokens_are_estimated(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens
