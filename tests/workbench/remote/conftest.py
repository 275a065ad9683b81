"""The corpus of the topics, and a server of models on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ragdebug.models import forget
from ragdebug.settings import ChunkingSettings, RemoteModel
from tests.support.model_server import ModelServer
from tests.workbench.topics import corpus, wb

__all__ = ["corpus", "wb"]

KEY = "sk-canary-c0ffee-4711"
CHUNKING = ChunkingSettings.parse("structure:60/0:tokens:nolabel")
VECTOR = f"vector@{CHUNKING}+model=api:prod"
RERANKED = f"reranked@{CHUNKING}+model=api:prod+reranker=api:order+pool=5"


def embedder(server: ModelServer, **values: Any) -> RemoteModel:
    given = {"name": "prod", "kind": "embedder", "url": f"{server.url}/v1", "model": "small",
             "key_env": "SHOP_KEY", "batch": 2, "price_per_million": 0.02}  # fmt: skip
    return RemoteModel(**given | values)


def reranker(server: ModelServer, **values: Any) -> RemoteModel:
    given = {"name": "order", "kind": "reranker", "url": f"{server.url}/v2", "model": "r",
             "key_env": "SHOP_KEY"}  # fmt: skip
    return RemoteModel(**given | values)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(key=KEY) as server:
        yield server


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SHOP_KEY", KEY)
    yield
    forget()
