"""Files written, and what an ingest made of them."""

from __future__ import annotations

from pathlib import Path

from ragdebug import Workbench
from ragdebug.workbench.reports import IngestReport


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def statuses(report: IngestReport) -> dict[str, str]:
    return {d.source: d.status for d in report.documents}


def sources(wb: Workbench) -> list[str]:
    return [d.source for d in wb.documents()]


def found(wb: Workbench, query: str) -> list[str]:
    return [h.chunk.source for h in wb.search(query, ["bm25"]).lists["bm25"].hits]
