"""Embed every distinct text once per model, ever: plan, then fill the cache of vectors."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ragdebug.errors import ModelMismatch
from ragdebug.protocols import (
    Embedder,
    ModelInfo,
    Progress,
    VectorCache,
    Vectors,
    silent,
    text_hash,
)
from ragdebug.web.consent import Sending
from ragdebug.web.parallel import in_parallel

__all__ = ["EmbedPlan", "EmbedStats", "embed_missing", "plan", "text_hash"]

# How long one call of the model should take, and how often what is done is made safe.
CALL_S = 0.4
FLUSH_S = 1.0
# Texts of like length in one batch; several batches make a call where the model is quick.
BATCH = 32
LARGEST_CALL = 64 * BATCH


@dataclass(frozen=True, slots=True)
class EmbedPlan:
    """What embedding would mean, before it starts.

    Attributes:
        texts: how many texts, repeats counted.
        distinct: how many different ones.
        new: how many of those the cache does not have for this model.
        estimate_s: rough seconds for the new ones, on two cores, for texts of 160 tokens.
        sending: what of that would go to which address; None for a model on this machine.
    """

    texts: int
    distinct: int
    new: int
    estimate_s: float
    sending: Sending | None = None


@dataclass(frozen=True, slots=True)
class EmbedStats:
    """What embedding has done.

    Attributes:
        texts: how many texts, repeats counted.
        distinct: how many different ones.
        embedded: how many were new and are in the cache now.
        left: how many are still missing, because the time given was over.
        elapsed_s: seconds for all of it.
        model_s: seconds inside the model; of calls at the same time each counts.
    """

    texts: int
    distinct: int
    embedded: int
    left: int
    elapsed_s: float
    model_s: float


def plan(hashes: Sequence[str], info: ModelInfo, cache: VectorCache) -> EmbedPlan:
    """Count what has to be embedded. Needs no model to be loaded.

    Args:
        hashes: `text_hash` of every text.
        info: the model.
        cache: vectors by model fingerprint and hash.
    """
    distinct = list(dict.fromkeys(hashes))
    new = len(_missing(distinct, info, cache))
    return EmbedPlan(len(hashes), len(distinct), new, new / max(info.texts_per_s, 1e-9))


def embed_missing(
    texts: Sequence[str],
    embedder: Embedder,
    cache: VectorCache,
    progress: Progress = silent,
    budget_s: float | None = None,
) -> EmbedStats:
    """Embed the distinct texts that the cache does not have yet, and keep their vectors.

    Vectors are kept about once a second. When `progress` raises, or anything else does, what is
    finished is kept and the next call goes on from there.

    Args:
        texts: all of them, as they are embedded, without prompts.
        embedder: the model.
        cache: vectors by model fingerprint and hash.
        progress: called after each call of the model, in units of "texts" among the new ones.
        budget_s: stop after about this many seconds; None for no limit.

    Raises:
        Cancelled: from `progress`, when the user stopped.
        ModelMismatch: when the model gives vectors of another length than its files say.
        ModelError: when it gives something that is no number.
    """
    start = time.perf_counter()
    by_hash = {text_hash(text): text for text in texts}
    hashes, info = list(by_hash), embedder.info
    todo = _missing(hashes, info, cache)
    batches = _batches(todo, by_hash, info.batch or BATCH)
    pending = _Pending(info, cache)
    done, model_s, call = 0, 0.0, 1

    def calls() -> Iterator[list[str]]:
        while batches and (budget_s is None or time.perf_counter() - start < budget_s):
            yield [h for batch in _taken(batches, call) for h in batch]

    def embed(taken: list[str]) -> tuple[Vectors, float]:
        before = time.perf_counter()
        vectors = embedder.embed_passages([by_hash[h] for h in taken])
        return vectors, time.perf_counter() - before

    def keep(taken: list[str], made: tuple[Vectors, float]) -> None:
        nonlocal done, model_s, call
        vectors, spent = made
        pending.add(taken, vectors)
        done += len(taken)
        model_s += spent
        call = 1 if info.batch else _next_call(call, spent)

    def tell() -> None:  # also while a server asks to wait: the user can stop there, too
        progress(done, len(todo), "texts")

    try:
        if todo:
            tell()
        in_parallel(embed, calls(), keep, info.parallel, tell)
    finally:
        pending.flush()
    elapsed = time.perf_counter() - start
    return EmbedStats(len(texts), len(hashes), done, len(todo) - done, elapsed, model_s)


def _missing(hashes: list[str], info: ModelInfo, cache: VectorCache) -> list[str]:
    """Those of the hashes that have no vector yet, in their order."""
    known = cache.known(info.fingerprint, hashes)
    return [h for h, is_known in zip(hashes, known.tolist(), strict=True) if not is_known]


def _batches(hashes: list[str], by_hash: dict[str, str], size: int = BATCH) -> list[list[str]]:
    """Batches of texts of like length, so that little is padding, in a mixed but fixed order.

    Mixed, since with the longest first the rate so far would say nothing about the time left.
    """
    ordered = sorted(hashes, key=lambda h: -len(by_hash[h]))
    batches = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    order = np.random.default_rng(len(batches)).permutation(len(batches))
    return [batches[i] for i in order]


def _taken(batches: list[list[str]], number: int) -> list[list[str]]:
    """Take some batches off the end of a list of them."""
    taken = batches[-number:]
    del batches[-number:]
    return taken


def _next_call(call: int, spent_s: float) -> int:
    """Batches in the next call, from how long the last one took; at most doubled."""
    wanted = call * CALL_S / max(spent_s, 1e-6)
    return int(max(1, min(2 * call, wanted, LARGEST_CALL // BATCH)))


class _Pending:
    """Vectors that are made but not kept yet."""

    def __init__(self, info: ModelInfo, cache: VectorCache) -> None:
        self._info = info
        self._cache = cache
        self._hashes: list[str] = []
        self._vectors: list[Vectors] = []
        self._since = time.perf_counter()

    def add(self, hashes: list[str], vectors: Vectors) -> None:
        """Take over a call's vectors; keep them when a second has passed."""
        if vectors.shape != (len(hashes), self._info.dimension):
            raise ModelMismatch(
                f"{self._info.name} should give {len(hashes)} vectors of length"
                f" {self._info.dimension}, and gave {vectors.shape}."
            )
        self._hashes += hashes
        self._vectors.append(vectors)
        if time.perf_counter() - self._since >= FLUSH_S:
            self.flush()

    def flush(self) -> None:
        """Keep all that is pending."""
        if self._hashes:
            vectors = np.concatenate(self._vectors)
            self._cache.put(self._info.fingerprint, self._hashes, vectors)
        self._hashes, self._vectors = [], []
        self._since = time.perf_counter()
