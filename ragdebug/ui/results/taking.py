"""What can be done with the runs that are drawn: take them along, or out."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdebug.counting import many
from ragdebug.runs import Run
from ragdebug.ui.questions import doing
from ragdebug.ui.results import removed, view
from ragdebug.ui.results.view import View

FORMATS = {"CSV": "csv", "Parquet": "parquet"}


def buttons(v: View) -> None:
    """Two buttons with what they need."""
    ticked = many(len(v.drawn), "ticked run")
    with st.popover("Export", icon=":material/download:", type="tertiary", key="results_export"):
        st.caption(f"The {ticked}: settings, questions, hits and measures, a file each, in a zip.")
        chosen = st.segmented_control(
            "Format", list(FORMATS), default="CSV", required=True, key="_results_format",
            label_visibility="collapsed",
        )  # fmt: skip
        texts = st.toggle(
            "With texts",
            key="_results_texts",
            help="Texts of questions, quotes, hits and notes. Without them the files hold ids and "
            "numbers, and the names of files.",
        )
        st.download_button(
            "Download",
            data=lambda: v.wb.run_archive(v.ids, FORMATS[chosen or "CSV"], bool(texts)),
            file_name="runs.zip",
            mime="application/zip",
            type="primary",
            icon=":material/download:",
            on_click="ignore",
            key="results_export_file",
        )
    st.button(
        "Take out",
        icon=":material/remove_circle:",
        type="tertiary",
        key="results_take_out",
        help=f"The {ticked}. They can be put back.",
        on_click=_take_out,
        args=(v, v.drawn),
        disabled=not v.drawn,
    )


def _take_out(v: View, runs: Sequence[Run]) -> None:
    ids = [r.id for r in runs]
    if doing.attempt(removed.take_out, v.wb, ids):
        view.draw([])
