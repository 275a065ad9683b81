"""Models behind addresses, connected once per process: nothing is loaded, so all of them stay."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ragdebug.errors import RagDebugError, SendingNotAllowed
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.model_files.remotes import remote as record_of
from ragdebug.settings import RemoteModel, fingerprint

if TYPE_CHECKING:
    from ragdebug.models.remote_embedder import RemoteEmbedder
    from ragdebug.models.remote_reranker import RemoteReranker

_connected: dict[str, RemoteEmbedder | RemoteReranker] = {}
_lock = threading.Lock()


def embedder(name: str) -> RemoteEmbedder:
    """A registered embedder, after its fixed sentence was asked once in this process.

    Raises:
        SendingNotAllowed: nobody on this machine agreed to ask this address.
        ModelChanged: another model answers.
        AddressError: no usable answer.
    """
    from ragdebug.models.remote_calls import client_of
    from ragdebug.models.remote_embedder import RemoteEmbedder

    record = _agreed(name)
    made = _connected.get(_key(record))
    if not isinstance(made, RemoteEmbedder):
        made = RemoteEmbedder(record, client_of(record.model))
        made.check()
        with _lock:
            _connected[_key(record)] = made
    return made


def reranker(name: str) -> RemoteReranker:
    """A registered reranker; raises as `embedder`."""
    from ragdebug.models.remote_calls import client_of
    from ragdebug.models.remote_reranker import RemoteReranker

    record = _agreed(name)
    made = _connected.get(_key(record))
    if not isinstance(made, RemoteReranker):
        made = RemoteReranker(record, client_of(record.model))
        made.check()
        with _lock:
            _connected[_key(record)] = made
    return made


def is_connected(name: str) -> bool:
    """Whether a model was asked in this process, so that it answers without a first question."""
    try:
        return _key(record_of(name)) in _connected
    except RagDebugError:
        return False


def try_again(name: str) -> RemoteRecord:
    """Ask a registered model its fixed question; raises as `embedder`."""
    return try_model(_agreed(name).model)


def try_model(model: RemoteModel) -> RemoteRecord:
    """Ask a model that is registered nowhere its fixed question.

    Raises:
        AddressError: no usable answer.
    """
    from ragdebug.models import remote_probe
    from ragdebug.models.remote_calls import client_of

    client = client_of(model)
    try:
        return remote_probe.ask(client, model)
    finally:
        client.close()


def difference(record: RemoteRecord, now: RemoteRecord) -> str:
    """What differs between two answers to the fixed question, in words; "" for nothing."""
    from ragdebug.models import remote_probe

    return remote_probe.difference(record, now)


def forget() -> None:
    """Let go of all connections."""
    with _lock:
        _connected.clear()


def _agreed(name: str) -> RemoteRecord:
    """A registered model that somebody on this machine agreed to ask."""
    record = record_of(name)
    if not record.agreed:
        m = record.model
        raise SendingNotAllowed(
            f"The workspace wants to {m.agreement} for {m.full_name}, and on this machine nobody"
            " agreed to that yet.",
            title="Address not agreed to",
            hint=f"If you trust {m.host}: ragdebug models allow {m.name}",
        )
    return record


def _key(record: RemoteRecord) -> str:
    # The same model at a new address, or with another key or pace, is asked anew.
    return fingerprint([record.fingerprint, record.model.fingerprint()])
