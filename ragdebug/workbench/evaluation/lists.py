"""One strategy's ranked lists for many questions, in columns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import Cancelled, RagDebugError
from ragdebug.pipeline import Resources, prefetch, run
from ragdebug.protocols import PairScorer, Progress, TokenCounter, Vectors, text_hash
from ragdebug.records import RankedList, Rows, Trace
from ragdebug.rerank import pool_size
from ragdebug.runs import DEPTH, RankedSpans
from ragdebug.settings import StrategySettings
from ragdebug.table import ChunkTable

FLUSH_S = 2.0  # lists that are kept together; a small run is kept in one go
TOGETHER = 256  # questions whose vectors are searched for in one call


def measuring(strategy: StrategySettings, depth: int = DEPTH) -> StrategySettings:
    """The strategy with lists as deep as they are stored.

    A list by itself keeps its order when it is made deeper. A fused one may not, so what goes into
    fusion stays what it is on the Search page.
    """
    alone = strategy.preset in ("vector", "bm25")
    return replace(strategy, depth=max(strategy.depth, depth)) if alone else strategy


@dataclass(frozen=True, slots=True)
class ListBatch:
    """Lists of some consecutive questions, from position `at` on; see `RunResults`."""

    at: int
    spans: RankedSpans
    seconds: NDArray[np.float64]
    errors: tuple[str, ...]
    stages: dict[str, float]


def ranked_lists(
    queries: Sequence[str],
    vectors: Vectors | None,
    strategy: StrategySettings,
    resources: Resources,
    tokens_of: Callable[[Rows], NDArray[np.int32]],
    depth: int,
    progress: Progress,
) -> Iterator[ListBatch]:
    """Run a strategy over questions; yields what is to be kept about every two seconds.

    Args:
        queries: the questions' texts.
        vectors: shape (queries, dimension), None for a strategy without vectors.
        strategy: as given to `measuring`.
        resources: indexes and models; a reranker's scores are best made before.
        tokens_of: rows of the chunk table -> tokens in a context.
        depth: most hits kept for a question.
        progress: called with questions done.

    Raises:
        Cancelled: from `progress`; all batches yielded before are whole.
    """
    kept = _Batch(0, resources.table, tokens_of, depth)
    for start in range(0, len(queries), TOGETHER):
        some = queries[start : start + TOGETHER]
        shared = 0.0
        if vectors is not None:
            before = time.perf_counter()
            prefetch(some, vectors[start : start + TOGETHER], strategy, resources)
            shared = (time.perf_counter() - before) / len(some)
        for at, query in enumerate(some, start):
            progress(at, len(queries), "questions")
            kept.add(query, strategy, resources, shared)
            if time.perf_counter() - kept.since > FLUSH_S:
                yield kept.batch()
                kept = _Batch(at + 1, resources.table, tokens_of, depth)
        resources.memo.clear()
    if kept.count:
        yield kept.batch()
    progress(len(queries), len(queries), "questions")


class _Batch:
    """Lists that are made but not kept yet."""

    def __init__(
        self,
        at: int,
        table: ChunkTable,
        tokens_of: Callable[[Rows], NDArray[np.int32]],
        depth: int,
    ) -> None:
        self.at = at
        self.since = time.perf_counter()
        self._table = table
        self._tokens_of = tokens_of
        self._depth = depth
        self._rows: list[Rows] = []
        self._scores: list[NDArray[np.float64]] = []
        self._pool: list[int] = []
        self._seconds: list[float] = []
        self._errors: list[str] = []
        self._stages: dict[str, float] = {}
        self._kind = ""

    @property
    def count(self) -> int:
        """How many questions."""
        return len(self._rows)

    def add(
        self, query: str, strategy: StrategySettings, resources: Resources, shared: float
    ) -> None:
        """Run one question; one that fails has no list and says why."""
        start = time.perf_counter()
        rows, scores, pool, error = np.zeros(0, np.int64), np.zeros(0), 0, ""
        theirs: float | None = None  # another system's own seconds
        try:
            trace = run(query, strategy, resources)
        except Cancelled:
            raise
        except RagDebugError as e:
            error, theirs = str(e), np.nan if strategy.is_outside else None
        else:
            theirs = trace.elapsed_s if strategy.is_outside else None
            rows, scores, pool = whole_list(trace, strategy)
            self._kind = self._kind or trace.final.score_kind
            for stage in trace.stages[:-1]:
                self._stages[stage.name] = self._stages.get(stage.name, 0.0) + stage.elapsed_s
        self._rows.append(rows[: self._depth])
        self._scores.append(scores[: self._depth])
        self._pool.append(min(pool, self._depth))
        ours = time.perf_counter() - start + shared
        self._seconds.append(ours if theirs is None else theirs)
        self._errors.append(error)

    def batch(self) -> ListBatch:
        """All of it in columns."""
        rows = np.concatenate(self._rows) if self._rows else np.zeros(0, np.int64)
        first = np.concatenate([[0], np.cumsum([len(r) for r in self._rows])]).astype(np.int64)
        used, document = np.unique(self._table.document_of[rows], return_inverse=True)
        refs = [self._table.documents[at] for at in used.tolist()]
        spans = RankedSpans(
            documents=tuple((r.id, r.version, r.source) for r in refs),
            first=first,
            document=document.astype(np.int32),
            start=self._table.spans[rows, 0].astype(np.int64),
            end=self._table.spans[rows, 1].astype(np.int64),
            tokens=self._tokens_of(rows),
            score=np.concatenate(self._scores) if self._scores else np.zeros(0),
            pool=np.array(self._pool, np.int32),
            score_kind=self._kind,
        )
        return ListBatch(self.at, spans, np.array(self._seconds), tuple(self._errors), self._stages)


def whole_list(trace: Trace, strategy: StrategySettings) -> tuple[Rows, NDArray[np.float64], int]:
    """Rows and scores of the list before it is cut to k, and how many of them were reranked.

    The minimum score is applied; below a reranker's pool, where nothing was scored, it ends a list.
    """
    ranking: RankedList = trace.stages[-2] if len(trace.stages) > 1 else trace.final
    rows, scores = ranking.rows, ranking.scores
    pool = pool_size(ranking) if strategy.preset == "reranked" and len(trace.stages) > 1 else 0
    if strategy.minimum is not None:
        keep = scores >= strategy.minimum  # false for NaN
        rows, scores = rows[keep], scores[keep]
        pool = min(pool, len(rows))
    return rows, scores, pool


class TokensInContext:
    """Tokens of chunks as they go into a context, label included; each chunk is counted once.

    Args:
        table: the chunks.
        counter: of tokens.
        read_ahead: given the documents whose texts are wanted next, by id.
    """

    def __init__(
        self, table: ChunkTable, counter: TokenCounter, read_ahead: Callable[[list[str]], None]
    ) -> None:
        self._table = table
        self._counter = counter
        self._read_ahead = read_ahead
        self._known = np.full(len(table), -1, np.int32)

    def __call__(self, rows: Rows) -> NDArray[np.int32]:
        """Shape of `rows`, int32."""
        new = np.unique(rows[self._known[rows] < 0])
        if len(new):
            wanted = np.unique(self._table.document_of[new]).tolist()
            self._read_ahead([self._table.documents[at].id for at in wanted])
            texts = [self._table.index_text(row) for row in new.tolist()]
            self._known[new] = self._counter.count_many(texts)
        return self._known[rows]


class ScoredBefore:
    """A reranker whose scores of all wanted pairs are known already."""

    def __init__(self, scorer: PairScorer, scores: dict[tuple[str, str], float]) -> None:
        # Nothing is read any more, so that nothing has to be counted for warnings either.
        self.info = replace(scorer.info, window=0)
        self.score_kind = scorer.score_kind
        self._scores = scores

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n,), float64."""
        return np.array([self._scores[query, text_hash(text)] for text in texts])

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        """`score` by text."""
        for text, asked in zip(texts, wanted, strict=True):
            key = text_hash(text)
            yield np.array([self._scores[queries[at], key] for at in asked])

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        """Not counted: all 0."""
        return [0] * len(texts)
