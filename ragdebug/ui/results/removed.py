"""Runs that were taken out, with the way back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import tables
from ragdebug.ui.results import words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

UNDO = "_results_undo"


def note(ids: Iterable[str]) -> None:
    """Remember what this session took out last."""
    st.session_state[UNDO] = list(ids)


def undo(wb: Workbench) -> None:
    """A line with the way back."""
    ids = st.session_state.get(UNDO)
    if not ids:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small",
                      key="results_undo"):  # fmt: skip
        many = f"{len(ids):,} runs are" if len(ids) > 1 else "One run is"
        st.markdown(f"{many} taken out.", width="content")
        if st.button("Undo", icon=":material/undo:", key="results_undo_button"):
            del st.session_state[UNDO]
            wb.restore_runs(ids)
            st.rerun()
        if st.button("Close", type="tertiary", icon=":material/close:", key="results_undo_close"):
            del st.session_state[UNDO]
            st.rerun()


def draw(wb: Workbench) -> None:
    """All that were taken out, in a drawer."""
    gone = wb.runs(removed=True)
    if not gone:
        return
    with st.expander(f"Runs taken out · {len(gone):,}", icon=":material/inventory_2:"):
        event = st.dataframe(
            [
                {"run": r.id, "strategy": r.label or r.strategy, "made (UTC)": words.when(r),
                 "note": r.note}
                for r in gone
            ],
            key=f"_results_removed_{len(gone)}_{gone[0].id}",
            on_select="rerun",
            selection_mode="multi-row",
            hide_index=True,
            height=tables.height(len(gone), 250),
        )  # fmt: skip
        chosen = [gone[row].id for row in event.selection.rows if row < len(gone)]
        if st.button("Put back", icon=":material/undo:", disabled=not chosen,
                     key="results_restore"):  # fmt: skip
            wb.restore_runs(chosen)
            st.session_state.pop(UNDO, None)
            st.rerun()
