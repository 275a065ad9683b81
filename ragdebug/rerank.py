"""Put the first candidates of a list into a new order by scoring each against the query."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import ModelError
from ragdebug.protocols import PairScorer, ScoreCache, text_hash
from ragdebug.records import RankedList, Scores
from ragdebug.settings import FUSED_DECIMALS, RerankSettings

# The constant of reciprocal rank fusion, where old and new order are blended.
RRF_K = 60


def rerank(
    query: str,
    candidates: RankedList,
    texts: Sequence[str],
    scorer: PairScorer,
    settings: RerankSettings,
    cache: ScoreCache | None = None,
) -> tuple[RankedList, dict[int, tuple[str, ...]]]:
    """Rerank the first `settings.pool` candidates; the rest follows in its old order.

    Equal raw scores keep the first stage's order. With `settings.blend` the new order and the old
    one are fused by reciprocal ranks, 1/(60 + rank) each; equal sums go by raw score. The identity
    reranker gives no scores, so the candidates keep theirs and their kind.

    Args:
        query: as it was asked.
        candidates: the first stage's list, deeper than the pool where it can be.
        texts: of the candidates in their order; only the first `pool` are looked at.
        scorer: gives raw scores, higher is better.
        settings: pool and blend.
        cache: scores by (model, query, text), or None.

    Returns:
        The list: the pool in its new order, then the rest. `depth` is the pool asked for, so the
        pool ends after ``min(depth, len(list))`` rows; the rows after it were never scored and
        have the score nan. And notes by chunk row, such as "cut: 612 of 512 tokens".

    Raises:
        ModelError: when the model gives a score that is no number.
    """
    start = time.perf_counter()
    size = min(settings.pool, len(candidates))
    if len(texts) < size:
        raise ValueError(f"{size} candidates are to be reranked, but {len(texts)} texts are given.")
    pool = list(texts[:size])
    rows, kind = candidates.rows[:size], scorer.score_kind
    notes: dict[int, tuple[str, ...]] = {}
    if kind == "identity":
        order, scores, kind = np.arange(size), candidates.scores[:size], candidates.score_kind
    else:
        raw = _scores(query, pool, scorer, cache)
        notes = _cut_notes(query, pool, rows.tolist(), scorer)
        order = np.argsort(-raw, kind="stable")
        scores = raw[order]
        if settings.blend:
            notes = _blend_notes(rows, order, raw, kind, notes)
            order, scores = _blend(order)
            kind = "rrf"
    rest = candidates.rows[size:]
    made = RankedList(
        name="reranked",
        score_kind=kind,
        rows=np.concatenate([rows[order], rest]).astype(np.int64),
        scores=np.concatenate([scores, np.full(len(rest), np.nan)]).astype(np.float64),
        depth=settings.pool,
        allowed=candidates.allowed,
        elapsed_s=time.perf_counter() - start,
    )
    return made, notes


def pool_size(reranked: RankedList) -> int:
    """How many rows of a reranked list were scored; the rest follows after them."""
    return min(reranked.depth, len(reranked))


def _scores(query: str, texts: list[str], scorer: PairScorer, cache: ScoreCache | None) -> Scores:
    """Raw scores, each distinct text scored once, and not at all where the cache knows it."""
    hashes = [text_hash(text) for text in texts]
    by_hash = dict(zip(hashes, texts, strict=True))
    model = scorer.info.fingerprint
    known = cache.get(model, query, list(by_hash)) if cache is not None else {}
    new = [h for h in by_hash if h not in known]
    if new:
        made = np.asarray(scorer.score(query, [by_hash[h] for h in new]), np.float64)
        bad = int((~np.isfinite(made)).sum())
        if bad or made.shape != (len(new),):
            raise ModelError(
                f"The reranker {scorer.info.name} gave no number for"
                f" {bad or 'some'} of {len(new)} texts.",
                hint="Use another reranker, or load this one again.",
            )
        fresh = dict(zip(new, made.tolist(), strict=True))
        if cache is not None:
            cache.put(model, query, fresh)
        known = {**known, **fresh}
    return np.array([known[h] for h in hashes], np.float64)


def _cut_notes(
    query: str, texts: list[str], rows: list[int], scorer: PairScorer
) -> dict[int, tuple[str, ...]]:
    """A note for each row of which the model does not read all."""
    window = scorer.info.window
    if not window or not texts:
        return {}
    lengths = scorer.lengths(query, texts)
    return {
        row: (f"cut: the model reads {window:,} of {length:,} tokens",)
        for row, length in zip(rows, lengths, strict=True)
        if length > window
    }


def _blend(order: NDArray[np.int64]) -> tuple[NDArray[np.int64], Scores]:
    """Fuse the new order with the old one (0, 1, 2, ...) by reciprocal ranks."""
    size = len(order)
    new_rank = np.empty(size)
    new_rank[order] = np.arange(1, size + 1)
    fused = 1 / (RRF_K + new_rank) + 1 / (RRF_K + np.arange(1, size + 1))
    # Equal sums in the order of the raw scores, whatever the last bit says.
    best = np.lexsort((new_rank, -np.round(fused, FUSED_DECIMALS)))
    return best, fused[best]


def _blend_notes(
    rows: NDArray[np.int64],
    order: NDArray[np.int64],
    raw: Scores,
    kind: str,
    notes: dict[int, tuple[str, ...]],
) -> dict[int, tuple[str, ...]]:
    """What the reranker alone would have said, which the blended score hides."""
    result = dict(notes)
    for rank, at in enumerate(order.tolist(), 1):
        row = int(rows[at])
        result[row] = (*notes.get(row, ()), f"{kind} {raw[at]:.4f}, rank {rank} by it alone")
    return result
