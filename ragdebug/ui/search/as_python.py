"""A column's strategy as plain Python, to run without this program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.filling import Filled

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def draw(wb: Workbench, filled: Filled) -> None:
    """Choose a column, and take it along as a zip with a script and its chunks."""
    columns = {c.name: c for c in filled.columns if c.name in filled.lists}
    st.caption("A list as plain Python with its chunks: the same hits without this program:")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "List",
            list(columns),
            format_func=lambda one: columns[one].short,
            key="search_python_of",
            label_visibility="collapsed",
            width=160,
        )
        chosen = columns[name]
        why = _why_not(wb, filled, chosen)
        st.download_button(
            "Python",
            data=lambda: wb.plain_python(chosen.strategy).zip(),
            file_name=f"{name}.zip",
            mime="application/zip",
            icon=":material/code:",
            on_click="ignore",
            key="search_python",
            disabled=bool(why),
            help="search.py, a few dozen lines with faiss, bm25s and sentence-transformers, and "
            "chunks.jsonl. The texts of all chunks are in it.",
        )
    if why:
        literal.small(why)


def _why_not(wb: Workbench, filled: Filled, column: Column) -> str:
    """Why there is nothing to take along, "" where there is."""
    found = filled.lists[column.name]
    if found.error or not found.total or not found.allowed:
        return found.error or "There is no chunk in it."
    if found.trace.indexed < 1:
        return "It is not fully indexed yet."
    return wb.no_plain_python(column.strategy)
