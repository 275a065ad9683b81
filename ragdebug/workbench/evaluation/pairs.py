"""The (question, passage) pairs a reranker has to score, each distinct passage read once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ragdebug.errors import ModelError
from ragdebug.pipeline import Resources, prefetch, run
from ragdebug.protocols import ModelInfo, PairScorer, Progress, Vectors, text_hash
from ragdebug.settings import StrategySettings
from ragdebug.web.parallel import in_parallel
from ragdebug.workbench.evaluation.lists import TOGETHER

if TYPE_CHECKING:
    from ragdebug.store.scores import ScoreStore

FLUSH_S = 1.0


@dataclass(frozen=True, slots=True)
class Pairs:
    """What has to be scored.

    Attributes:
        queries: the questions' texts.
        texts: distinct passages, by hash.
        wanted: for each passage, in order, positions of the questions it is a candidate of.
        known: scores that are there already, by (question, hash).
    """

    queries: tuple[str, ...]
    texts: dict[str, str]
    wanted: dict[str, list[int]]
    known: dict[tuple[str, str], float]

    def left(self) -> dict[str, list[int]]:
        """`wanted` without what is known; passages without any left are not in it."""
        result = {}
        for key, asked in self.wanted.items():
            new = [at for at in asked if (self.queries[at], key) not in self.known]
            if new:
                result[key] = new
        return result

    def estimate_s(self, model: ModelInfo, once: bool) -> float:
        """Rough seconds for what is left; `once`: the model reads each passage once for all."""
        left = self.left()
        read = len(left) if once else sum(len(asked) for asked in left.values())
        return read / max(model.texts_per_s, 1e-9)


def candidates(
    queries: Sequence[str],
    vectors: Vectors | None,
    strategy: StrategySettings,
    resources: Resources,
    progress: Progress,
) -> list[list[int]]:
    """Rows of the first stage's best for each question, as many as the reranker's pool holds."""
    first = replace(strategy, preset="hybrid", minimum=None)
    result = []
    for start in range(0, len(queries), TOGETHER):
        some = queries[start : start + TOGETHER]
        if vectors is not None:
            prefetch(some, vectors[start : start + TOGETHER], first, resources)
        for at, query in enumerate(some, start):
            progress(at, len(queries), "questions searched")
            trace = run(query, first, resources)
            ranking = trace.stages[-2] if len(trace.stages) > 1 else trace.final
            result.append(ranking.rows[: strategy.rerank.pool].tolist())
        resources.memo.clear()
    return result


def pairs_of(
    queries: Sequence[str],
    rows: Sequence[Sequence[int]],
    resources: Resources,
    model: ModelInfo,
    store: ScoreStore,
) -> Pairs:
    """Distinct passages of the candidates and the scores that are kept from before."""
    hashes: dict[int, str] = {}
    texts: dict[str, str] = {}
    wanted: dict[str, list[int]] = {}
    for at, pool in enumerate(rows):
        for row in pool:
            if row not in hashes:
                text = resources.table.index_text(row)
                hashes[row] = text_hash(text)
                texts[hashes[row]] = text
            asked = wanted.setdefault(hashes[row], [])
            if at not in asked[-1:]:  # equal passages of one pool are scored once
                asked.append(at)
    known = store.get_many(model.fingerprint, sorted(set(queries)))
    return Pairs(tuple(queries), texts, wanted, known)


def score_all(
    pairs: Pairs, scorer: PairScorer, store: ScoreStore, progress: Progress
) -> dict[tuple[str, str], float]:
    """Score what is not known yet and keep it about once a second; all scores by pair.

    Raises:
        Cancelled: from `progress`; what was scored is kept.
        ModelError: when the model gives a score that is no number.
    """
    if scorer.info.remote:
        return _score_by_query(pairs, scorer, store, progress)
    left = pairs.left()
    keys = sorted(left, key=lambda key: -len(pairs.texts[key]))  # like lengths side by side
    fresh: dict[tuple[str, str], float] = {}
    scores = dict(pairs.known)
    since = time.perf_counter()
    made = scorer.score_pairs(
        pairs.queries, [pairs.texts[k] for k in keys], [left[k] for k in keys]
    )
    if keys:
        progress(0, len(keys), "passages reranked")
    try:
        for done, (key, values) in enumerate(zip(keys, made, strict=True), 1):
            if not np.isfinite(values).all():
                raise ModelError(
                    f"The reranker {scorer.info.name} gave no number for a passage.",
                    hint="Use another reranker, or load this one again.",
                )
            asked = (pairs.queries[at] for at in left[key])
            fresh |= {
                (query, key): value for query, value in zip(asked, values.tolist(), strict=True)
            }
            if time.perf_counter() - since > FLUSH_S:
                store.put_many(scorer.info.fingerprint, fresh)
                scores |= fresh
                fresh, since = {}, time.perf_counter()
            progress(done, len(keys), "passages reranked")
    finally:
        store.put_many(scorer.info.fingerprint, fresh)
        scores |= fresh
    return scores


def _score_by_query(
    pairs: Pairs, scorer: PairScorer, store: ScoreStore, progress: Progress
) -> dict[tuple[str, str], float]:
    """`score_all` where a request holds one question: what is paid for is kept after each."""
    asked: dict[str, list[str]] = {}
    for key, some in pairs.left().items():
        for query in dict.fromkeys(pairs.queries[at] for at in some):
            asked.setdefault(query, []).append(key)
    scores = dict(pairs.known)
    done, total = 0, sum(map(len, asked.values()))

    def score(query: str) -> list[float]:
        made = scorer.score(query, [pairs.texts[key] for key in asked[query]])
        return [float(x) for x in made]

    def keep(query: str, values: list[float]) -> None:
        nonlocal done
        fresh = {(query, k): v for k, v in zip(asked[query], values, strict=True)}
        store.put_many(scorer.info.fingerprint, fresh)
        scores.update(fresh)
        done += len(values)

    def tell() -> None:
        progress(done, total, "passages reranked")

    if total:
        tell()
    in_parallel(score, asked, keep, scorer.info.parallel, tell)
    return scores
