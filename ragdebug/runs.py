"""A run: one strategy over a set of questions, kept as the ranked spans themselves.

Measures are computed from the spans, so that another share that counts as found, or a measure that
is added later, needs no new search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

RUNNING, DONE, STOPPED, FAILED = "running", "done", "stopped", "failed"
KS = (1, 3, 5, 10, 20)
BUDGETS = (500, 1000, 2000, 4000)
DEPTH = 100  # hits stored for each question


@dataclass(frozen=True, slots=True)
class Run:
    """What is known of a run besides its lists.

    Attributes:
        id: its own, eight hex digits.
        fingerprint: the same for the same experiment: corpus, questions, strategy, versions.
        strategy: text form of the strategy.
        chunking: text form of the chunking.
        embedder: model name, "" where no vectors are used.
        corpus: fingerprint of the corpus.
        questions: fingerprint of the questions' ids and versions.
        depth: most hits stored for a question.
        slice: tag that chose the questions, "" for all.
        sampled: how many questions were drawn by `seed` from all; 0 when all ran.
        asked: how many questions the run was planned for.
        state: running, done, stopped or failed.
        error: why it failed.
        created_at: UTC, ISO 8601.
        elapsed_s: seconds of searching, without building indexes.
        seconds: stage name -> seconds over all questions.
        packages: name -> version of what the result depends on.
        tokenizer: by which `RankedSpans.tokens` were counted.
        note: a person's.
        label: short name for charts, such as ``hybrid structure:220/40``.
        taken_from: strategies that labels of its questions were taken over from.
        removed: taken out; can be put back.
    """

    id: str
    fingerprint: str
    strategy: str
    chunking: str
    embedder: str
    corpus: str
    questions: str
    depth: int = DEPTH
    slice: str = ""
    sampled: int = 0
    seed: int = 0
    asked: int = 0
    state: str = RUNNING
    error: str = ""
    created_at: str = ""
    elapsed_s: float = 0.0
    seconds: Mapping[str, float] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    tokenizer: str = ""
    note: str = ""
    label: str = ""
    taken_from: tuple[str, ...] = ()
    removed: bool = False
    tenant: str | None = None


@dataclass(frozen=True, slots=True)
class RankedSpans:
    """The ranked lists of n questions with m hits in all, in columns.

    Attributes:
        documents: (id, version, source) of the documents that occur.
        first: shape (n + 1,), int64: hits of question i are rows ``first[i]:first[i + 1]``, in
            rank order.
        document: shape (m,), int32, positions in `documents`.
        start: shape (m,), int64, first code point of the returned span.
        end: shape (m,), int64, one past the last.
        tokens: shape (m,), int32, of the text that goes into the context, label counted.
        score: shape (m,), float64, of `score_kind`; NaN below the reranked pool.
        pool: shape (n,), int32: how many hits were reranked; 0 where there is no reranker.
        score_kind: cosine, bm25, rrf, ...
    """

    documents: tuple[tuple[str, str, str], ...]
    first: NDArray[np.int64]
    document: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    tokens: NDArray[np.int32]
    score: NDArray[np.float64]
    pool: NDArray[np.int32]
    score_kind: str = ""

    def __len__(self) -> int:
        return len(self.first) - 1

    @classmethod
    def empty(cls, score_kind: str = "") -> RankedSpans:
        """No questions."""
        return cls(
            (),
            np.zeros(1, np.int64),
            np.zeros(0, np.int32),
            np.zeros(0, np.int64),
            np.zeros(0, np.int64),
            np.zeros(0, np.int32),
            np.zeros(0),
            np.zeros(0, np.int32),
            score_kind,
        )

    @classmethod
    def join(cls, parts: Sequence[RankedSpans]) -> RankedSpans:
        """The lists of several batches, one after the other."""
        if not parts:
            return cls.empty()
        at: dict[tuple[str, str, str], int] = {}
        numbers, firsts, total = [], [np.zeros(1, np.int64)], 0
        for part in parts:
            there = np.array([at.setdefault(d, len(at)) for d in part.documents], np.int32)
            numbers.append(there[part.document] if len(part.document) else part.document)
            firsts.append(part.first[1:] + total)
            total += len(part.document)
        return cls(
            tuple(at),
            np.concatenate(firsts),
            np.concatenate(numbers).astype(np.int32),
            np.concatenate([p.start for p in parts]),
            np.concatenate([p.end for p in parts]),
            np.concatenate([p.tokens for p in parts]),
            np.concatenate([p.score for p in parts]),
            np.concatenate([p.pool for p in parts]),
            next((p.score_kind for p in parts if p.score_kind), ""),
        )


@dataclass(frozen=True, slots=True)
class RunResults:
    """A run with its lists.

    Attributes:
        run: what is known of it.
        questions: (question id, question version) in the order of the lists.
        spans: the ranked lists.
        seconds: shape (n,), float64, of each question.
        errors: message for each question whose search failed, "" otherwise; such a question has no
            list, is shown as an error and is not silently dropped.
    """

    run: Run
    questions: tuple[tuple[str, str], ...]
    spans: RankedSpans
    seconds: NDArray[np.float64]
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95% interval over n questions. Below `n` 1 all three are NaN."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """Measures of each question of one run.

    Attributes:
        questions: ids of the questions that count, in order.
        names: such as ``recall@5``.
        values: shape (questions, names), float64; NaN where a measure is not defined.
        found: shape (questions,), object: for each question an int64 array with the rank at which
            each usable need is found; 0 when never. For a question of level ``document`` the rank
            of the document.
        unlabelled: how many questions were left out because nobody has labelled them.
        unanswerable: how many were left out because nothing answers them.
        unusable: ids of questions whose labels cannot be used, each with the reason.
        errors: ids of questions whose search failed, each with the message; they count as 0.
        found_share: what counts as found.
        grades: as `found`: gain of each need.
        tokens: as `found`: size of the context, label counted, once the need is in it; -1 when
            never.
        most_k: largest k that the stored lists can tell; None where no list was cut off.
        most_tokens: largest budget they can tell; None where they can tell all.
        partial: ids of questions measured on some of their needs, because the others cannot be
            used, each with the reason.
    """

    questions: tuple[str, ...]
    names: tuple[str, ...]
    values: NDArray[np.float64]
    found: tuple[NDArray[np.int64], ...]
    unlabelled: int = 0
    unanswerable: int = 0
    unusable: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    found_share: float = 0.9
    grades: tuple[NDArray[np.float64], ...] = ()
    tokens: tuple[NDArray[np.int64], ...] = ()
    most_k: int | None = None
    most_tokens: int | None = None
    partial: tuple[tuple[str, str], ...] = ()

    def column(self, name: str) -> NDArray[np.float64]:
        """Shape (questions,): one measure."""
        return self.values[:, self.names.index(name)]

    def only(self, ids: Sequence[str]) -> MeasureTable:
        """The same table with some of its questions, in the order given; the counts stay."""
        at = {q: i for i, q in enumerate(self.questions)}
        rows = [at[q] for q in ids]
        kept = set(ids)

        def some(values: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(values[i] for i in rows) if values else values

        return replace(
            self,
            questions=tuple(ids),
            values=self.values[rows],
            found=some(self.found),
            grades=some(self.grades),
            tokens=some(self.tokens),
            errors=tuple(e for e in self.errors if e[0] in kept),
            partial=tuple(p for p in self.partial if p[0] in kept),
        )
