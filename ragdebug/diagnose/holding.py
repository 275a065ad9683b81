"""Which chunks hold a place, and from which rank on a list of chunks holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from ragdebug.evidence import Coverage, non_blank
from ragdebug.records import Rows
from ragdebug.table import ChunkTable

RankOf = Callable[[int], "int | None"]
_ROUNDING = 1e-9


class Held(Protocol):
    """A place against a chunk table.

    Attributes:
        rows: shape (n,), ascending: chunks that hold some of it.
        whole: those of them that hold it alone.
    """

    rows: Rows
    whole: Rows

    def share(self, row: int) -> float:
        """How much of it a chunk holds, 0 to 1."""
        ...

    def rank(self, rows: Rows) -> int | None:
        """Rank by the rule of the measures in a list, best first; None when it is not held."""
        ...

    def position(self, rows: Rows) -> int | None:
        """How many hits of a list it takes to hold it; None when it is not held."""
        ...

    def rank_by(self, rank_of: RankOf) -> int | None:
        """`position` in a list that is known by the ranks of its rows."""
        ...


class HeldPassage:
    """A passage or a region, by what its chunks cover.

    Args:
        coverage: the place against the table.
        among: the only rows that count, where others of the table are not of this list.
    """

    def __init__(self, coverage: Coverage, among: Rows | None = None) -> None:
        if among is not None:
            coverage.rows = coverage.rows[np.isin(coverage.rows, among)]
        self._coverage = coverage
        self.rows = coverage.rows
        share, region = coverage.found_share, bool(coverage.place.region)
        alone = [
            row
            for row in coverage.rows.tolist()
            if (coverage.of(row) > 0.5 if region else coverage.of(row) >= share - _ROUNDING)
        ]
        self.whole: Rows = np.array(alone, np.int64)

    def share(self, row: int) -> float:
        """Share of its non-blank characters; a region's: of the shorter of the two."""
        return self._coverage.of(row)

    def rank(self, rows: Rows) -> int | None:
        """Smallest r such that the first r rows hold it together."""
        return self.position(rows)

    def position(self, rows: Rows) -> int | None:
        """The same."""
        at = {row: rank for rank, row in enumerate(rows.tolist(), 1)}
        return self._coverage.rank(at.get)

    def rank_by(self, rank_of: RankOf) -> int | None:
        """The same, for ranks beyond any list."""
        return self._coverage.rank(rank_of)


class HeldDocument:
    """A whole document that any of its chunks stands for; documents are ranked by their best."""

    def __init__(self, table: ChunkTable, document: str, among: Rows | None = None) -> None:
        self._table = table
        rows = table.rows_of(document)
        self.rows: Rows = np.arange(rows.start, rows.stop, dtype=np.int64)
        if among is not None:
            self.rows = self.rows[np.isin(self.rows, among)]
        self.whole = self.rows

    def share(self, row: int) -> float:
        """1 for each of its chunks."""
        return float(row in self.rows)

    def rank(self, rows: Rows) -> int | None:
        """How many documents stand above it, and 1."""
        at = self.position(rows)
        if at is None:
            return None
        return len(np.unique(self._table.document_of[rows[:at]]))

    def position(self, rows: Rows) -> int | None:
        """Rank of its best chunk."""
        found = np.flatnonzero(np.isin(rows, self.rows))
        return int(found[0]) + 1 if len(found) else None

    def rank_by(self, rank_of: RankOf) -> int | None:
        """Rank of its best chunk."""
        ranks = [rank for row in self.rows.tolist() if (rank := rank_of(row)) is not None]
        return min(ranks, default=None)


def read_share(text: str, start: int, end: int, first: int, read_to: int) -> float:
    """Share of a passage's non-blank characters that a model reads in one chunk, 0 to 1.

    Args:
        text: canonical text.
        start: where the passage starts.
        end: where it ends.
        first: where the chunk starts.
        read_to: up to where the model reads it.
    """
    solid = non_blank(text[start:end])
    inside = solid[max(first - start, 0) : max(read_to - start, 0)]
    total = int(solid.sum())
    return float(inside.sum() / total) if total else 0.0
