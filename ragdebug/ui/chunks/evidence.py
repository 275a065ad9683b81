"""The expected passage, drawn on the document: a cut inside it is the one that loses an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Document
from ragdebug.ui import literal, state
from ragdebug.ui.state import Key, PlaceRef

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

Spans = Sequence[tuple[int, int]]


def read(wb: Workbench, document: Document) -> list[tuple[int, int]]:
    """Spans of the expected passages that stand in this document. Call once a run."""
    refs = state.url_value(Key.EXPECT, "", check=state.place_refs)
    spans = []
    for ref in refs:
        if ref.document != document.id:
            continue
        try:
            place, _ = wb.follow_place(ref.document, ref.version, ref.start, ref.end, ref.region)
        except RagDebugError as error:
            literal.note(error.message, error.hint)
        else:
            spans.append((place.start, place.end))
    return spans


def expect(wb: Workbench, document: Document) -> Callable[[int, int], None]:
    """A callback that takes a marked passage as the expected one."""

    def take(start: int, end: int) -> None:
        place = wb.place(document.id, start, end)
        state.put(Key.EXPECT, str(PlaceRef(place.document, place.version, start, end)))

    return take


def line(spans: Spans) -> None:
    """What is expected, with the way to search for it and to forget it."""
    if not spans:
        return
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="chunks_expected"
    ):
        st.markdown(
            ":material/star: The expected passage is drawn on the text; a cut inside it is red.",
            width="content",
        )
        st.page_link(
            state.SEARCH,
            label="Search",
            icon=":material/search:",
            query_params=state.search_params(
                str(st.session_state.get(Key.QUERY) or ""), state.place_refs(state.peek(Key.EXPECT))
            ),
        )
        st.button(
            "Forget it",
            type="tertiary",
            icon=":material/close:",
            key="chunks_forget",
            on_click=state.put,
            args=(Key.EXPECT, ""),
        )
