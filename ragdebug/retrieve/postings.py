"""Which chunk holds which term how often: counted once, kept by chunk and by term."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.protocols import Progress, silent
from ragdebug.retrieve.analyzer import Analyzer

_EVERY = 512


@dataclass(frozen=True, slots=True)
class Counts:
    """Terms of each chunk that has any, in chunk order.

    Attributes:
        terms: shape (v,), the vocabulary in order of first appearance; positions are term ids.
        ids: shape (p,), int32, term ids, each once a chunk.
        tf: shape (p,), the smallest unsigned type that holds all, how often.
        starts: shape (n + 1,), int64, where each chunk with terms begins in `ids`.
        rows: shape (n,), int32, position of each of them in the chunk table, ascending.
        total: number of all chunks, those without any term included.
    """

    terms: list[str]
    ids: NDArray[np.int32]
    tf: NDArray[Any]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    total: int

    def __len__(self) -> int:
        return len(self.rows)

    def documents(self) -> Iterator[list[int]]:
        """Term ids of each chunk with terms, repeated as often as they occur."""
        for start, end in zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True):
            yield np.repeat(self.ids[start:end], self.tf[start:end]).tolist()

    def lengths(self) -> NDArray[np.int32]:
        """Shape (n,): number of terms of each chunk with terms, repeats included."""
        if not len(self):
            return np.empty(0, np.int32)
        return np.add.reduceat(self.tf, self.starts[:-1], dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Postings:
    """The same by term: rows ``rows[starts[t]:starts[t + 1]]`` hold term t.

    Attributes:
        starts: shape (v + 1,), int64.
        rows: shape (p,), int32, positions in the chunk table, ascending within a term.
        tf: shape (p,), how often.
        lengths: shape (total,), int32, number of terms of each chunk of the table, 0 for none.
    """

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    tf: NDArray[Any]
    lengths: NDArray[np.int32]


def count(texts: Iterable[str], analyzer: Analyzer, progress: Progress = silent) -> Counts:
    """Analyze texts and count their terms.

    Args:
        texts: what is indexed, in the order of the chunk table.
        analyzer: makes the terms.
        progress: called with the number of chunks done about every 500.
    """
    total = len(texts) if isinstance(texts, Sized) else 0
    vocabulary = _Vocabulary()
    ids, tf, starts, rows = array("i"), array("I"), array("q", [0]), array("i")
    row = -1
    for row, text in enumerate(texts):
        if row % _EVERY == 0:
            progress(row, total, "chunks")
        found = Counter(analyzer.terms(text))
        if found:
            ids.extend(map(vocabulary.__getitem__, found))
            tf.extend(found.values())
            starts.append(len(ids))
            rows.append(row)
    progress(row + 1, total or row + 1, "chunks")
    times = np.frombuffer(tf, np.uint32) if tf else np.empty(0, np.uint32)
    return Counts(
        terms=list(vocabulary),
        ids=np.frombuffer(ids, np.int32) if ids else np.empty(0, np.int32),
        tf=times.astype(np.min_scalar_type(int(times.max(initial=0)))),
        starts=np.array(starts, np.int64),
        rows=np.array(rows, np.int32),
        total=row + 1,
    )


def by_term(counts: Counts) -> Postings:
    """Turn counts by chunk into postings by term."""
    order = np.argsort(counts.ids, kind="stable")  # chunks come in order, so rows ascend
    rows = np.repeat(counts.rows, np.diff(counts.starts))[order]
    starts = np.zeros(len(counts.terms) + 1, np.int64)
    np.cumsum(np.bincount(counts.ids, minlength=len(counts.terms)), out=starts[1:])
    lengths = np.zeros(counts.total, np.int32)
    lengths[counts.rows] = counts.lengths()
    return Postings(starts, rows, counts.tf[order], lengths)


class _Vocabulary(dict[str, int]):
    """Gives every new term the next id."""

    def __missing__(self, term: str) -> int:
        self[term] = len(self)
        return self[term]
