"""The BM25 score of one chunk, a row a term of the query.

    contribution = times * idf * tf part
    tf part      = tf / (tf + k1 * length factor)              lucene
                   tf * (k1 + 1) / (tf + k1 * length factor)   okapi
    length factor = 1 - b + b * length / average length

The sum of the contributions is the score: they are taken from the index itself, so that what is
shown is what was ranked by. For the sources of the formulas see `retrieve.lucene` and
`retrieve.okapi`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ragdebug.records import TermInfo
from ragdebug.settings import BM25Settings


class Share(Protocol):
    """What an index says of one term and one chunk; see `retrieve.bm25.TermShare`."""

    @property
    def term(self) -> str: ...  # noqa: D102
    @property
    def surface(self) -> str: ...  # noqa: D102
    @property
    def times(self) -> int: ...  # noqa: D102
    @property
    def tf(self) -> int: ...  # noqa: D102
    @property
    def frequency(self) -> int: ...  # noqa: D102
    @property
    def idf(self) -> float: ...  # noqa: D102
    @property
    def share(self) -> float: ...  # noqa: D102


class Index(Protocol):
    """What is needed of a BM25 index."""

    settings: BM25Settings
    average_length: float
    n: int

    def explain(self, query: str, row: int) -> Sequence[Share]:
        """What each term of the query adds to a chunk's score."""
        ...

    def terms(self, query: str) -> Sequence[TermInfo]:
        """The query's words as they are looked up; stop words have the term ""."""
        ...

    def length(self, row: int) -> int:
        """Number of terms of a chunk."""
        ...


@dataclass(frozen=True, slots=True)
class TermRow:
    """One term of the query against one chunk.

    Attributes:
        surface: the word as it stands in the query.
        term: what the analyzer made of it.
        times: how often the query has it.
        tf: how often the chunk has it; 0 for one that it lacks.
        frequency: how many chunks have it.
        idf: inverse document frequency by the variant's formula.
        tf_part: what tf and length make of it; 0 where tf is 0.
        contribution: the part of the score.
    """

    surface: str
    term: str
    times: int
    tf: int
    frequency: int
    idf: float
    tf_part: float
    contribution: float


@dataclass(frozen=True, slots=True)
class BM25Explanation:
    """The BM25 score of one chunk.

    Attributes:
        row: of the chunk table.
        rows: in the order of the query.
        stop_words: words of the query that are not looked up.
        length: terms of the chunk; `average_length` over all `chunks` that hold any.
        length_factor: 1 for a chunk of average length, above 1 for a longer one.
        score: sum of the contributions.
        rank: from 1 over all allowed chunks that hold a term; None when this one holds none.
        ranked: how many those are.
    """

    row: int
    settings: BM25Settings
    rows: tuple[TermRow, ...]
    stop_words: tuple[str, ...]
    length: int
    average_length: float
    chunks: int
    length_factor: float
    score: float
    rank: int | None = None
    ranked: int = 0

    @property
    def missing(self) -> tuple[TermRow, ...]:
        """Terms of the query that the chunk lacks."""
        return tuple(r for r in self.rows if not r.tf)

    @property
    def formula(self) -> str:
        """The formula with the constants in it, to be read by a person."""
        k1, b = f"{self.settings.k1:g}", f"{self.settings.b:g}"
        above = f" · ({k1} + 1)" if self.settings.variant == "okapi" else ""
        return (
            f"idf · tf{above} / (tf + {k1} · length factor),"
            f" length factor = 1 − {b} + {b} · length / average"
        )


def bm25_rows(
    index: Index, query: str, row: int, rank: int | None = None, ranked: int = 0
) -> BM25Explanation:
    """Take the score of one chunk apart.

    Args:
        index: that gave the score.
        query: as it was asked.
        row: of the chunk table.
        rank: of the chunk over the corpus, where it is known.
        ranked: how many chunks have a rank.
    """
    settings, length = index.settings, index.length(row)
    relative = length / index.average_length if index.average_length else 0.0
    factor = 1 - settings.b + settings.b * relative
    above = settings.k1 + 1 if settings.variant == "okapi" else 1.0
    rows = tuple(
        TermRow(
            s.surface,
            s.term,
            s.times,
            s.tf,
            s.frequency,
            s.idf,
            s.tf * above / (s.tf + settings.k1 * factor) if s.tf else 0.0,
            s.share,
        )
        for s in index.explain(query, row)
    )
    return BM25Explanation(
        row=row,
        settings=settings,
        rows=rows,
        stop_words=tuple(dict.fromkeys(t.surface for t in index.terms(query) if not t.term)),
        length=length,
        average_length=index.average_length,
        chunks=index.n,
        length_factor=factor,
        score=math.fsum(r.contribution for r in rows),
        rank=rank,
        ranked=ranked,
    )
