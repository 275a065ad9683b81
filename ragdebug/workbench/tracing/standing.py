"""The lists of one query under one strategy, and where any chunk stands in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ragdebug.pipeline import Resources, run
from ragdebug.records import RankedList, Rows
from ragdebug.rerank import pool_size, rerank
from ragdebug.runs import DEPTH
from ragdebug.settings import FUSED_DECIMALS, StrategySettings
from ragdebug.settings.values import OUTSIDE
from ragdebug.workbench.evaluation.lists import measuring, whole_list

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WholeList:
    """A list with the rank and score of every chunk, as far as they can be had.

    Attributes:
        listed: what the search gave.
        full: shape (chunks,): score of each, NaN for chunks that are not in the list at all.
    """

    listed: RankedList
    full: Floats

    def rank(self, row: int) -> int | None:
        """Rank from 1, over all allowed chunks."""
        there = self.listed.rank_of(row)
        if there is not None:
            return there
        score = self.full[row]
        if np.isnan(score):
            return None
        ahead = (self.full > score) | ((self.full == score) & (np.arange(len(self.full)) < row))
        # Scores of the list and of the whole corpus may differ in the last bit.
        return max(len(self.listed) + 1, int(ahead.sum()) + 1)

    def score(self, row: int) -> float | None:
        """Score, None for a chunk that has none."""
        there = self.listed.rank_of(row)
        value = float(self.listed.scores[there - 1] if there else self.full[row])
        return None if np.isnan(value) else value


class Standing:
    """What one strategy made of one query.

    Attributes:
        strategy: as asked; its lists are run as deep as they are measured.
        whole: rows of the list before it is cut to k, minimum score applied, as runs keep it.
    """

    def __init__(self, query: str, strategy: StrategySettings, resources: Resources) -> None:
        self.query = query
        self.strategy = strategy
        self.resources = resources
        self.trace = run(query, measuring(strategy), resources)
        rows, scores, _ = whole_list(self.trace, strategy)
        self.whole: Rows = rows[:DEPTH]
        self.whole_scores: Floats = scores[:DEPTH]

    @property
    def returned(self) -> Rows | None:
        """Rows that another system returned; None for a search of the corpus here."""
        return self.ranked.rows if self.strategy.is_outside else None

    @property
    def depth(self) -> int:
        """How many each list gives."""
        returned = self.returned
        if returned is not None:
            return len(returned)
        return max(self.strategy.depth, self.strategy.k)

    @cached_property
    def lists(self) -> dict[str, RankedList]:
        """The retrievers' lists by name, within their depth."""
        made = {}
        for name in ("vector", "bm25", *OUTSIDE):
            stage = self.trace.stage(name)
            if stage is not None:
                made[name] = RankedList(
                    name,
                    stage.score_kind,
                    stage.rows[: self.depth],
                    stage.scores[: self.depth],
                    self.depth,
                    stage.allowed,
                )
        return made

    @property
    def fused(self) -> RankedList | None:
        """The fused list, whole; None without fusion."""
        return self.trace.stage("fused")

    @property
    def reranked(self) -> RankedList | None:
        """The reranked list: the pool, then the rest; None without a reranker."""
        return self.trace.stage("reranked")

    @property
    def pool(self) -> Rows:
        """Rows that the reranker scored, in its order."""
        made = self.reranked
        return np.zeros(0, np.int64) if made is None else made.rows[: pool_size(made)]

    @property
    def candidates(self) -> Rows:
        """Rows that the lists give within their depth, fused where they are."""
        if self.fused is not None:
            return self.fused.rows
        return next((x.rows for x in self.lists.values()), np.zeros(0, np.int64))

    @property
    def ranked(self) -> RankedList:
        """The last list before it is cut."""
        stages = self.trace.stages
        return stages[-2] if len(stages) > 1 else stages[-1]

    @cached_property
    def over_all(self) -> dict[str, WholeList]:
        """The retrievers' lists over all allowed chunks."""
        made, mask, strategy = {}, self.resources.mask, self.strategy
        for name, listed in self.lists.items():
            if name == "vector":
                index = self.resources.dense(strategy.embedder, strategy.dense)
                vector = self.resources.embed_query(strategy.embedder, self.query)
                full = np.array(index.scores(vector), np.float64)
                if not np.any(vector):
                    full[:] = np.nan
            else:
                full = np.full(len(self.resources.table), np.nan)
                if name == "bm25":  # of another system's list nothing is known below its end
                    rows, scores = self.resources.bm25(strategy.bm25).scores(self.query)
                    full[rows] = scores
            if mask is not None:
                full[~mask] = np.nan
            made[name] = WholeList(listed, full)
        return made

    @cached_property
    def _fused_whole(self) -> Floats:
        """Shape (chunks,): fused scores if no list ended at its depth; NaN outside of all lists."""
        fusion = self.strategy.fusion
        total, held = np.zeros(len(self.resources.table)), np.zeros(len(self.resources.table), bool)
        for name, whole in self.over_all.items():
            there = np.flatnonzero(~np.isnan(whole.full))
            weight = fusion.weight(name)
            if not len(there) or not weight:
                continue
            held[there] = True
            scores = whole.full[there]
            if fusion.method == "rrf":
                order = np.argsort(-scores, kind="stable")
                total[there[order]] += weight / (fusion.k + np.arange(1, len(order) + 1))
            else:
                spread = scores.max() - scores.min()
                total[there] += weight * ((scores - scores.min()) / spread if spread else 1.0)
        return np.where(held, np.round(total, FUSED_DECIMALS), np.nan)

    def fused_whole_rank(self, row: int) -> int | None:
        """Rank in the fused list if no list ended at its depth; None outside of all lists."""
        full = self._fused_whole
        if np.isnan(full[row]):
            return None
        ahead = (full > full[row]) | ((full == full[row]) & (np.arange(len(full)) < row))
        return int(ahead.sum()) + 1

    def in_pool_too(self, row: int) -> tuple[int, float] | None:
        """Rank and score that the reranker would give a chunk beside its pool; None without one."""
        fused, made = self.fused, self.reranked
        settings = self.strategy.rerank
        if fused is None or made is None or settings.model == "identity":
            return None
        size = min(settings.pool, len(fused))
        rows = np.append(fused.rows[:size], row)
        scores = np.append(fused.scores[:size], np.nan)
        wider = RankedList("fused", fused.score_kind, rows, scores, size + 1, fused.allowed)
        texts = [self.resources.table.index_text(r) for r in rows.tolist()]
        scorer = self.resources.scorer(settings.model)
        found, _ = rerank(
            self.query,
            wider,
            texts,
            scorer,
            type(settings)(settings.model, size + 1, settings.blend),
            self.resources.scores,
        )
        rank = found.rank_of(row)
        assert rank is not None
        return rank, float(found.scores[rank - 1])
