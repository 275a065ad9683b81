"""The runs that are drawn as one file to hand on."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import state
from ragdebug.ui.results.view import View
from ragdebug.ui.state import Key


def button(view: View) -> None:
    """A button that gives the report."""
    if not view.drawn:
        return
    base = state.peek(Key.BASE)

    def made() -> bytes:
        chosen = base if base in view.ids else ""
        return view.wb.runs_html(view.ids, view.measure, chosen, view.share, view.tag)

    st.download_button(
        "Report",
        data=made,
        file_name="results.html",
        mime="text/html",
        icon=":material/description:",
        type="tertiary",
        on_click="ignore",
        key="results_report",
        help="These runs, their curves and comparisons as one file that opens by itself. It quotes "
        "no question and no document.",
    )
