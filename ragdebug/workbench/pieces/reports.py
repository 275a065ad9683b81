"""What is said of a set of pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragdebug.store.pieces import PieceSet


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece that is worth a word: not placed, placed with a note, or the same as another one.

    Attributes:
        position: 0, 1, ... in the order of the file.
        id: as the file gives it, or "".
        source: as the file calls the document.
        document: id of the document here.
        text: as given.
        note: what to know about it.
    """

    position: int
    id: str
    source: str
    document: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PieceReport:
    """A set of pieces and how they stand in the documents.

    Attributes:
        set: the set.
        chunking: text form under which it is searched, ``imported:NAME``.
        placed: how -> number of pieces: offsets, exact, folded.
        not_placed: pieces without a span; they are searched, and never count as found.
        same: pieces at the very span of an earlier one; both are one chunk.
        noted: placed pieces with something to know.
        documents: source as the file calls it -> source here.
        made: sources of the documents that were made of pieces, since they are not here.
        notes: sentences about the whole set: problems of the file, its vectors.
        dry_run: nothing was kept.
    """

    set: PieceSet
    chunking: str
    placed: Mapping[str, int]
    not_placed: tuple[PieceRow, ...] = ()
    same: tuple[PieceRow, ...] = ()
    noted: tuple[PieceRow, ...] = ()
    documents: Mapping[str, str] = field(default_factory=dict)
    made: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def columns(self) -> Mapping[str, str]:
        """Role -> column of the file that was taken for it."""
        columns: Mapping[str, str] = self.set.about.get("columns", {})
        return columns

    @property
    def problems(self) -> list[tuple[int, str]]:
        """Rows of the file that were left out or repaired: line and sentence."""
        return [(int(line), str(message)) for line, message in self.set.about.get("problems", [])]

    @property
    def chunks(self) -> int:
        """How many chunks they are."""
        return sum(self.placed.values()) + len(self.not_placed) - len(self.same)
