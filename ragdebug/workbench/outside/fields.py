"""Hits of another system, by the fields that all of them are read by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragdebug.pieces.hit_names import Row, number, own_text, roles
from ragdebug.pieces.hit_rows import piece_of, rows_of
from ragdebug.pieces.names import as_page
from ragdebug.workbench.outside.answers import ReturnedHit


@dataclass(frozen=True, slots=True)
class Read:
    """Hits, and the role -> field that was taken for it."""

    hits: tuple[ReturnedHit, ...]
    columns: Mapping[str, str]

    @property
    def kind(self) -> str:
        """What their scores are: ``score``, ``distance``, or "" without any."""
        return kind_of(self.columns)


def kind_of(columns: Mapping[str, str]) -> str:
    """What scores of such fields are: ``score``, ``distance``, or "" without any."""
    return next((k for k in ("score", "distance") if k in columns), "")


def read_hits(records: Sequence[object]) -> Read:
    """Hits of records: objects, pairs with a score, texts or ids; in their order.

    A record that holds nothing to find a hit by has an empty piece, which keeps its rank.
    """
    rows = rows_of(records)
    columns = roles(rows)
    return Read(hits_of(rows, columns), columns)


def hits_of(rows: Sequence[Row], columns: Mapping[str, str]) -> tuple[ReturnedHit, ...]:
    """Rows as hits. Pages that count from 0 are made one larger."""
    first = 0 if any(as_page(row.get(columns.get("page", ""))) == 0 for row in rows) else 1
    score = columns.get(kind_of(columns), "")
    return tuple(
        ReturnedHit(piece_of(row, own_text(row, columns), first), number(row.get(score)))
        for row in rows
    )
