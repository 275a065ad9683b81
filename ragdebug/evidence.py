"""How much of a passage a chunk holds, and from which rank on a list holds it.

A passage is *found at k* when the union of the first k chunks covers `found_share` of its non-blank
characters, so that an answer cut in two and retrieved in both pieces counts, one piece alone does
not. A region (page, section, document) is matched by a chunk when both share more than half of the
shorter of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.records import Place, Rows
from ragdebug.table import ChunkTable

FOUND_SHARE = 0.9


def non_blank(text: str) -> NDArray[np.bool_]:
    """Shape (len(text),): which characters are not white space."""
    return np.fromiter((not c.isspace() for c in text), bool, len(text))


def overlapping_rows(table: ChunkTable, place: Place) -> Rows:
    """Rows of the chunks that share at least one character with a place, in row order.

    A place that names another version of its document overlaps nothing.
    """
    rows = table.rows_of(place.document)
    if not rows or table.document(rows[0]).version != place.version:
        return np.zeros(0, np.int64)
    spans = table.spans[rows.start : rows.stop]
    touching = (spans[:, 0] < place.end) & (spans[:, 1] > place.start)
    return np.flatnonzero(touching).astype(np.int64) + rows.start


class Coverage:
    """One place against one table.

    Args:
        table: the chunks.
        place: where the passage stands.
        text: canonical text of the place's document, in the place's version.
        found_share: share of non-blank characters that counts as found, above 0 up to 1.
    """

    def __init__(
        self, table: ChunkTable, place: Place, text: str, found_share: float = FOUND_SHARE
    ) -> None:
        self.table = table
        self.place = place
        self.found_share = found_share
        self.rows = overlapping_rows(table, place)
        self._solid = non_blank(text[place.start : place.end])
        self._total = int(self._solid.sum())

    def of(self, row: int) -> float:
        """Share of the passage inside one chunk, 0 to 1; a region's: of the shorter of the two."""
        start, end = self.table.spans[row].tolist()
        if self.place.region:
            shared = min(end, self.place.end) - max(start, self.place.start)
            shorter = min(end - start, self.place.end - self.place.start)
            return max(0.0, shared / shorter) if shorter else 0.0
        return float(self._inside(row).sum() / self._total) if self._total else 0.0

    def rank(self, rank_of: Callable[[int], int | None]) -> int | None:
        """Smallest r such that the first r chunks of a list hold the passage, or None.

        Args:
            rank_of: rank from 1 of a row in the list, None when it is not in it.
        """
        ranked = sorted((r, row) for row in self.rows.tolist() if (r := rank_of(row)) is not None)
        if self.place.region:
            return next((r for r, row in ranked if self.of(row) > 0.5), None)
        seen = np.zeros_like(self._solid)
        for r, row in ranked:
            seen |= self._inside(row)
            if self._total and seen.sum() >= self.found_share * self._total - 1e-9:
                return r
        return None

    def _inside(self, row: int) -> NDArray[np.bool_]:
        start, end = self.table.spans[row].tolist()
        mask = np.zeros_like(self._solid)
        a, b = max(start - self.place.start, 0), max(end - self.place.start, 0)
        mask[a:b] = self._solid[a:b]
        return mask


def best_rank(ranks: Iterable[int | None]) -> int | None:
    """The lowest of some ranks, None when there is none."""
    return min((r for r in ranks if r is not None), default=None)


def holders(coverages: Sequence[Coverage]) -> list[tuple[int, float]]:
    """(row, coverage) of every chunk that holds some of any place, best coverage first."""
    best: dict[int, float] = {}
    for coverage in coverages:
        for row in coverage.rows.tolist():
            best[row] = max(best.get(row, 0.0), coverage.of(row))
    return sorted(best.items(), key=lambda item: (-item[1], item[0]))
