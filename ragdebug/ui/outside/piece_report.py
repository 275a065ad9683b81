"""How a set of chunks stands in the documents: counts, and the rows worth a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal, tables

if TYPE_CHECKING:
    from ragdebug.workbench.pieces.reports import PieceReport, PieceRow

HOW = {
    "offsets": "by their offsets",
    "exact": "by their text",
    "folded": "by their text, blanks and marks aside",
}
MOST = 1000


def head(report: PieceReport) -> None:
    """The counts in one line."""
    lost = len(report.not_placed)
    mark = ":orange[:material/warning:]" if lost else ":green[:material/check:]"
    would = "would be " if report.dry_run else ""
    placed = sum(report.placed.values())
    st.markdown(
        f"{mark} **{placed:,} of {report.set.pieces:,} chunks {would}placed**"
        + (f", {lost:,} not placed" if lost else "")
        + f" · {literal.code(report.chunking, 90)}",
        width="content",
    )


def body(report: PieceReport) -> None:
    """How they were placed, what was taken for what, and the rows to look at."""
    parts = [f"{n:,} {HOW[how]}" for how, n in report.placed.items()]
    parts += [f"{role} from {name}" for role, name in report.columns.items()]
    if parts:
        literal.small(" · ".join(parts))
    for note in report.notes:
        literal.note(note)
    if report.made:
        shown = ", ".join(report.made[:8]) + (", …" if len(report.made) > 8 else "")
        literal.note(
            f"Not among the documents here, so made of their chunks: {shown}",
            "They belong to the corpus now, and every strategy searches them. Add the documents"
            " themselves on the Corpus page, then bring the chunks in again: these go.",
        )
    _rows("Not placed: searched, and never counted as found", report.not_placed)
    _rows("At the very place of an earlier one: both are one chunk", report.same)
    _rows("Placed, and worth knowing", report.noted)
    if report.problems:
        with st.expander(f"Rows left out or repaired · {len(report.problems):,}"):
            _table([{"line": line or None, "what": what} for line, what in report.problems])


def _rows(title: str, rows: Sequence[PieceRow]) -> None:
    if not rows:
        return
    with st.expander(f"{title} · {len(rows):,}"):
        _table(
            [
                {
                    "#": r.position + 1,
                    "id": r.id,
                    "document": r.source,
                    "text": literal.one_line(r.text, 300),
                    "why": r.note,
                }
                for r in rows[:MOST]
            ]
        )
        if len(rows) > MOST:
            literal.small(f"The first {MOST:,}; all with: ragdebug pieces show NAME --json")


def _table(rows: Sequence[dict[str, object]]) -> None:
    st.dataframe(
        rows,
        hide_index=True,
        height=tables.height(len(rows), 320),
        column_config={
            "#": st.column_config.NumberColumn(width=60),
            "line": st.column_config.NumberColumn(width=60),
            "text": st.column_config.TextColumn(width=460),
            "why": st.column_config.TextColumn(width=380),
            "what": st.column_config.TextColumn(width=800),
        },
    )
