"""What a searcher answered: its hits as they were understood, and the answer as it came."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal, tables

if TYPE_CHECKING:
    from ragdebug.settings import SearcherSettings
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.outside.registering import SearcherTrial

K = 5


def ask(
    wb: Workbench, searcher: SearcherSettings | str, query: str
) -> SearcherTrial | RagDebugError:
    """Ask a searcher; what goes wrong is the outcome."""
    with st.spinner("Asking the searcher"):
        try:
            return wb.try_searcher(searcher, query, K)
        except RagDebugError as error:
            return error


def draw(outcome: SearcherTrial | RagDebugError, key: str) -> None:
    """Draw an outcome."""
    if isinstance(outcome, RagDebugError):
        literal.problem(outcome)
        return
    if outcome.problem:
        literal.problem(outcome.problem, outcome.hint)
    n = len(outcome.hits)
    placed = sum(h.placed for h in outcome.hits)
    if n:
        st.markdown(
            f":green[:material/check:] **{n:,} hits** in {outcome.milliseconds:,.0f} ms,"
            f" {placed:,} placed in the documents here"
        )
    taken = [f"{role} from {path}" for role, path in outcome.fields.items()]
    if outcome.where:
        taken.insert(0, f"hits in {outcome.where}")
    if outcome.unused:
        taken.append(f"not used: {', '.join(outcome.unused[:12])}")
    if taken:
        literal.small(" · ".join(taken))
    for warning in outcome.warnings:
        literal.note(warning)
    if n:
        st.dataframe(
            [
                {
                    "#": at,
                    "score": None if math.isnan(h.hit.score) else h.hit.score,
                    "document": h.document or h.hit.piece.source or h.hit.piece.id,
                    "placed": "yes" if h.placed else "no",
                    "text": literal.one_line(h.hit.piece.text, 300),
                }
                for at, h in enumerate(outcome.hits, 1)
            ],
            hide_index=True,
            height=tables.height(n, 300),
            key=f"{key}_hits",
            column_config={
                "#": st.column_config.NumberColumn(width=44),
                "score": st.column_config.NumberColumn(width=80, format="%.4g"),
                "document": st.column_config.TextColumn(width=200),
                "placed": st.column_config.TextColumn(width=64),
                "text": st.column_config.TextColumn(width=480),
            },
        )
    with st.expander("The answer as it came", icon=":material/data_object:"):
        st.code(outcome.raw, language=None, wrap_lines=True, height=300)
