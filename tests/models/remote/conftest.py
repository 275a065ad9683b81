"""A server of models on this machine, and a way to register one as a workspace does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ragdebug.model_files import remotes
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.models import forget
from ragdebug.models.remote import try_model
from ragdebug.settings import RemoteModel
from tests.support.model_server import ModelServer

Add = Callable[..., RemoteRecord]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


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
