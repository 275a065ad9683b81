"""Runs, measures and comparisons as plain values, for JSON. The keys are a public interface."""

from __future__ import annotations

from ragdebug.runs import Interval
from ragdebug.workbench.evaluation.reports import (
    GateReport,
    PlannedRun,
    QuestionRow,
    RunComparison,
    RunRow,
)
from ragdebug.workbench.plain import Plain, number


def interval(i: Interval) -> Plain:
    """A mean with its 95% interval; null where nothing was measured."""
    return {"mean": number(i.mean), "low": number(i.low), "high": number(i.high), "n": i.n}


def run_row(r: RunRow) -> Plain:
    """A run with its measures."""
    run = r.run
    return {
        "id": run.id,
        "fingerprint": run.fingerprint,
        "label": run.label,
        "strategy": run.strategy,
        "chunking": run.chunking,
        "embedder": run.embedder or None,
        "state": run.state,
        "created_at": run.created_at,
        "elapsed_s": number(run.elapsed_s),
        "milliseconds": number(r.milliseconds),
        "n": r.n,
        "asked": run.asked,
        "sampled": run.sampled,
        "unlabelled": r.unlabelled,
        "unanswerable": r.unanswerable,
        "unusable": [{"question": q, "reason": why} for q, why in r.unusable],
        "errors": [{"question": q, "message": why} for q, why in r.errors],
        "taken_from": list(run.taken_from),
        "tokenizer": run.tokenizer,
        "packages": dict(run.packages),
        "seconds": {name: number(s) for name, s in run.seconds.items()},
        "note": run.note,
        "notes": list(r.notes),
        "metrics": {name: interval(i) for name, i in r.metrics.items()},
    }


def planned(p: PlannedRun) -> Plain:
    """A run that waits for a yes."""
    return {
        "strategy": str(p.strategy),
        "label": p.label,
        "questions": p.questions,
        "passages": p.passages,
        "estimate_s": number(p.estimate_s),
    }


def comparison(c: RunComparison) -> Plain:
    """Two runs compared."""
    p = c.paired
    return {
        "a": c.a.id,
        "b": c.b.id,
        "metric": c.measure,
        "n": p.n,
        "mean_a": number(p.mean_a),
        "mean_b": number(p.mean_b),
        "difference": number(p.difference),
        "low": number(p.low),
        "high": number(p.high),
        "p": number(p.p),
        "wins": p.wins,
        "ties": p.ties,
        "losses": p.losses,
        "verdict": c.verdict,
        "notes": list(c.notes),
    }


def question_row(q: QuestionRow, run: str) -> Plain:
    """One question of one run."""
    return {
        "id": q.question.id,
        "question": q.question.text,
        "tags": list(q.question.tags),
        "rank": q.ranks.get(run),
        "value": number(q.values.get(run)),
        "error": q.errors.get(run),
    }


def gate(report: GateReport, exit_code: int) -> Plain:
    """What a gate found."""
    return {
        "ok": exit_code == 0,
        "exit_code": exit_code,
        "checks": [
            {
                "name": c.name,
                "run": c.run,
                "ok": c.ok,
                "measured": c.measured,
                "message": c.message,
            }
            for c in report.checks
        ],
    }
