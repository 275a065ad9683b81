"""Questions as a table: CSV with a comma, semicolon or tab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragdebug.documents import exported
from ragdebug.documents.csv_reader import read_records, sniff_delimiter
from ragdebug.errors import RagDebugError
from ragdebug.workbench import export
from ragdebug.workbench.questions.formats import fields
from ragdebug.workbench.questions.records import Given, Rows


def read(text: str, columns: Mapping[str, str] | None = None, suffix: str = "") -> Rows:
    """Rows of a CSV file with a header.

    Args:
        text: of the file.
        columns: our names -> the file's, where they differ.
        suffix: of its name; ``.tsv`` speaks for the tab.

    Raises:
        RagDebugError: no column is the question, or one that was chosen is not there.
    """
    lines = text.split("\n")
    records = list(read_records(lines, sniff_delimiter(lines, suffix)))
    if not records:
        return Rows(())
    header = [c.strip() for c in records[0].cells]
    present = dict.fromkeys(header)
    names = fields.names(present, columns)
    missing = [v for v in names.values() if v not in present]
    if missing or ("question" not in names and "id" not in names):
        what = f"No column is called {missing[0] if missing else 'question'}."
        raise RagDebugError(
            f"{what} The file has: {', '.join(header)}.",
            title="Column missing",
            hint="Give the file a header, or say which column holds the question.",
        )
    rows: list[Given] = []
    problems: list[tuple[int, str]] = []
    for record in records[1:]:
        line = record.first + 1
        if not any(c.strip() for c in record.cells):
            continue
        if record.unclosed:
            problems.append((line, "A quotation mark is never closed; look at this row."))
        if len(record.cells) > len(header) and any(record.cells[len(header) :]):
            problems.append((line, f"{len(record.cells)} cells under {len(header)} columns."))
        cells = {h: _plain(c) for h, c in zip(header, record.cells, strict=False)}
        try:
            rows += fields.given(cells, names, line)
        except fields.BadRow as e:
            problems.append((line, str(e)))
    return Rows(tuple(rows), tuple(problems))


def unknown_columns(text: str, suffix: str = "") -> tuple[str, ...]:
    """The header of a table in which no column is known as the question; () where one is."""
    lines = text.split("\n")
    first = next(iter(read_records(lines, sniff_delimiter(lines, suffix))), None)
    header = [c.strip() for c in first.cells] if first else []
    known = fields.names(dict.fromkeys(header))
    return () if "question" in known or "id" in known else tuple(c for c in header if c)


def write(rows: Sequence[Given]) -> str:
    """A table with a header; no cell is a formula to a spreadsheet."""
    return export.write_csv([_cells(row) for row in rows], fields.COLUMNS)


def _cells(row: Given) -> dict[str, Any]:
    cells = fields.values(row)
    if row.tags:
        cells["tags"] = ", ".join(row.tags)
    return {k: "yes" if v is True else v for k, v in cells.items()}


def _plain(cell: str) -> str:
    """The cell without the apostrophe that keeps spreadsheets from running it."""
    guarded = cell.startswith("'") and cell[1:].startswith((*exported.FORMULA_STARTS, "'"))
    return exported.unguard(cell) if guarded else cell
