"""Runs that were taken out, with the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import tables
from ragdebug.ui.questions import doing
from ragdebug.ui.results import words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

UNDO = "_results_undo"


def take_out(wb: Workbench, ids: Sequence[str]) -> bool:
    """Take runs out, and remember what this session took out last. True, since it was done."""
    wb.remove_runs(ids)
    st.session_state[UNDO] = list(ids)
    return True


def _put_back(wb: Workbench, ids: Sequence[str]) -> None:
    wb.restore_runs(ids)
    st.session_state.pop(UNDO, None)


def _close() -> None:
    st.session_state.pop(UNDO, None)


def undo(wb: Workbench) -> None:
    """A line with the way back."""
    ids = st.session_state.get(UNDO)
    if not ids:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small",
                      key="results_undo"):  # fmt: skip
        many = f"{len(ids):,} runs are" if len(ids) > 1 else "One run is"
        st.markdown(f"{many} taken out.", width="content")
        st.button(
            "Undo",
            icon=":material/undo:",
            key="results_undo_button",
            on_click=doing.attempt,
            args=(_put_back, wb, ids),
        )
        st.button(
            "Close",
            type="tertiary",
            icon=":material/close:",
            key="results_undo_close",
            on_click=_close,
        )


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
        st.button(
            "Put back",
            icon=":material/undo:",
            disabled=not chosen,
            key="results_restore",
            on_click=doing.attempt,
            args=(_put_back, wb, chosen),
        )
