"""Ranked lists as rows of tables, through Arrow, and back again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.runs import RankedSpans
from ragdebug.store.clean import clean

if TYPE_CHECKING:
    import pyarrow as pa

Pair = tuple[str, str]  # (question, version)
Reference = tuple[str, str, str]  # (document, version, source)

# Why a number is not there; NaN would be the largest of an ORDER BY and spoil every mean.
NOT_RERANKED, NAN, INFINITE = range(3)
REASONS = ("not reranked", "not a number", "infinite")


def take(spans: RankedSpans, rows: NDArray[np.int64]) -> RankedSpans:
    """The lists of some questions."""
    counts = np.diff(spans.first)[rows]
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    hits = np.arange(first[-1]) + np.repeat(spans.first[rows] - first[:-1], counts)
    return RankedSpans(
        spans.documents,
        first,
        spans.document[hits],
        spans.start[hits],
        spans.end[hits],
        spans.tokens[hits],
        spans.score[hits],
        spans.pool[rows],
        spans.score_kind,
    )


def questions_table(
    run: str,
    first: int,
    questions: Sequence[Pair],
    spans: RankedSpans,
    seconds: NDArray[np.float64],
    errors: Sequence[str],
) -> pa.Table:
    """Rows of `run_questions`, the first of them at position `first`."""
    import pyarrow as pa

    return pa.table(
        {
            "run": constant(run, len(questions)),
            "position": pa.array(np.arange(first, first + len(questions)), pa.int32()),
            "question": pa.array([q[0] for q in questions], pa.string()),
            "version": pa.array([q[1] for q in questions], pa.string()),
            "seconds": numbers(seconds),
            "error": pa.array([clean(e) for e in errors], pa.string()),
            "pool": pa.array(spans.pool, pa.int32()),
            "hits": pa.array(np.diff(spans.first), pa.int32()),
        }
    )


def documents_table(run: str, documents: Mapping[Reference, int]) -> pa.Table:
    """Rows of `run_documents`: documents with their numbers in the run."""
    import pyarrow as pa

    return pa.table(
        {
            "run": constant(run, len(documents)),
            "document_number": pa.array(list(documents.values()), pa.int32()),
            "document": pa.array([d[0] for d in documents], pa.string()),
            "version": pa.array([d[1] for d in documents], pa.string()),
            "source": pa.array([clean(d[2]) for d in documents], pa.string()),
        }
    )


def hits_table(
    run: str, first: int, spans: RankedSpans, documents: Mapping[Reference, int]
) -> pa.Table:
    """Rows of `run_hits`, those of the first question at position `first`."""
    import pyarrow as pa

    counts = np.diff(spans.first)
    ranks = np.arange(1, len(spans.document) + 1) - np.repeat(spans.first[:-1], counts)
    own = np.array([documents[d] for d in spans.documents] or [0], np.int32)
    pool = np.repeat(spans.pool, counts)
    below = np.isnan(spans.score) & (pool > 0) & (ranks > pool)
    return pa.table(
        {
            "run": constant(run, len(ranks)),
            "position": pa.array(np.repeat(np.arange(len(spans)) + first, counts), pa.int32()),
            "rank": pa.array(ranks, pa.int32()),
            "document_number": pa.array(own[spans.document], pa.int32()),
            "start_char": pa.array(spans.start, pa.int64()),
            "end_char": pa.array(spans.end, pa.int64()),
            "tokens": pa.array(spans.tokens, pa.int32()),
            "score": numbers(spans.score),
            "score_missing": reasons(spans.score, below),
        }
    )


def read_spans(
    documents: Sequence[Reference],
    hits: Mapping[str, Any],
    counts: Sequence[int],
    pool: Sequence[int],
    score_kind: str,
) -> RankedSpans:
    """The lists again, from the columns of `run_hits` in order; a missing score is NaN."""
    return RankedSpans(
        tuple(documents),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(np.array(counts, np.int64))]),
        np.asarray(hits["document_number"], np.int32),
        np.asarray(hits["start_char"], np.int64),
        np.asarray(hits["end_char"], np.int64),
        np.asarray(hits["tokens"], np.int32),
        filled(hits["score"]),
        np.array(pool, np.int32),
        score_kind,
    )


# Columns ------------------------------------------------------------------------------------------


def constant(value: str, count: int) -> pa.Array:
    """A column that says the same in each row."""
    return words(np.zeros(count, np.int32), [value])


def words(codes: NDArray[np.int32], values: Sequence[str]) -> pa.Array:
    """A column of a few texts; a code below 0 is null."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(
        pa.array(codes, pa.int32(), mask=codes < 0), pa.array(list(values), pa.string())
    )


def numbers(values: NDArray[np.float64]) -> pa.Array:
    """A column of numbers; what is not finite is null."""
    import pyarrow as pa

    values = np.asarray(values, np.float64)
    return pa.array(values, pa.float64(), mask=~np.isfinite(values))


def reasons(
    values: NDArray[np.float64], expected: NDArray[np.bool_], why: Sequence[str] = REASONS
) -> pa.Array:
    """Why numbers are null: ``why[0]`` where expected, not a number, infinite."""
    codes = np.full(len(values), -1, np.int32)
    codes[np.isinf(values)] = INFINITE
    codes[np.isnan(values)] = NAN
    codes[expected] = NOT_RERANKED
    return words(codes, why)


def filled(column: Any) -> NDArray[np.float64]:  # noqa: ANN401 - as DuckDB gives it
    """A column of numbers, shape (n,), perhaps masked, with NaN for null."""
    return np.asarray(np.ma.filled(np.ma.asarray(column, np.float64), np.nan), np.float64)
