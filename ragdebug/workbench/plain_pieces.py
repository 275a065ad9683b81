"""Sets of imported chunks as plain values, for JSON."""

from __future__ import annotations

from typing import Any

from ragdebug.store.pieces import PieceSet
from ragdebug.workbench.pieces.reports import PieceReport, PieceRow

Plain = dict[str, Any]


def piece_set(made: PieceSet) -> Plain:
    """A set without its pieces."""
    return {
        "id": made.id,
        "name": made.name,
        "file": made.file,
        "model": made.model or None,
        "dimension": made.dimension or None,
        "pieces": made.pieces,
        "created_at": made.created_at or None,
        "removed": made.removed,
    }


def report(one: PieceReport) -> Plain:
    """A set and how its pieces stand in the documents."""
    return {
        "set": piece_set(one.set),
        "chunking": one.chunking,
        "dry_run": one.dry_run,
        "chunks": one.chunks,
        "columns": dict(one.columns),
        "placed": dict(one.placed),
        "not_placed": [_row(r) for r in one.not_placed],
        "same": [_row(r) for r in one.same],
        "noted": [_row(r) for r in one.noted],
        "documents": dict(one.documents),
        "made_of_pieces": list(one.made),
        "problems": [{"line": line or None, "message": message} for line, message in one.problems],
        "notes": list(one.notes),
    }


def _row(r: PieceRow) -> Plain:
    return {
        "position": r.position,
        "id": r.id or None,
        "source": r.source,
        "document": r.document,
        "text": r.text,
        "note": r.note or None,
    }
