"""What is known of a model before it is loaded: window, prompts, languages, fingerprint."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

from ragdebug.errors import ModelError
from ragdebug.model_files import config, hashes, hub
from ragdebug.model_files.places import IDENTITY, MINILM_SHA256, ModelFiles, locate
from ragdebug.model_files.remotes import remote
from ragdebug.protocols import ModelInfo
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    DRAFT_EMBEDDER,
    fingerprint,
    is_remote,
)

# Change when the same files would give other vectors (pooling, normalisation, text handling).
VECTORS_VERSION = 1
# MiniLM's speed on two cores for texts of 160 tokens, and the bytes of its layers (its weights
# without the token matrix), from which the speed of others is guessed.
MINILM_TEXTS_PER_S = 40.0
MINILM_LAYERS_BYTES = 43_000_000
# Belong to a model's history, not to what it computes; prompts count by their values.
UNRELATED = ("data_config.json", "config_sentence_transformers.json", "trainer_state.json")


def info(name: str) -> ModelInfo:
    """What is known of an embedder or reranker, from its files; of a remote one from its record.

    The fingerprint changes with anything that changes vectors or scores: weights, tokenizer and
    module settings (for a hub's model its name and commit), prompts, window, dimension. It is the
    same for the same files in another folder.

    Raises:
        ModelNotFound, DownloadNotAllowed, ModelError: as `locate`.
    """
    if name == IDENTITY:
        return ModelInfo(IDENTITY, "reranker", IDENTITY, embedded=True, note="Keeps the order.")
    if name == DEFAULT_RERANKER:
        return _late_interaction()
    if is_remote(name):
        return remote(name).info
    files = locate(name)
    if files.is_minilm:
        return _minilm(files)
    if files.is_wordllama:
        return _wordllama(files)
    return _reranker(files) if config.is_reranker(files.folder) else _embedder(files)


def known() -> list[ModelInfo]:
    """The embedded models that are installed: embedders first, then rerankers."""
    result = []
    for name in (DEFAULT_EMBEDDER, DRAFT_EMBEDDER, DEFAULT_RERANKER, IDENTITY):
        try:
            result.append(info(name))
        except ModelError:
            continue
    return result


# Embedded -----------------------------------------------------------------------------------------
# Asked for at every search; an installed package does not change under a running process, and the
# weights are verified again when they are loaded.


@lru_cache(maxsize=4)
def _minilm(files: ModelFiles) -> ModelInfo:
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


@lru_cache(maxsize=4)
def _wordllama(files: ModelFiles) -> ModelInfo:
    return ModelInfo(
        files.name,
        "embedder",
        _fingerprint(files, "", "", 256, 0),
        dimension=256,
        languages=("en",),
        revision=hashes.sha256(files.weights[0])[:12],
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
        window=base.window,
        special_tokens=base.special_tokens,
        languages=base.languages,
        revision=base.revision,
        embedded=True,
        texts_per_s=base.texts_per_s,
        note=f"Token by token with {base.name}; untrained, it can also make an order worse.",
    )


# Others -------------------------------------------------------------------------------------------


def _reranker(files: ModelFiles) -> ModelInfo:
    window = config.window(files.folder)
    return ModelInfo(
        files.name,
        "reranker",
        _fingerprint(files, "pair", window),
        window=window,
        special_tokens=_special_tokens(files.tokenizer, "pair"),
        languages=config.languages(files.folder),
        revision=files.revision,
        texts_per_s=_speed(files),
    )


def _embedder(files: ModelFiles) -> ModelInfo:
    prompts = config.prompts(files.folder, hub.split_name(files.name)[0])
    dimension, window = config.dimension(files.folder), config.window(files.folder)
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
        special_tokens=_special_tokens(files.tokenizer, "single") + _words(prompts.passage),
        languages=config.languages(files.folder),
        query_prompt=prompts.query,
        passage_prompt=prompts.passage,
        revision=files.revision,
        texts_per_s=_speed(files),
        note=note,
    )


def _fingerprint(files: ModelFiles, *parts: object) -> str:
    """Identity of a model by its content; of a hub's model by name and commit."""
    content: object
    if files.source == "hub":
        content = [hub.repo_of(files.name), files.revision]
    else:
        content = [[str(p.relative_to(files.folder)), _hash(files, p)] for p in _deciding(files)]
    return fingerprint([VECTORS_VERSION, content, *parts, "unit length"])


def _hash(files: ModelFiles, path: Path) -> str:
    # The published hash stands for the weights until they are loaded, when they are verified.
    if files.is_minilm and path in files.weights:
        return MINILM_SHA256
    try:
        return hashes.sha256(path)
    except OSError as e:
        raise ModelError(f"The model file {path} cannot be read.") from e


def _deciding(files: ModelFiles) -> list[Path]:
    """The files that decide what a model gives: weights, tokenizer, settings of its modules."""
    if files.is_wordllama:
        return [*files.weights, *([files.tokenizer] if files.tokenizer else [])]
    folders = [path for _, path in config.modules(files.folder)] or [files.folder]
    paths = {files.folder / "modules.json", *files.weights}
    for folder in folders:
        paths.update(config.weights(folder))
        paths.update(p for s in ("*.json", "*.txt", "*.model") for p in folder.glob(s))
    return sorted(p for p in paths if p.is_file() and p.name not in UNRELATED)


def _words(prompt: str) -> int:
    """Tokens that a prompt takes of the window, counted as words and marks."""
    return len(re.findall(r"[^\W_]+|[^\w\s]|_", prompt))


def _speed(files: ModelFiles) -> float:
    """Texts a second by the size of the weights, from the known speed of MiniLM."""
    size = sum(p.stat().st_size for p in files.weights)
    return MINILM_TEXTS_PER_S * MINILM_LAYERS_BYTES / max(1, size)


def _special_tokens(tokenizer: Path | None, form: str) -> int:
    """Special tokens around a text (``single``) or a ``pair`` of texts, from tokenizer.json."""
    default = 2 if form == "single" else 3
    if tokenizer is None:
        return default
    return _special_by_file(tokenizer, tokenizer.stat().st_mtime_ns).get(form, default)


@lru_cache(maxsize=16)
def _special_by_file(path: Path, _changed: int) -> dict[str, int]:
    try:
        post = json.loads(path.read_text(encoding="utf-8")).get("post_processor") or {}
    except (OSError, ValueError, AttributeError) as e:
        raise ModelError(f"The tokenizer {path} cannot be read.") from e
    for step in post.get("processors", [post]):
        if step.get("type") == "TemplateProcessing":
            return {f: sum("SpecialToken" in part for part in step[f]) for f in ("single", "pair")}
        if step.get("type") == "BertProcessing":
            return {"single": 2, "pair": 3}
        if step.get("type") == "RobertaProcessing":
            return {"single": 2, "pair": 4}
    return {"single": 0, "pair": 0}
