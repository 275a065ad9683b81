"""Findings as plain values, for JSON. The keys are a public interface."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.workbench.health.at_hand import AtHand
from ragdebug.workbench.health.checking import Checked
from ragdebug.workbench.health.findings import SEVERITIES, Finding, Where, clean
from ragdebug.workbench.plain import Plain


def health(findings: Sequence[Finding], checked: Checked) -> Plain:
    """All findings with what was looked at, and the checks that found nothing."""
    return {
        "strategies": [str(s) for s in checked.strategies],
        "runs": [r.id for r in checked.runs],
        "counts": {s: sum(f.severity == s for f in findings) for s in SEVERITIES},
        "findings": [finding(f) for f in findings],
        "clean": list(clean(findings)),
    }


def at_hand(known: AtHand) -> Plain:
    """What is known without long work, and the checks that were not made."""
    return {
        "counts": dict(known.counts),
        "codes": list(dict.fromkeys(code for code, _ in known.marks)),
        "waiting": list(known.waiting),
    }


def finding(f: Finding) -> Plain:
    """One finding."""
    return {
        "code": f.code,
        "severity": f.severity,
        "title": f.title,
        "sentence": f.sentence,
        "count": f.count,
        "of": f.of,
        "strategies": list(f.strategies),
        "runs": list(f.runs),
        "where": [_where(w) for w in f.where],
    }


def _where(w: Where) -> Plain:
    """A place to look at; what means nothing there is left out."""
    value: Plain = {"page": w.page, "label": w.label}
    for name in ("document", "chunk", "chunking", "model", "query", "strategy", "run"):
        if given := getattr(w, name):
            value[name] = given
    if w.at is not None:
        value["at"] = w.at
    return value
