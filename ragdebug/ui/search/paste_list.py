"""A list that another system returned for the query, pasted: a column beside the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal, tables
from ragdebug.ui.components.hit_board import score
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search.columns import ColumnSpec

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.outside.list_reports import ListPreview

SHOWN = 20  # hits of the preview
TEXT_CHARS = 110
_OPEN = "_search_paste_open"
_ROUND = "_search_paste_round"
_EXAMPLE = """What the search returned, best first:

{"hits": [{"id": "refunds.md#2", "score": 0.83, "text": "..."}]}

or a line a hit: id and score, ids alone, or passages between blank lines"""


def ask() -> None:
    """Open the dialog with this run. For callbacks."""
    st.session_state[_OPEN] = True
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def _dismissed() -> None:
    st.session_state[_OPEN] = False


def show(wb: Workbench, query: str, specs: Sequence[ColumnSpec]) -> None:
    """Draw the dialog while it is open. Call once a run."""
    if st.session_state.get(_OPEN):
        _dialog(wb, query, specs)


@st.dialog("Paste a list", width="large", icon=":material/content_paste:", on_dismiss=_dismissed)
def _dialog(wb: Workbench, query: str, specs: Sequence[ColumnSpec]) -> None:
    key = f"_paste{st.session_state.get(_ROUND, 0)}_"
    if not query:
        st.info("A list belongs to a query. Ask it first, then paste what was returned for it.")
        return
    literal.small(f"What another system returned for: {literal.one_line(query, 160)}")
    text = st.text_area(
        "List",
        height=220,
        key=f"{key}text",
        placeholder=_EXAMPLE,
        label_visibility="collapsed",
    )
    preview: ListPreview | None = None
    seen = st.container(key=f"{key}seen")  # always there, so that what is below it stays
    with seen:
        if (text or "").strip():
            try:
                preview = wb.preview_list(query, text)
            except RagDebugError as error:
                literal.problem(error)
            else:
                _preview(preview)
        elif st.session_state.get(f"{key}tried"):
            literal.note("Nothing is pasted yet.")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.text_input(
            "Call it",
            key=f"{key}name",
            placeholder="pasted",
            max_chars=60,
            width=240,
            help="Its column and its link go by this name. Lists of other queries may have the "
            "same one: together they can be evaluated like a strategy.",
        )
        # Leaving the field sends the text; the button is something to leave it for.
        st.button(
            "Read it", key=f"{key}read", icon=":material/preview:", on_click=_tried, args=(key,)
        )
        add = st.button(
            "Add the column",
            type="primary",
            key=f"{key}add",
            disabled=preview is None,
            icon=":material/add:",
        )
    if add:
        _add(wb, query, text or "", name or "", specs)


def _tried(key: str) -> None:
    st.session_state[f"{key}tried"] = True


def _add(wb: Workbench, query: str, text: str, name: str, specs: Sequence[ColumnSpec]) -> None:
    try:
        kept = wb.paste_list(query, text, name)
    except RagDebugError as error:
        literal.problem(error)
        return
    spec = ColumnSpec("list", outside=kept)
    if all(s.title != spec.title for s in specs):
        # A full board gives up its last column.
        cols.write([spec, *specs[: cols.MOST - 1]])
        for gone in specs[cols.MOST - 1 :]:
            st.toast(
                f"There are {cols.MOST} columns at most: {literal.plain(gone.title, 60)} made room."
            )
    st.session_state[_OPEN] = False
    st.rerun()


def _preview(preview: ListPreview) -> None:
    st.markdown(f"**{literal.plain(preview.sentence)}**")
    for note in preview.notes:
        literal.note(note)
    if not preview.hits:
        return
    scored = any(not math.isnan(h.score) for h in preview.hits)
    rows = []
    for h in preview.hits[:SHOWN]:
        row: dict[str, object] = {"rank": h.rank}
        if scored:
            row["score"] = score(h.score)
        row["document"] = literal.one_line(h.name, 60)
        row["text"] = literal.one_line(h.text, TEXT_CHARS)
        row["placed"] = "yes" if h.placed else "not placed"
        rows.append(row)
    st.dataframe(
        rows,
        hide_index=True,
        height=tables.height(len(rows), 248),
        column_config={
            "rank": st.column_config.NumberColumn(width=50),
            "score": st.column_config.TextColumn(width=70),
            "document": st.column_config.TextColumn(width=170),
            "text": st.column_config.TextColumn(width=560),
            "placed": st.column_config.TextColumn(
                width=90,
                help="Whether it stands somewhere in the documents here. What does not is shown, "
                "and never counts as found.",
            ),
        },
    )
    if len(preview.hits) > SHOWN:
        st.caption(f"The first {SHOWN} of {len(preview.hits):,}.")
