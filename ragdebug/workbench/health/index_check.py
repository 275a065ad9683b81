"""Vector search by HNSW against exact search: what the speed costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.intervals import interval
from ragdebug.evidence import Coverage, best_rank
from ragdebug.protocols import Progress, Vectors, silent
from ragdebug.questions import Question
from ragdebug.records import Place, Rows
from ragdebug.retrieve.dense import DenseIndex
from ragdebug.runs import Interval

KS = (5, 10, 20)
MARGIN = 16  # candidates that a search asks for beyond its depth
QUESTIONS, CHUNK_TEXTS = "questions", "chunk texts"


@dataclass(frozen=True, slots=True)
class Costly:
    """A query whose first hits HNSW does not all find.

    Attributes:
        question: its id, "" for a chunk's text.
        query: as it was asked.
        recall: share of the exact first five that HNSW has among its own.
        lost: needs that exact search finds within k and HNSW does not; 0 where nobody has labelled.
    """

    question: str
    query: str
    recall: float
    lost: int


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """Exact search and HNSW on the same queries.

    Attributes:
        strategy: text form.
        chunks: in the index.
        kind: ``questions``, or ``chunk texts`` where there are none; those find themselves first.
        queries: how many were asked, of `total`.
        m: links of a node in HNSW.
        ef_search: candidates that were kept in mind; `asked` is what the settings said.
        recall: k -> share of the exact first k that HNSW has among its first k, with its interval.
        exact_ms: median milliseconds of one search, so is `hnsw_ms`.
        build_s: seconds to build the HNSW index; 0 where it was there.
        labelled: how many of the queries have needs that can be measured.
        k: hits within which a need has to be found.
        costs: queries that HNSW answers otherwise: lost needs first, then by recall.
    """

    strategy: str
    chunks: int
    kind: str
    queries: int
    total: int
    m: int
    ef_search: int
    asked: int
    recall: Mapping[int, Interval]
    exact_ms: float
    hnsw_ms: float
    build_s: float
    labelled: int
    k: int
    costs: tuple[Costly, ...]

    @property
    def saved_ms(self) -> float:
        """Milliseconds that HNSW saves of a search; negative where it is the slower one."""
        return self.exact_ms - self.hnsw_ms

    @property
    def lost(self) -> int:
        """Questions that lose a need."""
        return sum(c.lost > 0 for c in self.costs)


def searched(
    index: DenseIndex,
    queries: Vectors,
    depth: int,
    mask: NDArray[np.bool_] | None,
    progress: Progress = silent,
    what: str = "queries",
) -> tuple[list[Rows], float]:
    """Rows for each query, asked one after the other, and the median seconds of one.

    The median, since the first searches read what later ones find in memory.
    """
    found, spent = [], []
    for at, query in enumerate(queries):
        progress(at, len(queries), what)
        start = time.perf_counter()
        rows, _ = index.search(query, depth, mask)
        spent.append(time.perf_counter() - start)
        found.append(rows)
    return found, float(np.median(spent)) if spent else 0.0


def recalls(exact: Sequence[Rows], approximate: Sequence[Rows], k: int) -> NDArray[np.float64]:
    """Shape (queries,): share of the exact first k among the approximate first k; 1 for none."""
    shares = [
        len(np.intersect1d(a[:k], b[:k])) / len(a[:k]) if len(a) else 1.0
        for a, b in zip(exact, approximate, strict=True)
    ]
    return np.array(shares, np.float64)


def needs_found(
    question: Question, rows: Rows, k: int, coverage: Callable[[Place], Coverage]
) -> int:
    """How many needs of a question the first k rows of a list hold."""
    rank = {row: at + 1 for at, row in enumerate(rows[:k].tolist())}
    return sum(
        best_rank(coverage(place).rank(rank.get) for place in need.places) is not None
        for need in question.usable_needs
    )


def intervals(
    exact: Sequence[Rows], approximate: Sequence[Rows], ks: Sequence[int] = KS
) -> dict[int, Interval]:
    """Mean recall at each k with its 95% interval."""
    return {k: interval(f"recall@{k}", recalls(exact, approximate, k)) for k in ks}


def costs(
    names: Sequence[tuple[str, str]],
    exact: Sequence[Rows],
    approximate: Sequence[Rows],
    lost: Sequence[int],
) -> tuple[Costly, ...]:
    """Queries whose first five differ, or that lose a need.

    Args:
        names: question id and text of each query.
        exact: rows of each.
        approximate: rows of each.
        lost: needs that each loses.
    """
    share = recalls(exact, approximate, KS[0]).tolist()
    made = [
        Costly(name, text, recall, n)
        for (name, text), recall, n in zip(names, share, lost, strict=True)
        if recall < 1 or n
    ]
    return tuple(sorted(made, key=lambda c: (-c.lost, c.recall, c.query)))
