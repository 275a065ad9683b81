"""Why a question was missed, as plain values, for JSON. The keys are a public interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragdebug.workbench.plain import Plain, number
from ragdebug.workbench.tracing.reports import ChunkFacts, LostStages, PathStep, WhyReport


def why(report: WhyReport) -> Plain:
    """One question under one strategy; `evidence` has every place of every need in order."""
    return {
        "query": report.query,
        "question": report.question or None,
        "strategy": report.strategy,
        "stage": report.stage,
        "path": [step(s) for s in report.path],
        "evidence": list(_evidence(report)),
        "needs": [
            {"grade": n.grade, "stage": n.stage, "measured": n.measured} for n in report.needs
        ],
        "chunks": report.chunks,
        "allowed": report.allowed,
        "delivered": list(report.delivered),
        "notes": list(report.notes),
    }


def step(one: PathStep) -> Plain:
    """One stage of a path."""
    return {"stage": one.stage, "status": one.status, "facts": _plain(one.facts)}


def lost(one: LostStages) -> Plain:
    """Questions by the stage that one strategy lost them at."""
    return {
        "strategy": one.strategy,
        "run": one.run or None,
        "k": one.k,
        "stages": {stage: list(ids) for stage, ids in one.stages.items()},
        "moved": list(one.moved),
        "failed": [{"question": q, "message": why} for q, why in one.failed],
        "waiting": list(one.waiting),
        "partial": list(one.partial),
        "notes": list(one.notes),
    }


def _evidence(report: WhyReport) -> Iterator[Plain]:
    for at, need in enumerate(report.needs):
        for trace in need.places:
            place = trace.place
            stands = place.start >= 0
            yield {
                "need": at,
                "document": place.document or None,
                "source": place.source or None,
                "start": place.start if stands else None,
                "end": place.end if stands else None,
                "quote": place.quote or None,
                "region": place.region or None,
                "stage": trace.stage,
                "path": [step(s) for s in trace.path],
                "chunks": [_chunk(c) for c in trace.chunks],
                "chunks_total": trace.total,
            }


def _chunk(c: ChunkFacts) -> Plain:
    return {
        "chunk": c.id,
        "start": c.span.start,
        "end": c.span.end,
        "coverage": c.coverage,
        "whole": c.whole,
        "ranks": dict(c.ranks),
        "scores": {name: number(s) for name, s in c.scores.items()},
        "gap": {name: number(s) for name, s in c.gap.items()},
        "admitted": dict(c.admitted),
        "would_rank": c.would_rank,
        "tokens": c.tokens,
        "window": c.window,
        "beyond": c.beyond,
        "read": number(c.seen),
    }


def _plain(value: Any) -> Any:  # noqa: ANN401 - facts hold plain values of any shape
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return number(value) if isinstance(value, float) else value
