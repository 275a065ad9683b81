"""Three ways to say which passage is expected: a quote, a mark in the text, a page or section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import DocumentInfo, Place
from ragdebug.ui import literal
from ragdebug.ui.components.document_view import Layers, document_view
from ragdebug.ui.search import expected

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_OPEN = "_search_expect_open"
_FOUND = "_search_expect_found"
MOST_CHOICES = 20
CONTEXT_CHARS = 40


def ask() -> None:
    """Open the dialog with this run. For callbacks."""
    st.session_state[_OPEN] = True
    st.session_state.pop(_FOUND, None)


def _dismissed() -> None:
    st.session_state[_OPEN] = False


def show(wb: Workbench, now: Sequence[Place]) -> None:
    """Draw the dialog while it is open. Call once a run."""
    if st.session_state.get(_OPEN):
        _dialog(wb, now)


@st.dialog("Expected passage", width="large", icon=":material/star:", on_dismiss=_dismissed)
def _dialog(wb: Workbench, now: Sequence[Place]) -> None:
    infos = [d for d in wb.documents() if d.version]
    quote, mark, region = st.tabs(["Paste a quote", "Mark it in the text", "Page or section"])
    with quote:
        _quote(wb, infos)
    with mark:
        _mark(wb, infos, now)
    with region:
        _region(wb, infos)


def _take(places: Sequence[Place]) -> None:
    expected.expect(places)
    st.session_state[_OPEN] = False
    st.session_state.pop(_FOUND, None)
    st.rerun()


def _quote(wb: Workbench, infos: Sequence[DocumentInfo]) -> None:
    with st.form("search_quote", border=False):
        text = st.text_area(
            "Quote",
            height=110,
            placeholder="Paste the sentence that answers the question",
            help="Looked for exactly first, then with blanks, case and typography folded.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            only = st.selectbox(
                "Only in",
                infos,
                index=None,
                format_func=lambda d: d.source,
                key="_expect_quote_document",
                placeholder="all documents",
                width=360,
            )
            asked = st.form_submit_button("Find it", type="primary", icon=":material/search:")
    if asked:
        st.session_state.pop(_FOUND, None)
        try:
            found = wb.find_quote(text, only.source if only else "") if text.strip() else ()
        except RagDebugError as error:
            literal.problem(error)
            return
        if len(found) == 1:
            _take(found)
        st.session_state[_FOUND] = found
    found = st.session_state.get(_FOUND, ())
    if not found:
        return
    st.caption(f"It stands in {len(found)} places. Any of them that you leave chosen counts.")
    with st.container(height=min(300, 20 + 40 * len(found)), border=False, gap="xsmall"):
        chosen = [
            p
            for i, p in enumerate(found[:MOST_CHOICES])
            if st.checkbox(
                f"{literal.plain(p.source, 60)} · {p.start:,}–{p.end:,} "
                f":gray[{literal.plain(_around(wb, p), 120)}]",
                True,
                key=f"_found_{i}",
            )
        ]
    if len(found) > MOST_CHOICES:
        st.caption(f"The first {MOST_CHOICES} of {len(found)} can be chosen here.")
    if st.button("Expect these", type="primary", disabled=not chosen):
        _take(chosen)


def _around(wb: Workbench, place: Place) -> str:
    """A place with some words before and after it, which tell it from others."""
    text = wb.document(place.document, place.version).text
    start, end = max(0, place.start - CONTEXT_CHARS), min(len(text), place.end + CONTEXT_CHARS)
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _document(infos: Sequence[DocumentInfo], key: str) -> DocumentInfo | None:
    return st.selectbox(
        "Document",
        infos,
        index=None,
        format_func=lambda d: d.source,
        key=key,
        placeholder="Choose a document",
    )


def _mark(wb: Workbench, infos: Sequence[DocumentInfo], now: Sequence[Place]) -> None:
    info = _document(infos, "_expect_mark_document")
    if info is None:
        return
    found = wb.document(info.id)

    def marked(start: int, end: int) -> None:
        expected.expect([wb.place(info.id, start, end)])
        st.session_state[_OPEN] = False

    document_view(
        found.text,
        key="search_mark",
        layers=Layers(
            evidence=[(p.start, p.end) for p in now if p.document == info.id],
            pages=found.parsed.pages,
        ),
        height=440,
        mono=found.parsed.kind in ("code", "table", "json"),
        mark_label="Expect this passage",
        token=found.version,
        on_mark=marked,
    )


def _region(wb: Workbench, infos: Sequence[DocumentInfo]) -> None:
    info = _document(infos, "_expect_region_document")
    if info is None:
        return
    parsed = wb.document(info.id).parsed
    st.caption("Any chunk that shares more than half with it then counts.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if parsed.pages:
            page = st.number_input(
                f"Sheet of {len(parsed.pages):,}",
                1,
                len(parsed.pages),
                key="_expect_page",
                width=150,
            )
            if st.button("Expect this page"):
                on = next(p for p in parsed.pages if p.number == page)
                _take([_place(wb, info, on.start, on.end, f"page {page}")])
        if st.button("Expect the whole document"):
            _take([_place(wb, info, 0, info.chars, "whole document")])
    if parsed.sections:
        section = st.selectbox(
            "Section",
            parsed.sections,
            index=None,
            format_func=lambda s: "\u2003" * (s.level - 1) + (s.title or "(untitled)"),
            key="_expect_section",
            placeholder="Choose a section",
        )
        if section is not None and st.button("Expect this section"):
            name = f"section {literal.one_line(section.title, 60)}".replace(",", " ")
            _take([_place(wb, info, section.start, section.end, name)])


def _place(wb: Workbench, info: DocumentInfo, start: int, end: int, region: str) -> Place:
    place, _ = wb.follow_place(info.id, info.version, start, end, region)
    return place
