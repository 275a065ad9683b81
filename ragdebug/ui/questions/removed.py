"""Questions that were taken out, to be brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.settings import fingerprint
from ragdebug.ui import tables
from ragdebug.ui.questions import doing, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST = 2000


def draw(wb: Workbench) -> None:
    """A drawer with all of them."""
    gone = wb.questions(removed=True)
    if not gone:
        return
    with st.expander(f"Taken out · {len(gone):,}", icon=":material/inventory_2:"):
        rows = gone[:MOST]
        key = f"_questions_removed_{fingerprint([q.id for q in rows])[:12]}"
        event = st.dataframe(
            [{"question": " ".join(q.text.split()), "state": words.STATES[q.state]} for q in rows],
            key=key,
            on_select="rerun",
            selection_mode="multi-row",
            hide_index=True,
            height=tables.height(len(rows), 250),
        )
        chosen = [rows[r].id for r in event.selection.rows if r < len(rows)]
        st.button(
            "Bring back",
            icon=":material/undo:",
            disabled=not chosen,
            key="questions_restore",
            on_click=doing.attempt,
            args=(wb.restore_questions, chosen),
        )
        if not chosen:
            st.caption("Tick what to bring back.")
