"""One document, without a search: its text, its pages, its structure, what was noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Document, DocumentInfo
from ragdebug.table import page_at
from ragdebug.ui import literal, state
from ragdebug.ui.components.document_view import Layers, document_view
from ragdebug.ui.state import Key, PlaceRef

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

IMAGE_WIDTH_PX = 1000


def draw(wb: Workbench, document: str) -> None:
    """Show a document; a link to one that is gone says so."""
    try:
        info = wb.info(document)
        version = state.url_value(Key.VERSION, "", check=state.short_text)
        found = wb.document(document, version)
    except RagDebugError as error:
        literal.problem(error)
        return
    at = state.url_value(Key.AT, "", check=_position)
    st.divider()
    _head(wb, info, found)
    pictures = found.parsed.kind == "pdf" and bool(found.parsed.pages)
    left, right = st.columns([3, 2], gap="medium") if pictures else (st.container(), None)
    with left:
        focus = None if at is None else (min(at, len(found.text)), min(at, len(found.text)))
        document_view(
            found.text,
            key="corpus_document",
            layers=Layers(pages=found.parsed.pages),
            focus=focus,
            height=620,
            mono=found.parsed.kind in ("code", "table", "json"),
            mark_label="Expect this passage",
            token=found.version,
            on_mark=lambda start, end: _expect(found, start, end),
        )
        _marked(found)
    if right is not None:
        with right:
            _picture(wb, found, at or 0)


def _position(text: str) -> int | None:
    return state.whole_number(0, 10**9)(text) if text else None


def _head(wb: Workbench, info: DocumentInfo, found: Document) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(literal.plain(info.title or info.source, 100), anchor=False, width="content")
        state.link_to_chunks("Chunks", info.id)
    parts = [info.source] if info.title else []
    parts += [
        info.kind,
        f"{info.chars:,} characters",
        f"{info.tokens:,} tokens",
        f"language {info.language or 'unknown'}",
        f"version {found.version[:8]}",
    ]
    if info.pages:
        parts.append(f"{info.pages:,} pages")
    literal.small(" · ".join(parts))
    if info.error:
        literal.note(f"It could not be read again: {info.error}", info.hint)
    for w in info.warnings[:8]:
        literal.note(w.message)
    if len(info.warnings) > 8:
        st.caption(f"and {len(info.warnings) - 8} more notes")
    with st.expander("Sections and metadata"):
        sections, metadata = st.columns(2)
        with sections:
            _sections(found)
        with metadata:
            values = {"id": info.id, **info.metadata}
            st.dataframe([{"key": k, "value": v} for k, v in values.items()], hide_index=True)


def _sections(found: Document) -> None:
    if not found.parsed.sections:
        st.caption("No headings were found.")
        return
    rows = [
        {"section": "\u2003" * (s.level - 1) + (s.title or "(untitled)"), "at": s.start}
        for s in found.parsed.sections[:2000]
    ]
    event = st.dataframe(
        rows,
        key=f"_sections_{found.id}_{found.version[:8]}",
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        height=min(40 + 35 * len(rows), 300),
    )
    if event.selection.rows:
        start = str(rows[event.selection.rows[0]]["at"])
        if state.peek(Key.AT) != start:
            state.put(Key.AT, start)
            st.rerun()


def _expect(found: Document, start: int, end: int) -> None:
    st.session_state["_corpus_marked"] = (found.id, found.version, start, end)


def _marked(found: Document) -> None:
    """The passage that was just marked, with the way to search for it."""
    marked = st.session_state.get("_corpus_marked")
    if marked is None or marked[:2] != (found.id, found.version):
        return
    start, end = marked[2:]
    with st.container(border=True):
        st.caption(f"Marked: characters {start:,} to {end:,}")
        literal.text(literal.one_line(found.text[start:end], 400))
        with st.form("corpus_expect", border=False), st.container(horizontal=True):
            query = st.text_input(
                "Query",
                placeholder="The question that this passage answers",
                label_visibility="collapsed",
            )
            go = st.form_submit_button("Search for it", type="primary")
        if go and query.strip():
            state.go_to_search(query.strip(), [PlaceRef(found.id, found.version, start, end)])


def _picture(wb: Workbench, found: Document, at: int) -> None:
    """The page as it looks, beside what was read from it."""
    pages = found.parsed.pages
    here = page_at(pages, at)
    number = st.number_input(
        f"Page of {len(pages):,}",
        1,
        len(pages),
        here.number if here else 1,
        key=f"_page_{found.id}_{at}",
        help="Sheets are counted from 1; the printed label stands beside it.",
    )
    page = pages[int(number) - 1]
    if page.label and page.label != str(page.number):
        literal.small(f"printed label: {page.label}")
    if st.button("Show this page's text", icon=":material/arrow_back:", type="tertiary"):
        state.put(Key.AT, str(page.start))
        st.rerun()
    try:
        image = wb.page_image(found.id, page.number, IMAGE_WIDTH_PX)
    except RagDebugError as error:
        literal.problem(error)
        return
    if image is None:
        st.caption("The original file is no longer there, so that the page cannot be drawn.")
        return
    st.image(image, width="stretch")
