"""One chunk: what is shown of it, what is indexed of it, and how long that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.chunks import drawing
from ragdebug.ui.chunks.numbers import NAMES
from ragdebug.ui.components.passage import Mark, passage

if TYPE_CHECKING:
    from ragdebug.workbench.chunking import DocumentReport


def draw(report: DocumentReport) -> None:
    """The chunk that is open, with the ones before and after it a click away."""
    row = drawing.selected_row(report)
    if row is None:
        st.caption("Click a chunk in the text to see what is embedded and indexed of it.")
        return
    chunk, tokens = report.chunks[row], report.tokens[row]
    with st.container(border=True):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            st.markdown(f"**Chunk {row + 1} of {len(report.chunks)}**", width="content")
            with st.container(horizontal=True, width="content", gap="xsmall"):
                for label, step, icon in (
                    ("Earlier", -1, ":material/chevron_left:"),
                    ("Later", 1, ":material/chevron_right:"),
                ):
                    st.button(
                        label,
                        key=f"_chunk_step_{step}",
                        icon=icon,
                        type="tertiary",
                        disabled=not 0 <= row + step < len(report.chunks),
                        on_click=drawing.open_row,
                        args=(report, row + step),
                    )
        window = f" of {report.window}" if report.window else ""
        parts = [
            f"characters {chunk.start:,} to {chunk.end:,}",
            f"size {chunk.size}",
            f"{tokens}{window} tokens with label",
        ]
        if chunk.page:
            parts.append(f"page {chunk.page}")
        literal.small(" · ".join(parts))
        for name, title in NAMES.items():
            if row in report.rows(name):
                st.caption(f":orange[:material/warning: {title}]")
        st.caption("What is embedded and indexed")
        extra = len(chunk.index_text) - len(chunk.text)
        marks = [Mark(0, extra, "label")] if extra > 0 else []
        passage(chunk.index_text, key="chunk_index_text", marks=marks, small=True, height=320)
        literal.small(f"id {chunk.id}")
