"""One chunk: what is shown of it, what is indexed of it, and how long that is."""

from __future__ import annotations

import streamlit as st

from ragdebug.records import Chunk
from ragdebug.ui import literal
from ragdebug.ui.chunks.drawing import NAMES, Selected, open_chunk, open_row
from ragdebug.ui.components.passage import Mark, passage


def draw(chosen: Selected | None, several: bool) -> None:
    """The chunk that is open, with the ones before and after it a click away."""
    if chosen is None:
        st.caption("Click a chunk in the text to see what is embedded and indexed of it.")
        return
    report, row, chunk = chosen.cut.report, chosen.row, chosen.chunk
    with st.container(border=True, gap="small", key="chunks_detail"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            name = f" of {chosen.cut.name}" if several else ""
            st.markdown(
                f"**Chunk {row + 1:,}**{name} :gray[of {len(report.chunks):,}]", width="content"
            )
            with st.container(horizontal=True, width="content", gap="small"):
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
                        on_click=open_row,
                        args=(chosen.cut, row + step),
                    )
                st.button(
                    "",
                    key="_chunk_close",
                    icon=":material/close:",
                    type="tertiary",
                    help="Close",
                    on_click=open_chunk,
                    args=("",),
                )
        window = f" of {report.window:,}" if report.window else ""
        parts = [
            f"{report.tokens[row]:,}{window} tokens with label",
            f"{chunk.size:,} {chosen.cut.settings.unit} of its own",
            f"characters {chunk.start:,} to {chunk.end:,}" if chunk.placed else "not placed",
        ]
        if chunk.page:
            parts.append(f"page {chunk.page_label or chunk.page}")
        literal.small(" · ".join(parts))
        warned = [title for name, title in NAMES.items() if row in report.rows(name)]
        if warned:
            st.markdown(f":orange[:material/warning: {' · '.join(warned)}]")
        st.caption("What is embedded and indexed; grey is not the chunk's own text")
        passage(
            chunk.index_text,
            key="chunk_index_text",
            marks=labels(chunk),
            small=True,
            height=300,
        )
        literal.small(f"id {chunk.id}")


def labels(chunk: Chunk) -> list[Mark]:
    """What stands before the text in the index text: the section path, a table's header."""
    before = "\n".join(part for part in (chunk.label, chunk.context) if part)
    return [Mark(0, len(before), "label")] if before and chunk.index_text.startswith(before) else []
