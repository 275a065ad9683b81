"""Result lists and documents as CSV files that a spreadsheet does not run, and back again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence

from ragdebug.documents.exported import COLUMNS, guard, unguard
from ragdebug.records import DocumentInfo, ResultList, SearchResult
from ragdebug.workbench import plain

INTEGERS = ("rank", "start", "end", "page")
DOCUMENT_COLUMNS = (
    "document", "id", "kind", "title", "characters", "tokens", "pages", "language", "metadata",
    "notes",
)  # fmt: skip

Cell = str | int | float | None


def rows(query: str, lists: Mapping[str, ResultList]) -> list[dict[str, Cell]]:
    """One row a hit, list after list."""
    made: list[dict[str, Cell]] = []
    for name, result in lists.items():
        for hit in result.hits:
            c = hit.chunk
            made.append(
                {
                    "query": query,
                    "list": name,
                    "strategy": result.strategy,
                    "rank": hit.rank,
                    "score": plain.number(hit.score),
                    "score_kind": hit.score_kind,
                    "source": c.source,
                    "section": " > ".join(c.section),
                    "page": c.page,
                    "page_label": c.page_label,
                    **plain.span(c),
                    "document": c.document,
                    "version": c.version,
                    "chunk": c.id,
                    "shares": "; ".join(
                        f"{s.list} {'none' if s.rank is None else s.rank}: {s.share!r}"
                        for s in hit.shares
                    ),
                    "notes": "; ".join(hit.notes),
                    "text": c.text,
                }
            )
    return made


def write_csv(values: Sequence[Mapping[str, Cell]], columns: Sequence[str] = COLUMNS) -> str:
    """Rows as CSV with a header; missing and None cells are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in values:
        cells = [row.get(name) for name in columns]
        writer.writerow(["" if c is None else guard(c) if isinstance(c, str) else c for c in cells])
    return out.getvalue()


def read_csv(text: str) -> list[dict[str, Cell]]:
    """What `write_csv` wrote: guarded texts as they were, numbers as numbers, empty ones None.

    Raises:
        ValueError: a rank, score, position or page is no number.
    """
    found: list[dict[str, Cell]] = []
    for row in csv.DictReader(io.StringIO(text, newline="")):
        made: dict[str, Cell] = {}
        for name, cell in row.items():
            if name in INTEGERS:
                made[name] = int(cell) if cell else None
            elif name == "score":
                made[name] = float(cell) if cell else None
            else:
                made[name] = unguard(cell or "")
        found.append(made)
    return found


def search_csv(query: str, lists: Mapping[str, ResultList]) -> bytes:
    """All hits as a CSV file; the mark at its start tells spreadsheets that it is UTF-8."""
    return write_csv(rows(query, lists)).encode("utf-8-sig", "replace")


def documents_csv(infos: Sequence[DocumentInfo]) -> bytes:
    """A list of documents as a CSV file; metadata stand in one cell, ``key=value`` each."""
    made: list[dict[str, Cell]] = [
        {
            "document": d.source,
            "id": d.id,
            "kind": d.kind,
            "title": d.title,
            "characters": d.chars,
            "tokens": d.tokens,
            "pages": d.pages or None,
            "language": d.language,
            "metadata": "; ".join(f"{k}={v}" for k, v in sorted(d.metadata.items())),
            "notes": " ".join([d.error] if d.error else [w.message for w in d.warnings]),
        }
        for d in infos
    ]
    return write_csv(made, DOCUMENT_COLUMNS).encode("utf-8-sig", "replace")


def search_json(result: SearchResult) -> bytes:
    """All lists as a JSON file, as ``ragdebug search --json`` gives them."""
    return json.dumps(plain.search(result), ensure_ascii=False, indent=2).encode("utf-8", "replace")
