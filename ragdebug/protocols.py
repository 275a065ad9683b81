"""What a stage needs of another, as protocols, so that stages do not import each other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


APPROXIMATE = "vectors in the approximate index"  # `what` of the dearest index to build


class Progress(Protocol):
    """Called while long work goes on.

    `done` and `total` are in units of `what` ("files", "texts"); total is 0 when it is unknown.
    Raising `Cancelled` from it stops the work after the batch at hand.
    """

    def __call__(self, done: int, total: int, what: str) -> None:
        """Say how far the work is."""
        ...


def silent(done: int, total: int, what: str) -> None:
    """Progress that nobody looks at."""


class TokenCounter(Protocol):
    """A tokenizer that only counts and gives positions."""

    name: str

    def count(self, text: str) -> int:
        """Number of tokens, without special tokens, never truncated."""
        ...

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """`count` of each text."""
        ...

    def offsets(self, text: str) -> NDArray[np.int64]:
        """Shape (n, 2): code point range of each token, in order, never truncated."""
        ...


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model before it is loaded.

    Attributes:
        name: as a person writes it.
        kind: embedder or reranker.
        fingerprint: changes when the model, its revision, prompts or normalisation change.
        dimension: length of its vectors; 0 for rerankers.
        window: most tokens it reads, special tokens included; 0 when it has no limit.
        special_tokens: how many of the window the model takes for itself, a passage's prompt
            included.
        languages: ISO codes it was made for; empty when it was made for many.
        query_prompt: put in front of a query.
        passage_prompt: put in front of a text.
        embedded: comes inside an installed package, needs no network.
        texts_per_s: rough speed on two cores for texts of 160 tokens, for estimates.
        note: one sentence for a person.
        remote: behind an address: what it reads is sent there.
        batch: most texts in one request to it; 0 for models on this machine.
        parallel: most requests to it at the same time.
        tokenizer: model whose tokenizer counts for it; "" for its own.
        price_per_million: of a million tokens; 0 where nothing is known or to be paid.
    """

    name: str
    kind: str
    fingerprint: str
    dimension: int = 0
    window: int = 0
    special_tokens: int = 0
    languages: tuple[str, ...] = ()
    query_prompt: str = ""
    passage_prompt: str = ""
    revision: str = ""
    embedded: bool = False
    texts_per_s: float = 20.0
    note: str = ""
    remote: bool = False
    batch: int = 0
    parallel: int = 1
    tokenizer: str = ""
    price_per_million: float = 0.0


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors."""

    info: ModelInfo

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (n, dimension), float32, unit length; the passage prompt is added here."""
        ...

    def embed_query(self, query: str) -> Vectors:
        """Shape (dimension,), float32, unit length; the query prompt is added here."""
        ...

    def embed_queries(self, queries: Sequence[str]) -> Vectors:
        """Shape (n, dimension): `embed_query` of each, in batches."""
        ...


class PairScorer(Protocol):
    """Scores (query, text) pairs; higher is better; raw logits, so that ties are real."""

    info: ModelInfo
    score_kind: str

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n,), float64."""
        ...

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        """Scores of many queries; ``wanted[i]`` holds the queries that text i is scored against.

        Yields:
            For each text an array in the order of ``wanted[i]``; the text is read once for all of
            them where the model allows it. Texts of like length side by side save time.
        """
        ...

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        """Tokens of each pair as the model would need them, special tokens included, uncut."""
        ...


class Measure(Protocol):
    """Size of spans of one document in the unit of a chunking."""

    def size(self, start: int, end: int) -> int:
        """Units in ``text[start:end]``."""
        ...

    def fit(self, start: int, limit: int) -> int:
        """Largest end such that ``size(start, end) <= limit``; always above `start`."""
        ...

    def back(self, end: int, limit: int) -> int:
        """Smallest start such that ``size(start, end) <= limit``; `end` when limit is 0."""
        ...


def text_hash(text: str) -> str:
    """Key of a text in the caches: 32 hex digits of BLAKE2b over its UTF-8."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class VectorCache(Protocol):
    """Vectors by (model fingerprint, hash of the embedded text), kept for ever."""

    def get(self, model: str, hashes: Sequence[str]) -> tuple[NDArray[np.int64], Vectors]:
        """Positions in `hashes` that are known, shape (m,), and their vectors, shape (m, d)."""
        ...

    def known(self, model: str, hashes: Sequence[str]) -> NDArray[np.bool_]:
        """Shape (n,): whether each hash has a vector; reads no vectors."""
        ...

    def put(self, model: str, hashes: Sequence[str], vectors: Vectors) -> None:
        """Keep vectors; hashes already there are left as they are."""
        ...


class ScoreCache(Protocol):
    """Rerank scores by (model fingerprint, query, hash of the text)."""

    def get(self, model: str, query: str, hashes: Sequence[str]) -> dict[str, float]:
        """Known scores by hash."""
        ...

    def put(self, model: str, query: str, scores: dict[str, float]) -> None:
        """Keep scores."""
        ...


Clock = Callable[[], float]
