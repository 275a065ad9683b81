"""Fusing, reranking and cutting the lists of all questions at once.

The same arithmetic as `ragdebug.fuse` and `ragdebug.rerank`, in the same order of operations, so
that ranks are the same to the last tie; a test compares them with real runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.records import Scores
from ragdebug.rerank import RRF_K
from ragdebug.runs import DEPTH
from ragdebug.settings import FUSED_DECIMALS, StrategySettings
from ragdebug.workbench.evaluation.lists import measuring
from ragdebug.workbench.whatif.lists import ABSENT, Lists
from ragdebug.workbench.whatif.pairs_order import order_of_pairs

Ints = NDArray[np.int64]
_NO_SCORES = np.zeros((0, 0)), np.zeros((0, 0), np.bool_)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Final lists of n questions.

    Attributes:
        rank: shape (n, u), int32, beside `Lists.rows`: rank in the final list or `ABSENT`.
        unscored: shape (n,), int64: passages in the reranker's pool that it has not scored yet. The
            ranks of such a question are not those of a real run.
    """

    rank: NDArray[np.int32]
    unscored: Ints


def list_names(strategy: StrategySettings) -> tuple[str, ...]:
    """The lists a strategy is made of, in the order in which they are fused."""
    if strategy.is_outside:
        return (strategy.preset,)
    used = {"vector": strategy.uses_vectors, "bm25": strategy.uses_bm25}
    return tuple(name for name, there in used.items() if there)


def list_depth(strategy: StrategySettings) -> int:
    """How deep each list goes when a strategy is measured; another system's is taken whole."""
    if strategy.is_outside:
        return ABSENT - 1
    return max(measuring(strategy).depth, strategy.k)


def rank_all(
    lists: Lists, strategy: StrategySettings, raw: Scores | None = None, most: int = DEPTH
) -> Ranked:
    """Rank the rows of every question as a run of the strategy would.

    Args:
        lists: at least as deep as `list_depth`.
        strategy: how to fuse, rerank and cut; its k and budget are not looked at.
        raw: shape (n, u), the reranker's scores, NaN where it has not scored; needed for
            ``reranked`` unless the reranker is the identity.
        most: ranks below it are not in the list any more.
    """
    fused = order_of_pairs(lists, list_names(strategy), strategy.fusion, list_depth(strategy))
    scored = fused is None or strategy.preset == "reranked" or strategy.minimum is not None
    scores, there = _first_stage(lists, strategy) if scored else _NO_SCORES
    if fused is not None:
        order, count = fused
    else:
        # Another system's list stays as it came, whatever its scores are.
        best = lists.rank[strategy.preset] if strategy.is_outside else -scores
        order = np.argsort(np.where(there, best, np.inf), axis=1, kind="stable")
        count = there.sum(axis=1)
    ordered = np.take_along_axis(scores, order, axis=1) if scored else scores
    keep = np.arange(order.shape[1]) < count[:, None]
    unscored = np.zeros(len(order), np.int64)
    if strategy.preset == "reranked":
        order, ordered, unscored = _rerank(order, ordered, keep, strategy, raw)
    if strategy.minimum is not None:
        keep &= ordered >= strategy.minimum  # false for NaN
    ranks = np.cumsum(keep, axis=1, dtype=np.int32)
    ranks[~keep | (ranks > most)] = ABSENT
    rank = np.empty_like(ranks)
    np.put_along_axis(rank, order, ranks, axis=1)
    return Ranked(rank, unscored)


def _first_stage(lists: Lists, strategy: StrategySettings) -> tuple[Scores, NDArray[np.bool_]]:
    """Score of every row before reranking, and which rows are in the list."""
    depth, names = list_depth(strategy), list_names(strategy)
    inside = {name: lists.rank[name] <= depth for name in names}
    if len(names) == 1:
        return lists.score[names[0]], inside[names[0]]
    # Two numbers: their plain sum is the exactly rounded one that fusing takes.
    total = np.zeros(lists.rows.shape)
    there = np.zeros(lists.rows.shape, np.bool_)
    for name in names:
        weight = strategy.fusion.weight(name)
        if strategy.fusion.method == "rrf":
            share = weight / (strategy.fusion.k + lists.rank[name])
        else:
            share = weight * _min_max(lists.score[name], inside[name])
        total += np.where(inside[name], share, 0.0)
        if weight > 0:
            there |= inside[name]
    return np.round(total, FUSED_DECIMALS), there


def _min_max(scores: Scores, inside: NDArray[np.bool_]) -> Scores:
    """Scores of each question scaled to 0 to 1; all 1 where they are equal."""
    low = np.where(inside, scores, np.inf).min(axis=1, initial=np.inf)[:, None]
    high = np.where(inside, scores, -np.inf).max(axis=1, initial=-np.inf)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled: Scores = np.where(high == low, 1.0, (scores - low) / (high - low))
    return scaled


def _rerank(
    order: Ints,
    ordered: Scores,
    keep: NDArray[np.bool_],
    strategy: StrategySettings,
    raw: Scores | None,
) -> tuple[Ints, Scores, Ints]:
    """The pool in its new order, the rest after it without a score."""
    pool = min(strategy.rerank.pool, order.shape[1])
    head, there = order[:, :pool], keep[:, :pool]
    rest = np.full(ordered[:, pool:].shape, np.nan)
    if strategy.rerank.model == "identity":
        unscored = np.zeros(len(order), np.int64)
        return order, np.concatenate([ordered[:, :pool], rest], axis=1), unscored
    assert raw is not None, "a reranker needs scores"
    given = np.take_along_axis(raw, head, axis=1)
    known = there & ~np.isnan(given)
    inner = np.argsort(np.where(known, -given, np.inf), axis=1, kind="stable")
    scores = np.take_along_axis(given, inner, axis=1)
    if strategy.rerank.blend:
        inner, scores = _blend(inner, there)
    order = np.concatenate([np.take_along_axis(head, inner, axis=1), order[:, pool:]], axis=1)
    return order, np.concatenate([scores, rest], axis=1), (there & ~known).sum(axis=1)


def _blend(inner: Ints, there: NDArray[np.bool_]) -> tuple[Ints, Scores]:
    """Fuse the new order with the old one by reciprocal ranks; ties go to the new order."""
    old = np.broadcast_to(np.arange(1, inner.shape[1] + 1), inner.shape)
    new = np.empty_like(inner)
    np.put_along_axis(new, inner, old, axis=1)
    fused = np.where(there, 1 / (RRF_K + new) + 1 / (RRF_K + old), -np.inf)
    best = np.lexsort((new, -np.round(fused, 15)), axis=1)
    return best, np.take_along_axis(fused, best, axis=1)
