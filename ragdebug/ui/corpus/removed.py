"""Documents that were taken out: brought back, or deleted for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import DocumentInfo
from ragdebug.settings import fingerprint
from ragdebug.ui import literal, tables
from ragdebug.ui.corpus.actions import UNDO

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST = 2000
_PURGED = "_corpus_purged"


def undo(wb: Workbench) -> None:
    """What this session took out last, with the way back."""
    ids = st.session_state.get(UNDO)
    if not ids:
        return
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", gap="small", key="corpus_undo"
    ):
        many = f"{len(ids):,} documents are" if len(ids) > 1 else "One document is"
        st.markdown(f"{many} out of every index.", width="content")
        if st.button("Undo", icon=":material/undo:", key="corpus_undo_button"):
            del st.session_state[UNDO]
            wb.restore(ids)
            st.rerun()
        if st.button("Close", type="tertiary", icon=":material/close:", key="corpus_undo_close"):
            del st.session_state[UNDO]
            st.rerun()


def draw(wb: Workbench) -> None:
    """All that was taken out, in a drawer."""
    if lines := st.session_state.pop(_PURGED, ()):
        literal.note("Deleted for good, but: " + " ".join(lines))
    gone = wb.documents(removed=True)
    if not gone:
        return
    with st.expander(f"Taken out · {len(gone):,}", icon=":material/inventory_2:"):
        chosen = _choose(gone[:MOST])
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button(
                "Bring back", icon=":material/undo:", disabled=not chosen, key="corpus_restore"
            ):
                wb.restore([d.id for d in chosen])
                st.session_state.pop(UNDO, None)
                st.rerun()
            with st.popover(
                "Delete for good", icon=":material/delete_forever:", disabled=not chosen
            ):
                _purge(wb, chosen)
            if not chosen:
                st.caption("Tick what to bring back or to delete.")


def _choose(gone: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    key = f"_corpus_removed_{fingerprint([d.id for d in gone])[:12]}"
    event = st.dataframe(
        [{"document": d.source, "kind": d.kind, "characters": d.chars} for d in gone],
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        height=tables.height(len(gone), 250),
    )
    return [gone[r] for r in event.selection.rows if r < len(gone)]


def _purge(wb: Workbench, chosen: Sequence[DocumentInfo]) -> None:
    names = (
        literal.plain(chosen[0].source, 80) if len(chosen) == 1 else f"{len(chosen):,} documents"
    )
    st.markdown(
        f"**{names}**: text, chunks, vectors, scores and upload are deleted. "
        "**There is no way back.**"
    )
    if st.button("Delete", type="primary", key="corpus_purge"):
        try:
            report = wb.purge([d.id for d in chosen])
        except RagDebugError as error:
            literal.problem(error)
            return
        st.session_state[_PURGED] = (*report.quoted_by, *report.remains)
        st.session_state.pop(UNDO, None)
        st.rerun()
