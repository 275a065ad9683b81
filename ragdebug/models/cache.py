"""Load a model once per process, whichever thread asks first; the last few stay."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar, cast

from ragdebug.errors import ModelError, RagDebugError
from ragdebug.model_files import info, locate, verify
from ragdebug.models import remote
from ragdebug.models.identity import Identity
from ragdebug.models.late_interaction import LateInteraction
from ragdebug.protocols import Embedder, ModelInfo, PairScorer
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_RERANKER, is_remote

T = TypeVar("T")

# Two embedders and a cross-encoder; a fourth model pushes out the one unused for longest.
KEPT = 3
IDENTITY = "identity"

_models: OrderedDict[str, object] = OrderedDict()
_loading: dict[str, threading.Lock] = {}
_late: tuple[Embedder, LateInteraction] | None = None
_lock = threading.Lock()


def load_embedder(name: str, allow_download: bool = False) -> Embedder:
    """Load an embedder, or take the one already loaded.

    A folder whose files have changed since is loaded again: models are kept by fingerprint.

    Args:
        name: an embedded model's name, a folder, or a hub name, with or without ``@revision``.
        allow_download: whether a person agreed to fetch it from the hub.

    Raises:
        ModelNotFound, DownloadNotAllowed: when it is not here.
        ModelChanged: when the embedded model's bytes are not the published ones, or another model
            answers at an address.
        AddressError: when the server of a model behind an address gives no usable answer.
        ModelError: when it cannot be loaded, or is a reranker.
    """
    model = _about(name, allow_download)
    if model.kind != "embedder":
        raise ModelError(
            f"{name} is a reranker; it gives scores, not vectors.",
            hint=f"Use it as reranker, and a model such as {DEFAULT_EMBEDDER} for vectors.",
        )
    if is_remote(name):
        return remote.embedder(name)

    def make() -> Embedder:
        from ragdebug.models.loading import embedder

        verify(name)
        return embedder(locate(name), model)

    return _once(model.fingerprint, make)


def load_reranker(name: str, allow_download: bool = False) -> PairScorer:
    """Load a reranker: ``late-interaction``, ``identity``, or a cross-encoder by name or folder.

    Raises:
        As `load_embedder`; ModelError also when the model is an embedder, or sorts into more than
        two classes.
    """
    model = _about(name, allow_download)
    if model.kind != "reranker":
        raise ModelError(
            f"{name} is an embedder; it does not score pairs.",
            hint=f"Use a cross-encoder, or {DEFAULT_RERANKER}.",
        )
    if name == IDENTITY:
        return Identity(model)
    if name == DEFAULT_RERANKER:
        return _late_interaction(model)
    if is_remote(name):
        return remote.reranker(name)

    def make() -> PairScorer:
        from ragdebug.models.loading import cross_encoder

        return cross_encoder(locate(name), model)

    return _once(model.fingerprint, make)


def _late_interaction(model: ModelInfo) -> PairScorer:
    """The one over the embedded model as it is loaded now, so that it is in memory once."""
    global _late
    from ragdebug.models.embedder import SentenceEmbedder

    base = cast(SentenceEmbedder, load_embedder(DEFAULT_EMBEDDER))
    with _lock:
        if _late is None or _late[0] is not base:
            _late = base, LateInteraction(model, base)
        return _late[1]


def is_loaded(name: str) -> bool:
    """Whether a model would answer at once. Never loads anything."""
    if name == IDENTITY:
        return True
    if is_remote(name):
        return remote.is_connected(name)
    try:
        key = info(DEFAULT_EMBEDDER if name == DEFAULT_RERANKER else name).fingerprint
    except ModelError:
        return False
    with _lock:
        return key in _models


def warm(name: str) -> threading.Thread:
    """Start to load a model in the background; an error waits for whoever asks for the model."""

    def load() -> None:
        with suppress(RagDebugError):
            if info(name).kind == "reranker":
                load_reranker(name)
            else:
                load_embedder(name)

    thread = threading.Thread(target=load, name=f"warm {name}", daemon=True)
    thread.start()
    return thread


def forget() -> None:
    """Let go of all loaded models."""
    global _late
    with _lock:
        _models.clear()
        _late = None
    remote.forget()


def _about(name: str, allow_download: bool) -> ModelInfo:
    if name not in (DEFAULT_RERANKER, IDENTITY) and not is_remote(name):
        locate(name, allow_download)
    return info(name)


def _once(key: str, make: Callable[[], T]) -> T:
    """The model of a key, made by one thread while the others that want it wait."""
    global _late
    with _lock:
        if key in _models:
            _models.move_to_end(key)
            return cast(T, _models[key])
        turn = _loading.setdefault(key, threading.Lock())
    with turn:
        with _lock:
            if key in _models:
                return cast(T, _models[key])
        made = make()
        with _lock:
            _models[key] = made
            while len(_models) > KEPT:
                _, old = _models.popitem(last=False)
                if _late is not None and _late[0] is old:
                    _late = None
            _loading.pop(key, None)
        return made
