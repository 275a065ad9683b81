"""A case as plain values, for the file itself. The keys are what later versions read.

Texts of hits are not among them: where the case is opened again, the corpus has them.
"""

from __future__ import annotations

from typing import Any

from ragdebug.workbench import plain_tracing
from ragdebug.workbench.casefile.embedded import FORMAT
from ragdebug.workbench.casefile.records import Answer, Case, Effect, HitList, Side
from ragdebug.workbench.casefile.sentences import sentences
from ragdebug.workbench.plain import number

Plain = dict[str, Any]


def plain(case: Case) -> Plain:
    """The case; see the module."""
    return {
        "format": FORMAT,
        "ragdebug": case.version,
        "made_at": case.made_at,
        "corpus": case.corpus,
        "documents": case.documents,
        "query": case.query,
        "question": case.question or None,
        "sentences": list(sentences(case)),
        "answers": [[_answer(a) for a in need] for need in case.answers],
        "today": _side(case.today),
        "proposed": _side(case.proposed) if case.proposed is not None else None,
        "effect": _effect(case.effect) if case.effect is not None else None,
        "others": [_list(one) for one in case.others],
        "explanations": [
            {"title": t.title, "head": t.head, "rows": t.rows, "note": t.note} for t in case.tables
        ],
        "notes": list(case.notes),
    }


def _answer(a: Answer) -> Plain:
    return {
        "document": a.document or None,
        "version": a.version or None,
        "source": a.source or None,
        "start": a.start if a.start >= 0 else None,
        "end": a.end if a.start >= 0 else None,
        "page": a.page,
        "section": list(a.section),
        "quote": a.quote or None,
        "region": a.region or None,
        "withheld": a.withheld,
    }


def _side(side: Side) -> Plain:
    return {**_list(side.list), "why": plain_tracing.why(side.why)}


def _list(one: HitList) -> Plain:
    return {
        "name": one.name,
        "strategy": one.strategy,
        "allowed": one.allowed,
        "total": one.total,
        "rank": one.rank,
        "note": one.note or None,
        "hits": [
            {
                "rank": h.rank,
                "score": number(h.score),
                "score_kind": h.score_kind,
                "chunk": h.chunk,
                "document": h.document,
                "version": h.version,
                "source": h.source,
                "start": h.start,
                "end": h.end,
                "coverage": number(h.coverage),
                "withheld": h.withheld,
            }
            for h in one.hits
        ],
    }


def _effect(e: Effect) -> Plain:
    return {
        "name": e.name,
        "helps": e.helps,
        "ranks": list(e.ranks),
        "rescued": e.rescued,
        "harmed": e.harmed,
        "others": e.others,
        "verdict": e.verdict,
        "distinguishable": e.distinguishable,
        "milliseconds_added": number(e.milliseconds_added),
    }
