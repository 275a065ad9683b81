"""The questions as a table: one is opened by a tick, several are tagged or taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ragdebug.counting import many
from ragdebug.questions import Question
from ragdebug.settings import fingerprint
from ragdebug.ui import tables
from ragdebug.ui.questions import doing, editing, narrowing, place, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

PAGE = 100  # rows of one page of the table
TALL_PX = 560
PAGES_PX = 330  # most that the row of page numbers takes
_EDIT = "_questions_edit"
_TICKED = "_questions_ticked"
_COLUMNS = {
    "question": st.column_config.TextColumn(width=300),
    "state": st.column_config.TextColumn(width=128),
    "tags": st.column_config.ListColumn(width=140),
    "needs": st.column_config.NumberColumn(width=56),
    "answered by": st.column_config.TextColumn(width=330),
    "notes": st.column_config.TextColumn(width=140),
}


def draw(wb: Workbench, questions: Sequence[Question]) -> None:
    """The fields that narrow it, the table, its pages, what can be done with ticked rows."""
    above = st.container()
    head = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with above:
        shown = narrowing.draw(questions, head)
    st.session_state[place.ORDER] = [q.id for q in shown]
    if not shown:
        st.caption("No question is like that. Empty the field, or choose another state or tag.")
        return
    below = head
    if len(shown) > PAGE:
        below = st.container(horizontal=True, vertical_alignment="center", gap="small")
    rows = _page(shown, below)
    with below:
        edit = st.toggle(
            "Edit in the table",
            key=_EDIT,
            persist_state="session",
            help="Texts, tags and notes, a page at a time. Nothing is changed before you save.",
        )
    if edit:
        editing.draw(wb, rows, TALL_PX)
    else:
        _table(wb, rows)


def _page(shown: Sequence[Question], head: DeltaGenerator) -> list[Question]:
    """The questions of the page that is chosen."""
    pages = -(-len(shown) // PAGE)
    at = 1
    with head:
        if pages > 1:
            # With other questions it starts at its first page again.
            key = f"_questions_page_{fingerprint([q.id for q in shown])[:10]}"
            at = st.pagination(pages, key=key, width=min(PAGES_PX, 150 + 36 * pages))
        first, last = (at - 1) * PAGE, min(at * PAGE, len(shown))
        if pages > 1:
            st.caption(f"{first + 1:,}–{last:,} of {len(shown):,}", width="content")
        else:
            st.caption(many(len(shown), "question"), width="content")
    return list(shown[first:last])


def _table(wb: Workbench, rows: Sequence[Question]) -> None:
    ids = [q.id for q in rows]
    key = f"_questions_table_{fingerprint(ids)[:12]}_{place.ticks()}"
    st.dataframe(
        frame(rows),
        key=key,
        on_select=lambda: _selected(key, ids),
        selection_mode=["multi-row", "single-cell"],
        hide_index=True,
        height=tables.height(len(rows), TALL_PX),
        column_config=_COLUMNS,
        placeholder="",
    )
    ticked = [ids[r] for r in _rows(key) if r < len(ids)]
    if ticked:
        _actions(wb, ticked)
    else:
        st.caption("Click a question to open it; tick several to tag them or take them out.")


def frame(rows: Sequence[Question]) -> pd.DataFrame:
    """One row a question; a column of blanks only is left out."""
    columns: dict[str, list[Any]] = {
        "question": [" ".join(q.text.split()) for q in rows],
        "state": [words.STATES[q.state] for q in rows],
        "tags": [list(q.tags) for q in rows],
        "needs": [len(q.needs) or None for q in rows],
        "answered by": [words.answers(q) for q in rows],
        "notes": [" ".join(q.notes.split()) for q in rows],
    }
    kept = {n: v for n, v in columns.items() if n in ("question", "state") or any(v)}
    return pd.DataFrame(
        {n: pd.Series(v, dtype="Int64" if n == "needs" else object) for n, v in kept.items()}
    )


def _rows(key: str) -> list[int]:
    chosen = st.session_state.get(key)
    return list(chosen["selection"]["rows"]) if chosen else []


def _selected(key: str, ids: Sequence[str]) -> None:
    """A cell was clicked: its question is opened."""
    cells = st.session_state[key]["selection"].get("cells", [])
    if cells and cells[0][0] < len(ids):
        place.untick()
        place.go(ids[cells[0][0]])


def _actions(wb: Workbench, ticked: Sequence[str]) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="questions_actions"
    ):
        st.markdown(f"**{many(len(ticked), 'question')}**", width="content")
        with (
            st.popover("Tag", icon=":material/sell:", key="questions_tag"),
            st.form("questions_tag_form", border=False),
        ):
            given = st.multiselect(
                "Tags", words.tags_of(wb.questions()), accept_new_options=True, key="_tag_these"
            )
            left, right = st.columns(2)
            add = left.form_submit_button("Add", type="primary")
            drop = right.form_submit_button("Take away")
        if len(ticked) == 1:
            st.button("Open", icon=":material/open_in_full:", on_click=place.go, args=(ticked[0],))
        st.button(
            "Take out",
            icon=":material/remove_circle:",
            key="questions_remove",
            help="Out of the set. It can be brought back.",
            on_click=remove,
            args=(wb, ticked),
        )
        st.button("Untick", type="tertiary", key="questions_untick", on_click=place.untick)
    if (add or drop) and given:
        for question in (q for q in wb.questions() if q.id in set(ticked)):
            tags = set(question.tags) - set(given) if drop else {*question.tags, *given}
            doing.attempt(wb.change_question, question.id, tags=sorted(tags))
        st.rerun()


def remove(wb: Workbench, ids: Sequence[str]) -> None:
    """Take questions out. For callbacks."""
    doing.attempt(wb.remove_questions, ids)
    doing.say(f"{many(len(ids), 'question')} out of the set; undo brings back.")
    place.untick()
    place.go()
