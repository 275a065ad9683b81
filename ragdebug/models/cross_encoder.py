"""Scores of (query, text) pairs by a loaded CrossEncoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import ModelError
from ragdebug.model_files import well_formed
from ragdebug.models.embedder import BATCH, GPU_BATCH, Turns, count_tokens
from ragdebug.protocols import ModelInfo

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

# Texts whose pairs are scored in one call, so that progress is seen.
PAIRED = 8

# Names of the class that means "answers the question", where a model has two.
RELEVANT = ("relevant", "entailment", "positive", "true", "yes", "match", "1")


class CrossEncoderScorer:
    """A `PairScorer` over a sentence-transformers CrossEncoder. Threads may share it.

    Scores are raw logits: a sigmoid maps all good pairs to 1.0, and their order would be lost. A
    model of two classes scores by the logit of the relevant class less the other's, which is the
    log of the odds; the relevant class is the one called so, else the second.
    """

    score_kind = "cross-encoder"

    def __init__(self, info: ModelInfo, model: CrossEncoder, labels: Sequence[str]) -> None:
        if len(labels) > 2:
            raise ModelError(
                f"{info.name} sorts pairs into {len(labels)} classes"
                f" ({', '.join(labels[:4])}), which is no score.",
                hint="Use a cross-encoder with one output, such as those trained on MS MARCO.",
            )
        self.info = info
        self._model = model
        self._relevant = next((i for i, x in enumerate(labels) if x.lower() in RELEVANT), 1)
        self._batch = BATCH if model.device.type == "cpu" else GPU_BATCH
        self._turns = Turns()

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n,), float64, raw logits."""
        return self._predict([(query, text) for text in texts])

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        """Scores of many queries; query and text are read together, so each pair by itself."""
        for at in range(0, len(texts), PAIRED):
            some = range(at, min(at + PAIRED, len(texts)))
            scores = self._predict([(queries[q], texts[t]) for t in some for q in wanted[t]])
            yield from np.split(scores, np.cumsum([len(wanted[t]) for t in some])[:-1])

    def _predict(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        if not pairs:
            return np.zeros(0)
        import torch

        with self._turns.take():
            raw = self._model.predict(
                [(well_formed(query), well_formed(text)) for query, text in pairs],
                activation_fn=torch.nn.Identity(),
                batch_size=self._batch,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        scores = np.asarray(raw, np.float64).reshape(len(pairs), -1)
        if scores.shape[1] == 2:
            return scores[:, self._relevant] - scores[:, 1 - self._relevant]
        first: NDArray[np.float64] = scores[:, 0]
        return first

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        """Tokens of each pair with its special tokens, uncut."""
        first, *rest = count_tokens(self._model.tokenizer, [query, *texts], self._turns)
        return [first + n + self.info.special_tokens for n in rest]
