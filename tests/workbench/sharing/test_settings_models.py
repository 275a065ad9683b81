"""Models behind addresses in settings files: everything but the key, and added only when told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields as fields_of
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.settings import RemoteModel, StrategySettings
from ragdebug.workbench.sharing.fields import REMOTE
from ragdebug.workbench.sharing.reading import read_settings
from ragdebug.workbench.sharing.writing import settings_toml
from tests.support.model_server import ModelServer

KEY = "sk-canary-c0ffee-0815"
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
keys = [("", ""), ("SHOP_KEY", ""), ("SHOP_KEY", "api-key")]
models = st.builds(
    lambda key, **values: RemoteModel(key_env=key[0], key_header=key[1], **values),
    key=st.sampled_from(keys),
    name=st.from_regex(r"[a-z0-9][a-z0-9._-]{0,9}", fullmatch=True),
    kind=st.just("reranker"),
    url=st.sampled_from(["https://api.example.com/v1", "http://localhost:11434"]),
    model=text,
    form=st.just("tei"),
    batch=st.integers(1, 10_000),
    parallel=st.integers(0, 32),
    timeout_s=st.floats(0.1, 3600),
    requests_per_minute=st.floats(0, 1e9),
    dimensions=st.integers(0, 100_000),
    query_prompt=text,
    passage_prompt=text,
    window=st.integers(0, 10**6),
    tokenizer=text,
    price_per_million=st.floats(0, 1e6),
    languages=st.lists(text, max_size=3).map(tuple),
)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("SHOP_KEY", KEY)
    with ModelServer(key=KEY) as server:
        yield server


@given(models)
def test_every_model_comes_back_as_it_was(model: RemoteModel) -> None:
    assert read_settings(settings_toml({}, [model]).encode()).models == {model.name: model}


def test_every_setting_of_a_model_has_a_key() -> None:
    names = {f.name for f in fields_of(RemoteModel)} - {"name"}
    assert {f.name for f in REMOTE.fields} == {f.key for f in REMOTE.fields} == names


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("kind = 'embedder'", "models.a.url is missing."),
        ("kind = 'embedder'\nurl = 'https://a.b'\napi_key = 'sk-1'", "models.a.api_key is not"),
        ("kind = 'embedder'\nurl = 'ftp://a.b'\nmodel = 'm'", "models.a: This is no address"),
        ("kind = 'embedder'\nurl = 'https://a.b'\nmodel = 'm'\nkey_env = 'sk-1'", "models.a: This"),
        (
            "kind = 'embedder'\nurl = 'https://a.b'\nmodel = 'm'\nbatch = 0",
            "models.a: The batch is",
        ),
    ],
)
def test_what_is_wrong_with_a_model_is_said_without_a_key(lines: str, words: str) -> None:
    with pytest.raises(InvalidSetting) as refused:
        read_settings(f"version = 1\n[models.a]\n{lines}\n".encode())
    assert words in refused.value.message and "sk-1" not in str(refused.value)


def test_a_model_travels_with_the_strategies_that_use_it(
    tmp_path: Path, server: ModelServer
) -> None:
    model = RemoteModel("shop", "embedder", f"{server.url}/v1", "small", key_env="SHOP_KEY")
    strategy = StrategySettings.parse("hybrid+model=api:shop")
    with Workbench(tmp_path / "mine") as wb:
        wb.add_remote_model(model)
        assert "[models" not in wb.export_settings(["bm25"])
        data = wb.export_settings([str(strategy)]).encode()
        assert wb.import_settings(data, dry_run=True).models_new == {}
        with pytest.raises(InvalidSetting, match="api:shop is behind an address"):
            wb.plain_python(strategy)
    assert KEY.encode() not in data and b"SHOP_KEY" in data

    with Workbench(tmp_path / "other") as other:
        asked = len(server.paths)
        report = other.import_settings(data)
        assert report.models_new == {"api:shop": model} and report.models_missing == ()
        assert other.remote_models() == [] and len(server.paths) == asked
        other.import_settings(data, models=True)
        assert [row.record.model for row in other.remote_models()] == [model]


def test_when_a_model_does_not_answer_nothing_is_kept(tmp_path: Path, server: ModelServer) -> None:
    good = RemoteModel("good", "embedder", f"{server.url}/v1", "small", key_env="SHOP_KEY")
    bad = RemoteModel("bad", "embedder", f"{server.url}/v1", "small")  # names no key
    data = settings_toml({"mine": StrategySettings("bm25")}, [good, bad]).encode()
    with Workbench(tmp_path / "w") as wb:
        with pytest.raises(RagDebugError):
            wb.import_settings(data, models=True)
        assert wb.remote_models() == [] and wb.named_strategies() == {}
