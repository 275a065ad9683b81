"""Late interaction: compare a query with a text token by token.

MaxSim of Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized
Late Interaction over BERT" (SIGIR 2020), over the token vectors of a model that was never trained
for it, and as a mean instead of a sum, so that scores of queries of different length compare.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ragdebug.protocols import ModelInfo, Vectors, text_hash

# Token vectors of texts seen last, so that the next question about the same chunks is quick:
# 40,000 tokens of 384 dimensions take 61 MB.
REMEMBERED_TOKENS = 40_000
READ_AT_ONCE = 32  # texts


class TokenModel(Protocol):
    """What gives token vectors."""

    def token_vectors(self, texts: Sequence[str]) -> list[Vectors]:
        """One array of shape (tokens, dimension) a text; unit rows, special tokens left out."""
        ...

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, uncut, without special tokens."""
        ...


def maxsim(query: Vectors, text: Vectors) -> float:
    """Mean over the query's tokens of the best cosine with any of the text's tokens.

    Args:
        query: shape (q, d), unit rows.
        text: shape (t, d), unit rows.

    Returns:
        From -1 to 1; 0 for a query without tokens, -1 for a text without any.
    """
    if not len(query):
        return 0.0
    if not len(text):
        return -1.0
    return float((query @ text.T).max(axis=1).mean(dtype=np.float64))


class LateInteraction:
    """A reranker over a model's token vectors; no weights of its own. Threads may share it."""

    score_kind = "maxsim"

    def __init__(self, info: ModelInfo, model: TokenModel) -> None:
        self.info = info
        self._model = model
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._tokens = 0
        self._lock = threading.Lock()

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n,), float64: `maxsim` of the query and each text, each cut at the window."""
        if not texts:
            return np.zeros(0)
        wanted = self._model.token_vectors([query])[0]
        keys = [text_hash(text) for text in texts]
        vectors = self._vectors(dict(zip(keys, texts, strict=True)))
        return np.array([maxsim(wanted, vectors[key]) for key in keys])

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        """Scores of many queries; each text is read once, and its vectors are let go at once."""
        used = sorted({at for asked in wanted for at in asked})
        read = self._model.token_vectors([queries[at] for at in used])
        tokens = dict(zip(used, read, strict=True))
        for at in range(0, len(texts), READ_AT_ONCE):
            some = slice(at, at + READ_AT_ONCE)
            vectors = self._model.token_vectors(texts[some])
            for text, asked in zip(vectors, wanted[some], strict=True):
                yield np.array([maxsim(tokens[q], text) for q in asked])

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        """Tokens of each text with its special tokens, uncut; query and text are read apart."""
        first, *rest = self._model.token_counts([query, *texts])
        return [max(first, n) + self.info.special_tokens for n in rest]

    def _vectors(self, texts: dict[str, str]) -> dict[str, Vectors]:
        """Token vectors by key, of texts by key."""
        with self._lock:
            found = {key: self._known[key] for key in texts if key in self._known}
            for key in found:
                self._known.move_to_end(key)
        new = [key for key in texts if key not in found]
        made = {}
        if new:
            vectors = self._model.token_vectors([texts[key] for key in new])
            made = dict(zip(new, vectors, strict=True))
        with self._lock:
            for key, tokens in made.items():
                if key not in self._known:
                    self._known[key] = tokens
                    self._tokens += len(tokens)
            while self._tokens > REMEMBERED_TOKENS:
                self._tokens -= len(self._known.popitem(last=False)[1])
        return found | made
