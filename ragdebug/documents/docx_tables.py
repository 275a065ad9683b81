"""Tables of a DOCX as rows of cells; merged cells count once."""

from __future__ import annotations

from dataclasses import dataclass, field

from ragdebug.documents.docx_package import Element, child, local, value
from ragdebug.documents.docx_text import Changes, Inline, block_children, read_inline


@dataclass(slots=True)
class Table:
    """Rows with the text of their cells, each on one line.

    Attributes:
        rows: text of each row, cells parted by " | "; rows without text are left out.
        header: how many of the first rows are repeated on every page; 0 or more.
        notes: see `Inline`.
        boxes: see `Inline`.
    """

    rows: list[str] = field(default_factory=list)
    header: int = 0
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)


def cells_of_box(table: Element) -> list[Element] | None:
    """The cells of a table of one column, which is a frame around text; None for other tables."""
    cells = []
    for row in _rows(table):
        own = _cells(row)
        if len(own) > 1:
            return None
        cells += own
    return cells


def read_table(table: Element, changes: Changes) -> Table:
    """All rows of a table. A cell merged over rows stands in the first of them only."""
    found = Table()
    leading = True
    for row in _rows(table):
        properties = child(row, "trPr")
        if child(properties, "del") is not None:
            changes.deleted += 1
            continue
        texts = [_cell(cell, found, changes, ", ") for cell in _cells(row)]
        if not any(texts):
            continue
        repeated = child(properties, "tblHeader")
        leading = leading and repeated is not None and value(repeated) not in ("0", "false", "off")
        found.header += leading
        # Empty cells keep the columns in line.
        found.rows.append(" ".join(" | ".join(texts).split()))
    if not found.header and len(found.rows) > 1 and _has_first_row(table):
        found.header = 1
    return found


def _rows(table: Element) -> list[Element]:
    rows = []
    for part in table:
        if local(part) == "tr":
            rows.append(part)
        elif local(part) in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            rows += _rows(part)
    return rows


def _cells(row: Element) -> list[Element]:
    cells = []
    for part in row:
        if local(part) == "tc":
            if child(part, "tcPr", "cellDel") is None:
                cells.append(part)
        elif local(part) in ("sdt", "sdtContent", "customXml"):
            cells += _cells(part)
    return cells


def _cell(cell: Element, found: Table, changes: Changes, between: str) -> str:
    merged = child(cell, "tcPr", "vMerge")
    if merged is not None and value(merged) != "restart":
        return ""
    texts = []
    for part in block_children(cell):
        if local(part) == "tbl":
            # A table inside a cell: its rows become clauses.
            inner = [
                between.join(filter(None, (_cell(c, found, changes, between) for c in _cells(row))))
                for row in _rows(part)
            ]
            texts.append("; ".join(filter(None, inner)))
            continue
        inline = Inline()
        read_inline(part, inline, changes)
        found.notes += inline.notes
        found.boxes += inline.boxes
        texts.append(" ".join(inline.text.split()))
    return " ".join(filter(None, texts))


def _has_first_row(table: Element) -> bool:
    """Whether the table's look sets its first row apart."""
    look = child(table, "tblPr", "tblLook")
    if look is None:
        return False
    if value(look, "firstRow"):
        return value(look, "firstRow") in ("1", "true", "on")
    try:
        return bool(int(value(look), 16) & 0x0020)
    except ValueError:
        return False
