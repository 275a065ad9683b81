"""A page as it looks, for a person to see words on it that its text lacks, and to give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Document
from ragdebug.ui import literal, pasting
from ragdebug.ui.trace.choose import Chosen
from ragdebug.workbench.tracing.reports import PlaceTrace

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

WIDTH_PX = 900
_PAGE = "_trace_page"


def draw(wb: Workbench, chosen: Chosen, trace: PlaceTrace) -> None:
    """Draw a page of the document that is named, where it is a PDF."""
    document = _document(wb, trace.place.source)
    if document is None or document.parsed.kind != "pdf":
        st.caption("There is no text to show: the passage stands nowhere in the corpus.")
        return
    unknown = dict(trace.facts.get("pages_unknown", {})).get(document.source, [])
    first = int(trace.facts.get("page") or next(iter(unknown), 1))
    pages = len(document.parsed.pages)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        page = int(
            st.number_input(
                "Page", 1, pages, min(first, pages), key=_PAGE, label_visibility="collapsed",
                width=130,
            )
        )  # fmt: skip
        literal.small(f"of {pages:,} of {document.source}")
        if chosen.question.id and trace.stage == "not_in_corpus":
            st.button(
                "I see it on this page",
                icon=":material/visibility:",
                key="trace_seen",
                on_click=_seen,
                args=(wb, chosen.question.id, trace.place.quote, document.source, page),
                help="The text of the page lacks it: it was lost when the file was read.",
            )
    if problem := st.session_state.pop("_trace_problem", None):
        literal.problem(problem)
    image = wb.page_image(document.id, page, WIDTH_PX)
    if image is None:
        st.caption("The original file is no longer there, so that the page cannot be drawn.")
    else:
        st.image(image, width="stretch")
    pasting.draw(wb, document, page, "trace_pasting")


def _document(wb: Workbench, source: str) -> Document | None:
    try:
        return wb.document(wb.resolve(source).id) if source else None
    except RagDebugError:
        return None


def _seen(wb: Workbench, question: str, quote: str, source: str, page: int) -> None:
    try:
        wb.seen_on_page(question, quote, source, page)
    except RagDebugError as error:
        st.session_state["_trace_problem"] = error
