"""The page of a PDF as it looks, beside what was read from it; each follows the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Document
from ragdebug.table import page_at
from ragdebug.ui import literal, pasting, state
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

WIDTH_PX = 1100
_FIELD = "_corpus_page"
_PLACE = "_corpus_page_of"  # the text and place that the page was last taken from


def follow(found: Document, number: int) -> None:
    """Show the page that reading has come to. For callbacks."""
    now = st.session_state.get(_FIELD, 1)
    pages = found.parsed.pages
    if not (1 <= number <= len(pages) and 1 <= now <= len(pages)):
        return
    # Pages without text begin where their neighbours do: the one that was chosen stays.
    if abs(pages[number - 1].start - pages[now - 1].start) > 2:
        st.session_state[_FIELD] = number


def draw(wb: Workbench, found: Document, at: int | None, height: int) -> None:
    """Draw the page, with a field to turn to another one."""
    pages = found.parsed.pages
    place = (found.id, found.version, at)
    if st.session_state.get(_PLACE) != place:
        st.session_state[_PLACE] = place
        here = page_at(pages, at or 0)
        st.session_state[_FIELD] = here.number if here else 1
    st.session_state[_FIELD] = min(max(1, st.session_state.get(_FIELD, 1)), len(pages))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        number = st.number_input(
            "Page",
            1,
            len(pages),
            key=_FIELD,
            label_visibility="collapsed",
            width=130,
            on_change=_turned,
            args=(found,),
        )
        page = pages[int(number) - 1]
        label = f" · printed {page.label}" if page.label not in ("", str(page.number)) else ""
        literal.small(f"of {len(pages):,}{label}")
    with st.container(height=height - 56, border=True, key="corpus_picture"):
        try:
            image = wb.page_image(found.id, page.number, WIDTH_PX)
        except RagDebugError as error:
            literal.problem(error)
            return
        if image is None:
            st.caption("The original file is no longer there, so that the page cannot be drawn.")
        else:
            st.image(image, width="stretch")
    pasting.draw(wb, found, page.number, "corpus_pasting")


def _turned(found: Document) -> None:
    """The field was changed: the text goes to that page."""
    number = int(st.session_state[_FIELD])
    start = found.parsed.pages[number - 1].start
    state.put(Key.AT, str(start))
    st.session_state[_PLACE] = (found.id, found.version, start)
