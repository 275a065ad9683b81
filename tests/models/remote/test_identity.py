"""The same model, or another one behind the same name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ragdebug.errors import ModelChanged, ModelError, ModelNotFound
from ragdebug.model_files import info, locate, remotes
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.models import is_loaded, load_embedder, load_reranker
from ragdebug.settings import DEFAULT_EMBEDDER
from ragdebug.tokens import counter
from tests.models.remote.conftest import Add
from tests.support.model_server import ModelServer


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


def test_another_reranker_is_noticed(server: ModelServer, add: Add) -> None:
    add(kind="reranker", url=f"{server.url}/v2", model="r")

    def shifted(value: Any) -> Any:
        for item in value["results"]:
            item["relevance_score"] += 0.3
        return value

    server.change = shifted
    with pytest.raises(ModelChanged, match="scores differ by up to 0.3"):
        load_reranker("api:prod")


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
