"""One search: strategies run over their tables, hits made into records, expected passage placed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import RagDebugError
from ragdebug.evidence import Coverage, best_rank, holders
from ragdebug.pipeline import Resources, run
from ragdebug.records import (
    Expected,
    ExpectedChunk,
    Hit,
    Place,
    RankedList,
    ResultList,
    Trace,
)
from ragdebug.settings import StrategySettings

TextOf = Callable[[str, str], str]


def result_list(
    name: str,
    query: str,
    strategy: StrategySettings,
    resources: Resources,
    expected: Sequence[Place],
    text_of: TextOf,
    notes_of: Callable[[StrategySettings, Sequence[str]], Mapping[int, tuple[str, ...]]],
) -> ResultList:
    """Run a strategy and make its column."""
    trace = run(query, strategy, resources)
    final = trace.final
    texts = [resources.table.index_text(int(r)) for r in final.rows]
    extra = notes_of(strategy, texts)
    row_notes: Mapping[int, tuple[str, ...]] = trace.extras.get("row_notes", {})
    hits = tuple(
        Hit(
            rank=at + 1,
            score=score,
            score_kind=final.score_kind,
            chunk=resources.table.chunk(row),
            row=row,
            shares=trace.shares.get(row, ()),
            notes=(
                *(() if resources.table.placed(row) else ("not placed",)),
                *row_notes.get(row, ()),
                *extra.get(at, ()),
            ),
        )
        for at, (row, score) in enumerate(final)
    )
    placed = place_expected(query, strategy, trace, resources, expected, text_of)
    return ResultList(
        name=name,
        strategy=str(strategy),
        chunking=str(strategy.chunking),
        embedder=strategy.embedder if strategy.uses_vectors else "",
        allowed=resources.allowed,
        total=len(resources.table),
        elapsed_s=trace.elapsed_s,
        hits=hits,
        trace=trace,
        expected=placed,
        notes=trace.notes,
    )


def failed_list(name: str, strategy: StrategySettings, error: RagDebugError) -> ResultList:
    """A column that says why it has no hits."""
    trace = Trace(
        query="",
        strategy=str(strategy),
        stages=(RankedList("final", "", np.zeros(0, np.int64), np.zeros(0), strategy.k, 0),),
    )
    return ResultList(
        name=name,
        strategy=str(strategy),
        chunking=str(strategy.chunking),
        embedder=strategy.embedder,
        allowed=0,
        total=0,
        elapsed_s=0.0,
        hits=(),
        trace=trace,
        error=error.message,
        error_hint=error.hint,
    )


def place_expected(
    query: str,
    strategy: StrategySettings,
    trace: Trace,
    resources: Resources,
    expected: Sequence[Place],
    text_of: TextOf,
) -> Expected | None:
    """Where the expected passage stands in a strategy's list, also far below k.

    Vector and BM25 lists are ranked over the whole corpus (what the filter allows); a fused list
    over what its lists gave; a reranked one over pool and rest.
    """
    if not expected or not len(resources.table):
        return None
    coverages = [Coverage(resources.table, p, text_of(p.document, p.version)) for p in expected]
    if strategy.is_outside:
        # The table holds what was returned for other queries too.
        for coverage in coverages:
            coverage.rows = coverage.rows[np.isin(coverage.rows, trace.stages[0].rows)]
    ranking = _Ranking.of(query, strategy, trace, resources)
    chunks = tuple(
        ExpectedChunk(resources.table.chunk(row), row, share, ranking.rank(row), ranking.score(row))
        for row, share in holders(coverages)[:20]
    )
    rank = best_rank(c.rank(ranking.rank) for c in coverages)
    if rank is None:
        return Expected(chunks, None, None, None, _why_none(strategy, trace, chunks))
    score = ranking.score_at(rank)
    last = float(trace.final.scores[-1]) if len(trace.final) else None
    shown = rank <= len(trace.final)
    gap = 0.0 if shown else None if last is None or score is None else last - score
    return Expected(chunks, rank, score, gap)


class _Ranking:
    """Rank and score of any row in a strategy's list."""

    def __init__(
        self,
        shown: RankedList,
        full: NDArray[np.float64] | None,
        mask: NDArray[np.bool_] | None,
    ) -> None:
        self._rank = {int(r): i + 1 for i, r in enumerate(shown.rows)}
        self._shown = shown
        self._full = full
        self._mask = mask

    @classmethod
    def of(
        cls, query: str, strategy: StrategySettings, trace: Trace, resources: Resources
    ) -> _Ranking:
        """The longest list the strategy has, with all scores where they can be had."""
        full = None
        if len(trace.stages) > 1 and strategy.preset == "vector":
            index = resources.dense(strategy.embedder, strategy.dense)
            full = index.scores(resources.embed_query(strategy.embedder, query))
        elif len(trace.stages) > 1 and strategy.preset == "bm25":
            rows, scores = resources.bm25(strategy.bm25).scores(query)
            full = np.full(len(resources.table), np.nan)
            full[rows] = scores
        shown = trace.stages[-2] if len(trace.stages) > 1 else trace.final
        return cls(shown, full, resources.mask)

    def rank(self, row: int) -> int | None:
        """Rank from 1 of a row, None when it is in no list."""
        listed = self._rank.get(row)
        if listed is not None or self._full is None:
            return listed
        score = self._full[row]
        if np.isnan(score) or (self._mask is not None and not self._mask[row]):
            return None
        ahead = (self._full > score) | ((self._full == score) & (np.arange(len(self._full)) < row))
        if self._mask is not None:
            ahead &= self._mask
        # Scores of the list and of the whole corpus may differ in the last bit.
        return max(len(self._shown) + 1, int(ahead.sum()) + 1)

    def score(self, row: int) -> float | None:
        """Score of a row, None when it has none."""
        listed = self._rank.get(row)
        if listed is not None:
            return self._listed(listed)
        if self._full is None or np.isnan(self._full[row]):
            return None
        return float(self._full[row])

    def _listed(self, rank: int) -> float | None:
        """Score at a rank of the list; None below the pool, which the reranker never scored."""
        score = float(self._shown.scores[rank - 1])
        return None if np.isnan(score) else score

    def score_at(self, rank: int) -> float | None:
        """Score of the chunk at a rank."""
        if rank <= len(self._shown):
            return self._listed(rank)
        if self._full is None:
            return None
        scores = self._full if self._mask is None else self._full[self._mask]
        known = scores[~np.isnan(scores)]
        if rank > len(known):
            return None
        return float(np.partition(known, len(known) - rank)[len(known) - rank])


def _why_none(
    strategy: StrategySettings,
    trace: Trace,
    chunks: Sequence[ExpectedChunk],
) -> str:
    if strategy.is_outside:
        n = len(trace.stages[0])
        if not n:
            return "nothing was returned"
        most = max((c.coverage for c in chunks), default=0.0)
        part = f"; the best holds {most:.0%}" if most else ""
        return f"not among the {n} that were returned{part}; what stands below cannot be known"
    if not chunks:
        return "no chunk holds it"
    if all(c.rank is None for c in chunks):
        if strategy.preset == "bm25":
            return "holds no query term, or is filtered out"
        if strategy.preset == "vector":
            return "not indexed yet, or filtered out"
        depths = " nor ".join(f"the {len(s)} of {s.name}" for s in trace.stages[:2])
        return f"not among {depths}"
    best = max(chunks, key=lambda c: c.coverage)
    return f"no chunk in this list holds it whole; the best holds {best.coverage:.0%}"
