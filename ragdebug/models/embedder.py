"""Texts to unit vectors with a loaded SentenceTransformer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ragdebug.errors import ModelError
from ragdebug.model_files import well_formed
from ragdebug.protocols import ModelInfo, Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH = 32
# A static model looks rows up: what costs is the call, not the padding.
STATIC_BATCH = 512
GPU_BATCH = 128


class Turns:
    """One caller at a time (tokenizers keep their settings in themselves).

    A long build takes many short turns; whoever waits for an answer goes before its next one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._urgent = 0
        self._count = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many urgent callers wait or hold the model."""
        return self._urgent

    @contextmanager
    def take(self, urgent: bool = False) -> Iterator[None]:
        """Hold the model; one that is not urgent lets those that wait go first."""
        if urgent:
            with self._count:
                self._urgent += 1
        else:
            while self._urgent:
                time.sleep(0.0005)
        try:
            with self._lock:
                yield
        finally:
            if urgent:
                with self._count:
                    self._urgent -= 1


class SentenceEmbedder:
    """An `Embedder` over a SentenceTransformer. Threads may share it.

    A text without any token has the zero vector: its cosine with everything is 0.
    """

    def __init__(self, info: ModelInfo, model: SentenceTransformer) -> None:
        self.info = info
        self.batch = BATCH if model.device.type == "cpu" else GPU_BATCH
        if not info.window and info.embedded:
            self.batch = STATIC_BATCH
        self._model = model
        self._turns = Turns()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (n, dimension), float32, unit length; the passage prompt is added here."""
        return self._embed(texts, self.info.passage_prompt, urgent=False)

    def embed_query(self, query: str) -> Vectors:
        """Shape (dimension,), float32, unit length; the query prompt is added here."""
        vector: Vectors = self._embed([query], self.info.query_prompt, urgent=True)[0]
        return vector

    def embed_queries(self, queries: Sequence[str]) -> Vectors:
        """Shape (n, dimension): `embed_query` of each, in batches."""
        return self._embed(queries, self.info.query_prompt, urgent=False)

    def _embed(self, texts: Sequence[str], prompt: str, urgent: bool) -> Vectors:
        if not texts:
            return np.zeros((0, self.info.dimension), np.float32)
        with self._turns.take(urgent):
            raw = self._model.encode(
                [well_formed(text) for text in texts],
                # "" and not None: a default prompt of the model's own would come in otherwise.
                prompt=prompt,
                batch_size=self.batch,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return unit(np.asarray(raw, np.float32), self.info.name)

    def token_vectors(self, texts: Sequence[str]) -> list[Vectors]:
        """Last hidden states of each text's tokens, up to the window, as unit rows.

        Returns:
            One array of shape (tokens, d) a text, without special tokens and padding.

        Raises:
            ModelError: when the model has no token vectors (static ones have none in context).
        """
        if not texts:
            return []
        special = self._special_ids()
        with self._turns.take(urgent=True):
            items: Any = self._model.encode(
                [well_formed(text) for text in texts],
                prompt="",
                batch_size=self.batch,
                show_progress_bar=False,
                output_value=None,
            )
        result = []
        for item in items:
            if "token_embeddings" not in item or "input_ids" not in item:
                raise ModelError(f"{self.info.name} has no token vectors.")
            ids = item["input_ids"].cpu().numpy()
            kept = (item["attention_mask"].cpu().numpy() == 1) & ~np.isin(ids, special)
            tokens = item["token_embeddings"].float().cpu().numpy()[kept]
            result.append(unit(tokens, self.info.name))
        return result

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, uncut, without special tokens."""
        return count_tokens(self._model.tokenizer, texts, self._turns)

    def _special_ids(self) -> list[int]:
        """What the tokenizer puts around a text or fills up with; [UNK] is text."""
        tokenizer: Any = self._model.tokenizer
        names = ("cls", "sep", "pad", "bos", "eos")
        ids = [getattr(tokenizer, f"{name}_token_id", None) for name in names]
        return [i for i in ids if i is not None]


def count_tokens(tokenizer: Any, texts: Sequence[str], turns: Turns) -> list[int]:  # noqa: ANN401
    """Tokens of each text by a transformers tokenizer, uncut, without special tokens."""
    if not texts:
        return []
    with turns.take(urgent=True):
        ids = tokenizer(
            [well_formed(text) for text in texts],
            add_special_tokens=False,
            truncation=False,
            padding=False,
            verbose=False,
        )["input_ids"]
    return [len(one) for one in ids]


def unit(vectors: Vectors, name: str) -> Vectors:
    """Rows scaled to length 1, where they are not already; rows of zeros stay.

    Raises:
        ModelError: when a number is not finite.
    """
    lengths = np.linalg.norm(vectors, axis=1)
    if not np.isfinite(lengths).all():
        raise ModelError(
            f"{name} gave vectors that are not numbers for {(~np.isfinite(lengths)).sum()} of"
            f" {len(vectors)} texts.",
            hint="The model's files may be damaged; load it again.",
        )
    off = (np.abs(lengths - 1) > 1e-6) & (lengths > 0)
    if off.any():
        vectors = vectors.copy()
        vectors[off] /= lengths[off, None]
    return vectors
