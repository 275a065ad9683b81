"""First lists of many questions side by side, deep enough to fuse them again in any way.

Whatever is done to a question's lists only changes the order of what they hold. So the rows of all
its lists are laid out once, ascending, and every list says at which rank it has each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.records import Rows, Scores

ABSENT = np.iinfo(np.int32).max  # rank of what a list does not hold


@dataclass(frozen=True, slots=True)
class OneList:
    """What one retriever found for n questions.

    Attributes:
        rows: n arrays, best first, each row once.
        scores: n arrays, float64, beside them.
        seconds: a question, embedding it included.
    """

    rows: Sequence[Rows]
    scores: Sequence[Scores]
    seconds: float


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of n questions, whose unions hold u rows at most.

    Attributes:
        rows: shape (n, u), int64, ascending positions in the chunk table; -1 after the last.
        count: shape (n,), how many rows each question has.
        rank: list name -> shape (n, u), int32, rank there or `ABSENT`.
        score: list name -> shape (n, u), float64, score there or NaN.
        seconds: list name -> seconds a question.
    """

    rows: Rows
    count: NDArray[np.int64]
    rank: Mapping[str, NDArray[np.int32]]
    score: Mapping[str, Scores]
    seconds: Mapping[str, float]

    @classmethod
    def join(cls, parts: Mapping[str, OneList], questions: int) -> Lists:
        """Lay the lists of some questions side by side."""
        unions = [
            np.unique(np.concatenate([part.rows[at] for part in parts.values()]))
            for at in range(questions)
        ]
        count = np.array([len(union) for union in unions], np.int64)
        shape = (questions, int(count.max(initial=0)))
        rows = np.full(shape, -1, np.int64)
        rank = {name: np.full(shape, ABSENT, np.int32) for name in parts}
        score = {name: np.full(shape, np.nan) for name in parts}
        for at, union in enumerate(unions):
            rows[at, : len(union)] = union
            for name, part in parts.items():
                there = np.searchsorted(union, part.rows[at])
                rank[name][at, there] = np.arange(1, len(there) + 1)
                score[name][at, there] = part.scores[at]
        return cls(rows, count, rank, score, {name: part.seconds for name, part in parts.items()})
