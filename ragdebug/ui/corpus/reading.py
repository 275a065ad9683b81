"""One document, without a search: its text, its pages, its structure, what was noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.records import Document, DocumentInfo
from ragdebug.ui import literal, state, tables
from ragdebug.ui.components.document_view import Layers, document_view
from ragdebug.ui.corpus import actions, listing, picture
from ragdebug.ui.state import Key, PlaceRef

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

HEIGHT_PX = 640
NOTES = 3  # notes shown by themselves; the others wait in a drawer
_MARKED = "_corpus_marked"


def draw(wb: Workbench, document: str) -> None:
    """Show a document; a link to one that is gone says so."""
    version = state.url_value(Key.VERSION, "", check=state.short_text)
    at = state.url_value(Key.AT, "", check=position)
    try:
        info = wb.info(document)
        found = wb.document(document, version)
    except RagDebugError as error:
        literal.problem(error)
        st.button("Close", on_click=listing.open_document, args=("",), key="corpus_close")
        return
    _head(wb, info, found)
    # Old versions have no picture: the file that is kept is the present one.
    pictures = found.parsed.kind == "pdf" and found.parsed.pages and found.version == info.version
    left, right = st.columns([3, 2], gap="medium") if pictures else (st.container(), None)
    place = None if at is None else min(at, len(found.text))
    with left:
        document_view(
            found.text,
            key="corpus_document",
            layers=Layers(pages=found.parsed.pages, evidence=_evidence(found)),
            focus=None if place is None else (place, place),
            height=HEIGHT_PX,
            mono=found.parsed.kind in ("code", "table", "json"),
            mark_label="Expect this passage",
            token=found.version,
            on_mark=lambda start, end: _mark(found, start, end),
            on_page=(lambda number: picture.follow(found, number)) if pictures else None,
        )
    if right is not None:
        with right:
            picture.draw(wb, found, place, HEIGHT_PX)
    _marked(found)


def position(text: str) -> int | None:
    """A check for a position in a text; None for none."""
    return state.whole_number(0, 10**9)(text) if text else None


def _head(wb: Workbench, info: DocumentInfo, found: Document) -> None:
    with st.container(border=True, gap="xsmall", key="corpus_reader_head"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            st.subheader(
                literal.plain(info.title or info.source, 60), anchor=False, width="content"
            )
            with st.container(
                horizontal=True, width="content", gap="small", vertical_alignment="center"
            ):
                state.link_to_chunks("Chunks", info.id)
                actions.buttons(wb, [info], "open")
                st.button(
                    "Close",
                    type="tertiary",
                    icon=":material/close:",
                    key="corpus_close",
                    on_click=listing.open_document,
                    args=("",),
                )
        parts = [info.source] if info.title else []
        parts += [
            info.kind,
            f"{len(found.text):,} characters",
            f"{info.tokens:,} tokens",
            f"language {info.language or 'unknown'}",
        ]
        if found.parsed.pages:
            pages = len(found.parsed.pages)
            parts.append(many(pages, "page"))
        parts.append(f"version {found.version[:8]}")
        literal.small(" · ".join(parts))
        if found.version != info.version:
            literal.note("This is an earlier version of the document.")
        if info.error:
            literal.note(f"It could not be read again: {info.error}", info.hint)
        for w in info.warnings[:NOTES]:
            literal.note(w.message)
        if more := info.warnings[NOTES:]:
            with st.expander(f"{len(more)} more notes", icon=":material/warning:"):
                for w in more[:200]:
                    literal.small(w.message)
        with st.expander("Sections and metadata", icon=":material/toc:", key="corpus_structure"):
            sections, metadata = st.columns([3, 2])
            with sections:
                _sections(found)
            with metadata:
                values = {"id": info.id, "version": found.version, **info.metadata}
                st.dataframe(
                    [{"key": k, "value": v} for k, v in values.items()],
                    hide_index=True,
                    height=tables.height(len(values), 300),
                )


def _sections(found: Document) -> None:
    if not found.parsed.sections:
        st.caption("No headings were found.")
        return
    starts = [s.start for s in found.parsed.sections[:5000]]
    key = f"_sections_{found.id}_{found.version[:8]}"

    def chosen() -> None:
        if rows := st.session_state[key]["selection"]["rows"]:
            state.put(Key.AT, str(starts[rows[0]]))

    st.dataframe(
        [
            {"section": "\u2003" * (s.level - 1) + (s.title or "(untitled)"), "at": s.start}
            for s in found.parsed.sections[:5000]
        ],
        key=key,
        on_select=chosen,
        selection_mode="single-row",
        hide_index=True,
        height=tables.height(len(starts), 300),
        column_config={
            "section": st.column_config.TextColumn(width="large"),
            "at": st.column_config.NumberColumn(format="localized", width="small"),
        },
    )


def _mark(found: Document, start: int, end: int) -> None:
    st.session_state[_MARKED] = (found.id, found.version, start, end)


def _evidence(found: Document) -> list[tuple[int, int]]:
    """The passage that was just marked, to be seen in the text while it is asked about."""
    marked = st.session_state.get(_MARKED)
    return [marked[2:]] if marked is not None and marked[:2] == (found.id, found.version) else []


def _marked(found: Document) -> None:
    """Ask which question the passage answers; a dialog, since the text fills the window."""
    if spans := _evidence(found):
        _ask(found, *spans[0])


def _forget() -> None:
    st.session_state.pop(_MARKED, None)


@st.dialog("Expected passage", icon=":material/star:", on_dismiss=_forget)
def _ask(found: Document, start: int, end: int) -> None:
    literal.small(f"{found.source} · characters {start:,} to {end:,}")
    literal.text(f"“{literal.one_line(found.text[start:end], 400)}”")
    with st.form("corpus_expect", border=False):
        query = st.text_input(
            "The question that this passage answers",
            placeholder="What would a user ask?",
            value=state.peek(Key.QUERY) or str(st.session_state.get(Key.QUERY, "") or ""),
        )
        go = st.form_submit_button(
            "Search for it", type="primary", icon=":material/search:", key="corpus_search_for"
        )
    if go and query.strip():
        _forget()
        state.go_to_search(query.strip(), [PlaceRef(found.id, found.version, start, end)])
