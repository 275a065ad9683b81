"""How the pieces of a set stand in their documents, counted and listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ragdebug.protocols import Progress
from ragdebug.records import Document
from ragdebug.settings import ChunkingSettings
from ragdebug.store.pieces import KeptPiece, PieceSet
from ragdebug.workbench.pieces.cutting import PlacedPiece, place
from ragdebug.workbench.pieces.reports import PieceReport, PieceRow


def report(
    found: PieceSet,
    kept: Sequence[KeptPiece],
    load: Callable[[str], Document],
    made: Sequence[str],
    notes: Sequence[str],
    dry_run: bool,
    progress: Progress,
) -> PieceReport:
    """Place all pieces and say how it went."""
    by_document: dict[str, list[KeptPiece]] = {}
    for piece in kept:
        by_document.setdefault(piece.document, []).append(piece)
    placed: Counter[str] = Counter()
    rows: dict[str, list[PieceRow]] = {"not placed": [], "same": [], "noted": []}
    documents: dict[str, str] = {}
    for at, (document, some) in enumerate(by_document.items()):
        progress(at, len(by_document), "documents placed")
        text = load(document)
        documents |= {p.source: text.source for p in some}
        spans: dict[tuple[int, int], PlacedPiece] = {}
        for one in place(some, text):
            how = one.placement.how
            first = spans.setdefault((one.start, one.end), one)
            if first is not one:
                rows["same"].append(_row(one, _same(first)))
            if not how:
                rows["not placed"].append(_row(one, one.placement.note))
                continue
            placed[how] += 1
            if one.placement.note:
                rows["noted"].append(_row(one, one.placement.note))
    return PieceReport(
        set=found,
        chunking=str(ChunkingSettings(strategy="imported", name=found.name)),
        placed=dict(placed),
        not_placed=tuple(rows["not placed"]),
        same=tuple(rows["same"]),
        noted=tuple(rows["noted"]),
        documents=documents,
        made=tuple(made),
        notes=tuple(notes),
        dry_run=dry_run,
    )


def _row(one: PlacedPiece, note: str) -> PieceRow:
    p = one.piece
    return PieceRow(p.position, p.id, p.source, p.document, p.text, note)


def _same(first: PlacedPiece) -> str:
    name = first.piece.id or f"number {first.piece.position + 1}"
    return f"It stands at the very place of {name}; both are one chunk."
