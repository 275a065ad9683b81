"""Findings as plain values, for JSON. The keys are a public interface."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ragdebug.workbench.health.at_hand import AtHand
from ragdebug.workbench.health.checking import Checked
from ragdebug.workbench.health.findings import SEVERITIES, Finding, Where, clean
from ragdebug.workbench.health.index_check import IndexCheck
from ragdebug.workbench.plain import Plain
from ragdebug.workbench.plain_runs import interval


def health(findings: Sequence[Finding], checked: Checked) -> Plain:
    """All findings with what was looked at, and the checks that found nothing."""
    return {
        "strategies": [str(s) for s in checked.strategies],
        "runs": [r.id for r in checked.runs],
        "counts": {s: sum(f.severity == s for f in findings) for s in SEVERITIES},
        "findings": [finding(f) for f in findings],
        "clean": list(clean(findings)),
    }


def at_hand(known: AtHand, documents: Collection[str] = ()) -> Plain:
    """What is known without long work, what of it names some documents, and what was not made."""
    named = {"of_documents": [finding(f) for f in known.of(documents)]} if documents else {}
    return {
        **named,
        "counts": dict(known.counts),
        "codes": list(dict.fromkeys(code for code, _ in known.marks)),
        "waiting": list(known.waiting),
    }


def index_check(c: IndexCheck) -> Plain:
    """HNSW against exact search; `recall` by k, `costs` the queries that are answered otherwise."""
    return {
        "strategy": c.strategy,
        "chunks": c.chunks,
        "kind": c.kind,
        "queries": c.queries,
        "total": c.total,
        "m": c.m,
        "ef_search": c.asked,
        "ef_search_used": c.ef_search,
        "recall": {str(k): interval(i) for k, i in c.recall.items()},
        "exact_ms": c.exact_ms,
        "hnsw_ms": c.hnsw_ms,
        "saved_ms": c.saved_ms,
        "build_s": c.build_s,
        "k": c.k,
        "labelled": c.labelled,
        "lost": c.lost,
        "costs": [
            {"question": x.question or None, "query": x.query, "recall@5": x.recall, "lost": x.lost}
            for x in c.costs
        ],
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
