"""Runs the stages of a strategy over one chunk table and keeps what each of them did.

The stages know nothing of each other; this is where one's output becomes the next one's input.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragdebug.fuse.run import fuse
from ragdebug.protocols import PairScorer, ScoreCache, Vectors
from ragdebug.records import RankedList, Rows, Scores, Share, TermInfo, Trace
from ragdebug.rerank import pool_size, rerank
from ragdebug.settings import BM25Settings, DenseSettings, StrategySettings
from ragdebug.table import ChunkTable

T = TypeVar("T")


class LexicalIndex(Protocol):
    """What the pipeline needs of a BM25 index."""

    def search(
        self, query: str, k: int, mask: NDArray[np.bool_] | None = None
    ) -> tuple[Rows, Scores]:
        """The best k allowed rows that hold a query term, with their scores."""
        ...

    def scores(self, query: str) -> tuple[Rows, Scores]:
        """All rows that hold a query term, with their scores."""
        ...

    def terms(self, query: str) -> tuple[TermInfo, ...]:
        """The query's terms after analysis."""
        ...


class VectorIndex(Protocol):
    """What the pipeline needs of a dense index."""

    @property
    def indexed(self) -> float:
        """Share of the table's chunks it holds, 0 to 1."""
        ...

    def search_many(
        self, queries: Vectors, k: int, mask: NDArray[np.bool_] | None = None
    ) -> list[tuple[Rows, Scores]]:
        """The nearest k allowed rows of each query."""
        ...

    def search_with_note(
        self, query: Vectors, k: int, mask: NDArray[np.bool_] | None = None
    ) -> tuple[Rows, Scores, str]:
        """The nearest k allowed rows with their cosines, and what to know about them, or ""."""
        ...

    def scores(self, query: Vectors) -> Scores:
        """Cosine of every row; NaN where it is not indexed."""
        ...


@dataclass(frozen=True, slots=True)
class Returned:
    """What another system returned for one query.

    Attributes:
        rows: shape (n,), positions in the chunk table, in its order.
        scores: shape (n,), as it says; NaN where it says nothing.
        elapsed_s: seconds it took; 0 for a list of an earlier day.
        notes: what to know about it.
        kind: of the scores: ``given``, or ``distance``, where less is nearer.
    """

    rows: Rows
    scores: Scores
    elapsed_s: float = 0.0
    notes: tuple[str, ...] = ()
    kind: str = "given"


