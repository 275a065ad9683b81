"""How result lists meet the questions and the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal, tables

if TYPE_CHECKING:
    from ragdebug.workbench.outside.list_reports import ListReport

SHOWN = 12


def draw(report: ListReport) -> None:
    """Counts, what to know, and the rows that were left out."""
    warn = report.not_placed or report.unanswered
    mark = ":orange[:material/warning:]" if warn else ":green[:material/check:]"
    lists = f"{report.info.queries:,} lists of {report.hits:,} hits"
    asked = f"{report.answered:,} of {report.questions:,} questions answered"
    st.markdown(f"{mark} **{lists}** · {asked} · {literal.code(report.strategy, 90)}")
    parts = [f"{report.placed:,} hits placed"]
    if report.not_placed:
        parts.append(f"{report.not_placed:,} not placed, so never counted as found")
    if report.elsewhere:
        parts.append(f"{report.elsewhere:,} of documents that are not here")
    if report.empty:
        parts.append(f"{report.empty:,} empty lists")
    parts.append(f"the longest has {report.deepest:,} hits")
    literal.small(" · ".join(parts))
    for note in report.notes:
        literal.note(note)
    _some("No list for these questions", report.unanswered, len(report.unanswered))
    _some("No question here for these", report.unknown, report.unknown_queries)
    if report.problems:
        with st.expander(f"Rows left out or repaired · {len(report.problems):,}"):
            st.dataframe(
                [{"line": line or None, "what": what} for line, what in report.problems],
                hide_index=True,
                height=tables.height(len(report.problems), 320),
                column_config={"what": st.column_config.TextColumn(width=800)},
            )


def _some(title: str, names: tuple[str, ...], total: int) -> None:
    if not total:
        return
    shown = ", ".join(literal.one_line(n, 60) for n in names[:SHOWN])
    literal.small(f"{title} ({total:,}): {shown}{', …' if total > SHOWN else ''}")
