"""How a model behind an address may be described."""

from __future__ import annotations

from typing import Any

import pytest

from ragdebug.errors import InvalidSetting
from ragdebug.settings import RemoteModel, StrategySettings

AZURE = "https://shop.openai.azure.com/openai/deployments/small/embeddings?api-version=2024-06-01"


@pytest.mark.parametrize(
    ("url", "kind", "form", "endpoint"),
    [
        ("https://api.openai.com/v1", "embedder", "", "https://api.openai.com/v1/embeddings"),
        ("https://a.org/v1/embeddings/", "embedder", "", "https://a.org/v1/embeddings"),
        ("http://localhost:11434", "embedder", "", "http://localhost:11434/v1/embeddings"),
        ("https://a.org/x?version=2", "embedder", "", "https://a.org/x/embeddings?version=2"),
        (AZURE, "embedder", "", AZURE),
        (AZURE.replace("/embeddings", ""), "embedder", "", AZURE),
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
        {"key_header": "api-key"},  # and no key
        {"key_env": "SHOP_KEY", "key_header": SECRET},
        {"key_env": "SHOP_KEY", "key_header": "sk-abcdefgh"},
        {"key_env": "SHOP_KEY", "key_header": "0123abcd" * 4},
        {"key_env": "SHOP_KEY", "key_header": "abcdefgh" * 4},
        {"key_env": "SHOP_KEY", "key_header": "api key"},
        {"key_env": "SHOP_KEY", "key_header": "api-key: x"},
        {"key_env": "SHOP_KEY", "key_header": "a\r\nb"},
        {"key_env": "SHOP_KEY", "key_header": "Content-Type"},
        {"key_env": "SHOP_KEY", "key_header": "Host"},
        {"parallel": -1},
        {"parallel": 33},
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
    assert not any(part in str(caught.value) for part in ("0123abcd", "abcdefgh"))


def test_settings_survive_json_and_a_strategy_names_them() -> None:
    model = RemoteModel("a-1.b", "embedder", "https://a.org/v1", "m", languages=("en", "de"))
    assert RemoteModel.from_dict(model.as_dict() | {"of a later release": 1}) == model
    text = f"vector@structure:220/40:tokens:label+model={model.full_name}"
    assert str(StrategySettings.parse(text)) == text
    assert StrategySettings.parse(text).embedder == "api:a-1.b"


@pytest.mark.parametrize("name", ["", "Authorization", " authorization "])
def test_without_a_header_of_its_own_the_key_is_a_bearer_token(name: str) -> None:
    model = RemoteModel("a", "embedder", "https://a.org/v1", "m", key_env="KEY", key_header=name)
    assert model.key_header == ""
    assert model.agreement == "ask https://a.org/v1/embeddings with the key in KEY"


def test_a_header_of_its_own_is_agreed_to() -> None:
    model = RemoteModel("a", "embedder", AZURE, "m", key_env="KEY", key_header="api-key")
    assert model.agreement == f"ask {AZURE} with the key in KEY as api-key"
    assert RemoteModel.from_dict(model.as_dict()) == model


@pytest.mark.parametrize(
    ("url", "said", "at_once"),
    [
        ("http://localhost:11434", 0, 1),
        ("http://127.0.0.1:8000/v1", 0, 1),
        ("http://[::1]:8080", 0, 1),
        ("http://localhost:11434", 3, 3),
        ("https://api.openai.com/v1", 0, 4),
        ("http://gpu.example.org:8000/v1", 1, 1),
    ],
)
def test_servers_elsewhere_are_asked_several_times_at_once(
    url: str, said: int, at_once: int
) -> None:
    assert RemoteModel("a", "embedder", url, "m", parallel=said).at_once == at_once
