"""Pieces that another system cut: as it has them, as a file holds them, where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GivenPiece:
    """One chunk as another system has it.

    Attributes:
        text: exactly as given: this is what is embedded and indexed.
        source: what they call the document; a path stays as it is written.
        id: their id of the piece, or "".
        page: sheet number from 1, or None.
        start: where it begins in their document, as given, or None. Meant as code points; see
            `place_pieces` for what else it may turn out to be.
        end: one past its last, as given, or None.
        metadata: everything else, as text; nested names are joined by dots.
    """

    text: str
    source: str = ""
    id: str = ""
    page: int | None = None
    start: int | None = None
    end: int | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A row that was left out or repaired.

    Attributes:
        line: line of the file from 1 where the row begins; its number among the records from 1 in
            Parquet and in JSON that is one array. 0 for what is said of the whole file.
        message: one sentence for a person.
    """

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class PieceFile:
    """What a file of pieces holds.

    Attributes:
        pieces: in the order of the file.
        vectors: shape (n, dimension), float32, a row of NaN where a piece has none; None where no
            piece has one.
        columns: role (text, source, id, page, start, end, vector) -> the column taken for it.
        problems: rows that were left out or repaired, in the order of the file.
        seen: all columns of the file's first rows, so that a person can choose others.
    """

    pieces: tuple[GivenPiece, ...]
    vectors: Vectors | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[RowProblem, ...] = ()
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PiecePlacement:
    """Where a piece stands in its document's canonical text.

    Attributes:
        start: first code point, never a blank one; -1 when it is not placed.
        end: one past the last; -1 when it is not placed.
        how: ``offsets``, ``exact``, ``folded``, or "" when it is not placed.
        note: what a person should know about it, or "".
    """

    start: int
    end: int
    how: str
    note: str = ""

    @property
    def placed(self) -> bool:
        """Whether it has a span."""
        return bool(self.how)
