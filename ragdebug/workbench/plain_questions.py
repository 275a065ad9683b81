"""Questions and imports as plain values, for JSON. The keys here are a public interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ragdebug.questions import Label, Question
from ragdebug.records import Place
from ragdebug.workbench import plain
from ragdebug.workbench.questions import ImportReport, Unplaced

Plain = dict[str, Any]


def label(x: Label, page_of: Callable[[Place], int | None]) -> Plain:
    """One place of a need."""
    p = x.place
    return {
        "source": p.source,
        "start": p.start if p.start >= 0 else None,
        "end": p.end if p.end >= 0 else None,
        "quote": p.quote or None,
        "page": page_of(p),
        "region": p.region or None,
        "status": x.status,
        "origin": x.origin,
        "document": p.document or None,
        "version": p.version or None,
    }


def question(q: Question, page_of: Callable[[Place], int | None]) -> Plain:
    """One question; `needs` is a list of needs, each a list of places."""
    return {
        "id": q.id,
        "question": q.text,
        "state": q.state,
        "tags": list(q.tags),
        "notes": q.notes,
        "needs": [[label(x, page_of) for x in need.labels] for need in q.needs],
        "grades": [plain.number(need.grade) for need in q.needs],
        "rejected": [plain.place(p) for p in q.rejected],
        "level": q.level,
        "origin": q.origin,
        "removed": q.removed,
    }


def unplaced(u: Unplaced) -> Plain:
    """A passage that waits for a person."""
    return {
        "id": u.id,
        "question": u.question,
        "source": u.source or None,
        "quote": u.quote or None,
        "note": u.note,
        "nearest": plain.place(u.nearest) if u.nearest else None,
        "similarity": plain.number(u.similarity),
    }


def imported(report: ImportReport) -> Plain:
    """What an import did."""
    return {
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "joined": report.joined,
        "placed": report.placed,
        "folded": report.folded,
        "suggested": report.suggested,
        "unplaced": [unplaced(u) for u in report.unplaced],
        "problems": [{"line": line or None, "message": text} for line, text in report.problems],
        "ids": list(report.ids),
    }
