"""A better text of a page, beside its picture: read, corrected, taken; the file stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Document
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_PROBLEM = "_pasting_problem"


def draw(wb: Workbench, found: Document, number: int, key: str) -> None:
    """Draw the field behind a drawer; call with the present version of a document that has pages.

    Args:
        wb: the workspace.
        found: the document.
        number: of the page that is looked at.
        key: of the widgets.
    """
    pasted = number in wb.pasted_pages(found.id)
    page = found.parsed.pages[number - 1]
    now = found.text[page.start : page.end].strip()
    name = f"{key}_text_{found.version}_{number}"
    title = f"The text of page {number}" + (", as somebody pasted it" if pasted else "")
    with st.expander(title, icon=":material/edit_note:", key=f"{key}_drawer"):
        text = st.text_area(
            "Text of the page",
            now,
            height=220,
            key=name,
            label_visibility="collapsed",
            placeholder="This page has no text. Paste or type what stands on it.",
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                "Use this text",
                key=f"{key}_use",
                disabled=not text.strip() or text.strip() == now,
                on_click=_paste,
                args=(wb, found.id, number, name),
                help="It is searched from now on; chunks of this document are made anew.",
            )
            if pasted:
                st.button(
                    "Back to what was read",
                    key=f"{key}_back",
                    on_click=_paste,
                    args=(wb, found.id, number, ""),
                )
            st.caption("For all who use this workspace. The file and its own text are kept.")
    if problem := st.session_state.pop(_PROBLEM, None):
        literal.problem(problem)


def _paste(wb: Workbench, document: str, number: int, name: str) -> None:
    try:
        wb.paste_page(document, number, str(st.session_state.get(name, "")) if name else "")
    except RagDebugError as error:
        st.session_state[_PROBLEM] = error
