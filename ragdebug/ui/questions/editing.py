"""A page of the list as a table that can be typed into; saved on purpose, not by the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
import streamlit as st

from ragdebug.counting import many
from ragdebug.questions import Question
from ragdebug.settings import fingerprint
from ragdebug.ui import tables
from ragdebug.ui.questions import doing, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_FIELDS = {"question": "text", "tags": "tags", "notes": "notes"}


def draw(wb: Workbench, rows: Sequence[Question], most_px: int) -> None:
    """The table and its two buttons."""
    # Another table whenever a question differs, so that edits never land on other words.
    key = "_questions_editor_" + fingerprint([[q.id, q.text, q.tags, q.notes] for q in rows])[:12]
    st.data_editor(
        pd.DataFrame(
            {
                "question": pd.Series([q.text for q in rows], dtype=str),
                "tags": pd.Series([list(q.tags) for q in rows]),
                "notes": pd.Series([q.notes for q in rows], dtype=str),
                "state": pd.Series([words.STATES[q.state] for q in rows], dtype=str),
            }
        ),
        key=key,
        hide_index=True,
        disabled=["state"],
        height=_height(len(rows), most_px),
        column_config={
            "question": st.column_config.TextColumn(width=430, required=True),
            "tags": st.column_config.MultiselectColumn(
                width=210, options=words.tags_of(wb.questions()), accept_new_options=True
            ),
            "notes": st.column_config.TextColumn(width=280),
            "state": st.column_config.TextColumn(width=128),
        },
    )
    edited: Mapping[int, Mapping[str, Any]] = st.session_state[key]["edited_rows"]
    changes = {rows[int(at)].id: fields(given) for at, given in edited.items()}
    changes = {i: given for i, given in changes.items() if given}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"Save {many(len(changes), 'question')}" if changes else "Save",
            type="primary",
            icon=":material/save:",
            disabled=not changes,
            key="questions_save_table",
            on_click=_save,
            args=(wb, changes),
        )
        st.caption("Double-click a cell to type. Several tags are chosen or typed one by one.")


def _height(rows: int, most_px: int) -> int | Literal["auto"]:
    wanted = tables.height(rows, most_px)
    return wanted if isinstance(wanted, int) else "auto"


def fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed into one row, as fields of a question."""
    made = {_FIELDS[name]: value for name, value in given.items() if name in _FIELDS}
    for name, value in made.items():
        if value is None:
            made[name] = () if name == "tags" else ""
    return made


def _save(wb: Workbench, changes: Mapping[str, Mapping[str, Any]]) -> None:
    saved = [doing.attempt(wb.change_question, i, **given) for i, given in changes.items()]
    doing.say(f"{many(sum(q is not None for q in saved), 'question')} saved.")
