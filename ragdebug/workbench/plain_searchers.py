"""Searchers and what they answered as plain values, for JSON."""

from __future__ import annotations

import math
from typing import Any

from ragdebug.workbench.outside.searcher_reports import SearcherRow, SearcherTrial, TrialHit


def row(one: SearcherRow) -> dict[str, Any]:
    """A registered searcher."""
    return {
        **one.settings.as_dict(),
        "agreed": one.agreed,
        "missing": list(one.missing),
        "would_run": one.would_run or None,
        "removed": one.removed,
    }


def trial(one: SearcherTrial) -> dict[str, Any]:
    """What was answered and understood."""
    return {
        "searcher": one.settings.as_dict(),
        "query": one.query,
        "k": one.k,
        "milliseconds": round(one.milliseconds, 1),
        "returned": None if one.returned < 0 else one.returned,
        "hits_at": one.where or None,
        "fields": dict(one.fields),
        "unused": list(one.unused),
        "warnings": list(one.warnings),
        "problem": one.problem or None,
        "hint": one.hint or None,
        "hits": [_hit(h) for h in one.hits],
        "raw": one.raw,
    }


def _hit(one: TrialHit) -> dict[str, Any]:
    piece, score = one.hit.piece, one.hit.score
    return {
        "text": piece.text,
        "id": piece.id or None,
        "source": piece.source or None,
        "score": score if math.isfinite(score) else None,
        "page": piece.page,
        "start": piece.start,
        "end": piece.end,
        "metadata": dict(piece.metadata),
        "document": one.document or None,
        "placed": one.placed,
    }
