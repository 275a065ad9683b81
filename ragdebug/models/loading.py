"""Load model files with sentence-transformers, and say plainly why one cannot be loaded.

Nothing is fetched here and no code that comes with a model is run.
"""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from ragdebug.errors import ModelError, RagDebugError
from ragdebug.model_files import ModelFiles
from ragdebug.models.cross_encoder import CrossEncoderScorer
from ragdebug.models.embedder import SentenceEmbedder
from ragdebug.protocols import ModelInfo


def embedder(files: ModelFiles, info: ModelInfo) -> SentenceEmbedder:
    """Load an embedder.

    Raises:
        ModelError: when it cannot be loaded, lacks weights, or gives vectors of another length
            than its files say.
    """
    with _plainly(info.name), _watched() as missing:
        from sentence_transformers import SentenceTransformer

        if files.is_wordllama:
            model = SentenceTransformer(modules=[_static(files)], device="cpu")
        else:
            model = SentenceTransformer(str(files.folder), local_files_only=True)
        _settle(model)
    _complete(info, [key for key in missing if "pooler" not in key])
    width = model.encode("a", prompt="", show_progress_bar=False).shape[-1]
    if width != info.dimension:
        raise ModelError(
            f"The files of {info.name} speak of {info.dimension} dimensions, but its vectors have"
            f" {width}."
        )
    return SentenceEmbedder(info, model)


def cross_encoder(files: ModelFiles, info: ModelInfo) -> CrossEncoderScorer:
    """Load a cross-encoder.

    Raises:
        ModelError: when it cannot be loaded, lacks weights, or has more than two classes.
    """
    with _plainly(info.name), _watched() as missing:
        from sentence_transformers import CrossEncoder

        model = CrossEncoder(str(files.folder), local_files_only=True)
        _settle(model)
    _complete(info, missing)
    names = getattr(model.config, "id2label", None) or {}
    labels = [str(names.get(i, i)) for i in range(model.num_labels)]
    return CrossEncoderScorer(info, model, labels)


def _static(files: ModelFiles) -> Any:  # noqa: ANN401
    """Wordllama's matrix and tokenizer as a module: the mean of the rows of a text's tokens."""
    from safetensors.numpy import load_file

    transformers: Any = importlib.import_module("transformers")

    for place in ("sentence_transformer.modules", "models"):  # new name, then the older one
        with suppress(ImportError):
            module = importlib.import_module(f"sentence_transformers.{place}")
            break

    matrix = load_file(files.weights[0])["embedding.weight"].astype(np.float32)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(files.tokenizer))
    return module.StaticEmbedding(tokenizer, embedding_weights=matrix)


def _settle(model: Any) -> None:  # noqa: ANN401
    """Make a loaded model ready: full precision, no training, weights in memory of its own.

    Half-precision weights are slow on CPUs, and their roundings make ties. Weights are mapped from
    their file at first: a file that is written over would change the model under its users.
    """
    model.float().eval()
    for weights in (*model.parameters(), *model.buffers()):
        weights.data = weights.data.clone()


def _complete(info: ModelInfo, missing: list[str]) -> None:
    if missing:
        raise ModelError(
            f"The weights of {info.name} are incomplete: {len(missing)} are missing, such as"
            f" {missing[0]}. Random numbers would stand in for them.",
            title="Incomplete model",
            hint="Download or save the model again.",
        )


@contextmanager
def _watched() -> Iterator[list[str]]:
    """Keep the libraries' progress bars and reports off the screen; collect missing weights.

    Missing weights are only reported in the log: the loaders fill them with random numbers.
    """
    settings: Any = importlib.import_module("transformers.utils.logging")

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            missing.extend(_missing(record.getMessage()))

    missing: list[str] = []
    bars = settings.is_progress_bar_enabled()
    logger = settings.get_logger("transformers")
    before, level = logger.handlers[:], logger.level
    logger.handlers[:] = [Collector()]
    logger.setLevel(logging.WARNING)
    settings.disable_progress_bar()
    try:
        yield missing
    finally:
        logger.handlers[:] = before
        logger.setLevel(level)
        if bars:
            settings.enable_progress_bar()


def _missing(report: str) -> list[str]:
    """Names of weights that a load report calls missing; versions before 5 list them in a row."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", report)
    found = re.findall(r"^(\S+)\s*\|\s*MISSING", plain, re.MULTILINE)
    if "newly initialized:" in plain:
        found += re.findall(r"'([\w.]+)'", plain.split("newly initialized:")[1])
    return found


@contextmanager
def _plainly(name: str) -> Iterator[None]:
    """Turn what the libraries raise into one sentence, with the cause kept."""
    try:
        yield
    except RagDebugError:
        raise
    except Exception as e:
        reason = (str(e).strip().splitlines() or [""])[0][:200]
        message = f"The model {name} could not be loaded: {type(e).__name__}: {reason}"
        hint = "Its files may be damaged or incomplete; download or save it again."
        if "trust_remote_code" in str(e) or "remote code" in str(e).lower():
            message = f"The model {name} needs program code of its own, which is never run here."
            hint = "Use a model of an architecture that the installed transformers knows."
        elif isinstance(e, ImportError):
            hint = "Install the package it asks for, or use another model."
        elif isinstance(e, MemoryError) or "out of memory" in str(e).lower():
            hint = "It does not fit into memory; use a smaller model."
        raise ModelError(message, hint=hint) from e
