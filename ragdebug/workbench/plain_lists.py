"""Result lists of other systems as plain values, for JSON."""

from __future__ import annotations

from typing import Any

from ragdebug.store.result_lists import ResultListInfo
from ragdebug.workbench.outside.list_reports import ListReport

Plain = dict[str, Any]


def info(one: ResultListInfo) -> Plain:
    """Lists without their hits."""
    return {
        "id": one.id,
        "name": one.name,
        "strategy": f"list:{one.name}",
        "file": one.file,
        "format": one.about.get("format"),
        "scores": one.about.get("kind"),
        "queries": one.queries,
        "created_at": one.created_at or None,
        "removed": one.removed,
    }


def report(one: ListReport) -> Plain:
    """Lists, and how they meet questions and documents."""
    return {
        "list": info(one.info),
        "strategy": one.strategy,
        "dry_run": one.dry_run,
        "questions": one.questions,
        "answered": one.answered,
        "unanswered": list(one.unanswered),
        "unknown_queries": one.unknown_queries,
        "unknown": list(one.unknown),
        "hits": one.hits,
        "placed": one.placed,
        "not_placed": one.not_placed,
        "elsewhere": one.elsewhere,
        "empty": one.empty,
        "deepest": one.deepest,
        "notes": list(one.notes),
        "problems": [{"line": line, "message": text} for line, text in one.problems],
    }