@dataclass(slots=True)
class Resources:
    """Where the stages get their indexes and models from, each made when first asked for.

    `mask` has one bool a chunk, true where the filter lets it through; None lets all through.
    `memo` keeps lists that several strategies of one search share. `returned` gives what another
    system returned for a query.
    """

    table: ChunkTable
    mask: NDArray[np.bool_] | None
    bm25: Callable[[BM25Settings], LexicalIndex]
    dense: Callable[[str, DenseSettings], VectorIndex]
    embed_query: Callable[[str, str], Vectors]
    scorer: Callable[[str], PairScorer]
    scores: ScoreCache | None = None
    returned: Callable[[str], Returned] | None = None
    memo: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    @property
    def allowed(self) -> int:
        """How many chunks the filter lets through."""
        return len(self.table) if self.mask is None else int(np.count_nonzero(self.mask))

    def remember(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """The value kept under a key, made at the first call."""
        if key not in self.memo:
            self.memo[key] = make()
        kept: T = self.memo[key]
        return kept


def run(query: str, strategy: StrategySettings, resources: Resources) -> Trace:
    """Run one strategy for one query.

    Returns:
        A trace whose stages are the retrievers' lists, then ``fused``, then ``reranked`` (pool
        first, the fused rest after it in its order), then ``final``, cut to k and minimum score.
    """
    if query.strip() and strategy.is_outside:  # an empty table may be one that failed
        return _outside(query, strategy, resources)
    if not query.strip() or not len(resources.table):
        return _nothing(query, strategy, resources)
    lists: list[RankedList] = []
    terms: tuple[TermInfo, ...] = ()
    indexed = 1.0
    notes: list[str] = []
    if strategy.uses_vectors:
        vector, indexed, note = _vector_list(query, strategy, resources)
        lists.append(vector)
        if indexed < 1:
            notes.append(f"{indexed:.0%} indexed")
        if note:
            notes.append(note)
    if strategy.uses_bm25:
        lexical, terms = _bm25_list(query, strategy, resources)
        lists.append(lexical)
    stages, current = list(lists), lists[0]
    shares: Mapping[int, tuple[Share, ...]] = {}
    extras: dict[str, Any] = {}
    if len(lists) > 1:
        start = time.perf_counter()
        fused, shares = fuse(lists, strategy.fusion, depth=sum(len(x) for x in lists), name="fused")
        current = replace(fused, allowed=resources.allowed, elapsed_s=time.perf_counter() - start)
        stages.append(current)
    if strategy.preset == "reranked":
        current, row_notes = _rerank(query, current, strategy, resources)
        stages.append(current)
        extras = {"pool": pool_size(current), "row_notes": row_notes}
        if current.score_kind == "maxsim":
            notes.append("Late interaction was never trained: it can make an order worse.")
    stages.append(_final(current, strategy, extras.get("pool")))
    return Trace(
        query=query,
        strategy=resources.remember(("named", strategy), lambda: str(strategy)),
        stages=tuple(stages),
        shares=shares,
        terms=terms,
        notes=tuple(notes),
        indexed=indexed,
        elapsed_s=sum(s.elapsed_s for s in stages),
        extras=extras,
    )


def _outside(query: str, strategy: StrategySettings, resources: Resources) -> Trace:
    """Another system's list: one stage, in its own order, and the cuts of this strategy."""
    assert resources.returned is not None, "resources of another kind of strategy"
    found = resources.returned(query)
    rows, scores = found.rows, found.scores
    if resources.mask is not None:
        keep = resources.mask[rows]
        rows, scores = rows[keep], scores[keep]
    whole = RankedList(
        strategy.preset, found.kind, rows, scores, len(rows), resources.allowed, found.elapsed_s
    )
    # Its scores need not fall, so that the minimum comes before k, as where runs are measured.
    if strategy.minimum is not None:
        keep = scores >= strategy.minimum
        rows, scores = rows[keep], scores[keep]
    k = strategy.k
    final = RankedList("final", found.kind, rows[:k], scores[:k], k, resources.allowed)
    return Trace(
        query=query,
        strategy=str(strategy),
        stages=(whole, final),
        notes=found.notes,
        elapsed_s=found.elapsed_s,
        extras={"table": resources.table},
    )


def prefetch(
    queries: Sequence[str], vectors: Vectors, strategy: StrategySettings, resources: Resources
) -> None:
    """Make the vector lists of many queries in one search; `run` then takes them from the memo.

    Args:
        queries: texts.
        vectors: shape (queries, dimension), of the strategy's model.
        strategy: its depth and index are used.
        resources: whose memo is filled.
    """
    depth = max(strategy.depth, strategy.k)
    index = resources.dense(strategy.embedder, strategy.dense)
    start = time.perf_counter()
    found = index.search_many(vectors, depth, resources.mask)
    each = (time.perf_counter() - start) / max(1, len(queries))
    for query, (rows, scores) in zip(queries, found, strict=True):
        made = RankedList("vector", "cosine", rows, scores, depth, resources.allowed, each)
        resources.memo[_vector_key(query, strategy)] = (made, index.indexed, "")


def _vector_key(query: str, strategy: StrategySettings) -> tuple[Any, ...]:
    depth = max(strategy.depth, strategy.k)
    return ("vector", query, strategy.embedder, strategy.dense, depth)


def _vector_list(
    query: str, strategy: StrategySettings, resources: Resources
) -> tuple[RankedList, float, str]:
    depth = max(strategy.depth, strategy.k)

    def make() -> tuple[RankedList, float, str]:
        index = resources.dense(strategy.embedder, strategy.dense)
        start = time.perf_counter()
        vector = resources.embed_query(strategy.embedder, query)
        rows, scores, note = index.search_with_note(vector, depth, resources.mask)
        elapsed = time.perf_counter() - start
        made = RankedList("vector", "cosine", rows, scores, depth, resources.allowed, elapsed)
        return made, index.indexed, note

    return resources.remember(_vector_key(query, strategy), make)


def _bm25_list(
    query: str, strategy: StrategySettings, resources: Resources
) -> tuple[RankedList, tuple[TermInfo, ...]]:
    depth = max(strategy.depth, strategy.k)

    def make() -> tuple[RankedList, tuple[TermInfo, ...]]:
        index = resources.bm25(strategy.bm25)
        start = time.perf_counter()
        rows, scores = index.search(query, depth, resources.mask)
        elapsed = time.perf_counter() - start
        kind = "bm25" if strategy.bm25.variant == "lucene" else strategy.bm25.variant
        made = RankedList("bm25", kind, rows, scores, depth, resources.allowed, elapsed)
        return made, index.terms(query)

    key = ("bm25", query, strategy.bm25, depth)
    return resources.remember(key, make)


def _rerank(
    query: str, candidates: RankedList, strategy: StrategySettings, resources: Resources
) -> tuple[RankedList, Mapping[int, tuple[str, ...]]]:
    start = time.perf_counter()
    scorer = resources.scorer(strategy.rerank.model)
    pool = candidates.rows[: strategy.rerank.pool]
    texts = [resources.table.index_text(int(row)) for row in pool]
    made, notes = rerank(query, candidates, texts, scorer, strategy.rerank, resources.scores)
    elapsed = time.perf_counter() - start
    return replace(made, name="reranked", allowed=resources.allowed, elapsed_s=elapsed), notes


def _final(current: RankedList, strategy: StrategySettings, pool: int | None) -> RankedList:
    """Cut to k, never beyond what was reranked, then apply the minimum score."""
    last = strategy.k if pool is None else min(strategy.k, pool)
    rows, scores = current.rows[:last], current.scores[:last]
    if strategy.minimum is not None:
        keep = scores >= strategy.minimum
        rows, scores = rows[keep], scores[keep]
    return RankedList("final", current.score_kind, rows, scores, strategy.k, current.allowed)


def _nothing(query: str, strategy: StrategySettings, resources: Resources) -> Trace:
    empty = RankedList(
        "final", "", np.zeros(0, np.int64), np.zeros(0), strategy.k, resources.allowed
    )
    return Trace(query=query, strategy=str(strategy), stages=(empty,))
