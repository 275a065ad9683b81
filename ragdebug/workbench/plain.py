"""Records as plain values, for JSON. The keys here are a public interface."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from ragdebug.protocols import ModelInfo
from ragdebug.records import (
    Chunk,
    DocumentInfo,
    Expected,
    Hit,
    ParseWarning,
    Place,
    ResultList,
    SearchResult,
    Share,
    TermInfo,
)
from ragdebug.settings import ChunkingSettings
from ragdebug.store.rows import PurgeReport
from ragdebug.workbench.chunk_rows import ChunkRow
from ragdebug.workbench.reports import Check, IngestReport

Plain = dict[str, Any]


def number(value: float | None) -> float | None:
    """A finite number, else None: JSON knows no NaN."""
    return None if value is None or not math.isfinite(value) else float(value)


def warning(w: ParseWarning) -> Plain:
    """One warning of a parser."""
    result: Plain = {"code": w.code, "message": w.message}
    if w.page is not None:
        result["page"] = w.page
    if w.line is not None:
        result["line"] = w.line
    return result


def document(d: DocumentInfo) -> Plain:
    """One document without its text."""
    return {
        "id": d.id,
        "version": d.version,
        "source": d.source,
        "status": d.status,
        "kind": d.kind,
        "title": d.title,
        "chars": d.chars,
        "tokens": d.tokens,
        "pages": d.pages,
        "language": d.language,
        "metadata": dict(d.metadata),
        "warnings": [warning(w) for w in d.warnings],
        "error": d.error or None,
        "hint": d.hint or None,
    }


def ingest(report: IngestReport) -> Plain:
    """An ingest."""
    return {
        "dry_run": report.dry_run,
        "counts": report.counts(),
        "documents": [document(d) for d in report.documents],
        "skipped": [{"source": s, "reason": r} for s, r in report.skipped],
    }


def chunking(settings: ChunkingSettings) -> Plain:
    """How documents are cut, setting by setting; `text` is what ``--chunking`` takes."""
    return {**asdict(settings), "text": str(settings)}


def span(c: Chunk) -> Plain:
    """Where a chunk stands; null and null for a piece of another system that stands nowhere."""
    return {"start": c.start if c.placed else None, "end": c.end if c.placed else None}


def chunk(row: ChunkRow) -> Plain:
    """One chunk as a model sees it."""
    c = row.chunk
    return {
        "id": c.id,
        "document": c.document,
        "version": c.version,
        "source": c.source,
        **span(c),
        "page": c.page,
        "page_label": c.page_label or None,
        "section": list(c.section),
        "size": c.size,
        "tokens": row.tokens,
        "truncated": row.truncated,
        "label": c.label,
        "context": c.context,
        "text": c.text,
        "index_text": c.index_text,
    }


def share(s: Share) -> Plain:
    """What one list gave to a fused hit."""
    return {"list": s.list, "rank": s.rank, "score": number(s.score), "share": number(s.share)}


def hit(h: Hit) -> Plain:
    """One row of a result list."""
    c = h.chunk
    return {
        "rank": h.rank,
        "score": number(h.score),
        "score_kind": h.score_kind,
        "chunk": c.id,
        "document": c.document,
        "version": c.version,
        "source": c.source,
        **span(c),
        "page": c.page,
        "page_label": c.page_label or None,
        "section": list(c.section),
        "text": c.text,
        "shares": [share(s) for s in h.shares],
        "notes": list(h.notes),
    }


def expected(e: Expected) -> Plain:
    """Where the expected passage stands."""
    return {
        "rank": e.rank,
        "score": number(e.score),
        "gap": number(e.gap),
        "note": e.note or None,
        "chunks": [
            {
                "chunk": x.chunk.id,
                "source": x.chunk.source,
                "start": x.chunk.start,
                "end": x.chunk.end,
                "coverage": number(x.coverage),
                "rank": x.rank,
                "score": number(x.score),
            }
            for x in e.chunks
        ],
    }


def place(p: Place) -> Plain:
    """Where an answer stands."""
    return {
        "document": p.document,
        "version": p.version,
        "source": p.source,
        "start": p.start,
        "end": p.end,
        "quote": p.quote or None,
        "region": p.region or None,
    }


def term(t: TermInfo) -> Plain:
    """A query term after analysis."""
    return {"term": t.term, "surface": t.surface, "frequency": t.frequency}


def result_list(r: ResultList) -> Plain:
    """One column."""
    return {
        "strategy": r.strategy,
        "chunking": r.chunking,
        "embedder": r.embedder or None,
        "allowed": r.allowed,
        "total": r.total,
        "elapsed_s": number(r.elapsed_s),
        "stages": [
            {
                "name": s.name,
                "score_kind": s.score_kind,
                "length": len(s),
                "elapsed_s": number(s.elapsed_s),
            }
            for s in r.trace.stages
        ],
        "notes": list(r.notes),
        "hits": [hit(h) for h in r.hits],
        "expected": expected(r.expected) if r.expected else None,
        "error": r.error or None,
        "hint": r.error_hint or None,
    }


def search(result: SearchResult) -> Plain:
    """All columns of one search."""
    return {
        "query": result.query,
        "terms": [term(t) for t in result.terms],
        "expected": [place(p) for p in result.expected],
        "lists": {name: result_list(r) for name, r in result.lists.items()},
    }


def model(m: ModelInfo) -> Plain:
    """One model."""
    return {
        "name": m.name,
        "kind": m.kind,
        "fingerprint": m.fingerprint,
        "dimension": m.dimension or None,
        "window": m.window or None,
        "languages": list(m.languages),
        "query_prompt": m.query_prompt,
        "passage_prompt": m.passage_prompt,
        "embedded": m.embedded,
        "note": m.note,
    }


def purge(report: PurgeReport) -> Plain:
    """What was deleted for good, and what still quotes it."""
    return {
        "documents": list(report.documents),
        "versions": report.versions,
        "chunks": report.chunks,
        "vectors": report.vectors,
        "scores": report.scores,
        "uploads": list(report.uploads),
        "quoted_by": list(report.quoted_by),
        "remains": list(report.remains),
    }


def check(c: Check) -> Plain:
    """One line of the doctor's report."""
    return {"name": c.name, "ok": c.ok, "detail": c.detail, "hint": c.hint or None}
