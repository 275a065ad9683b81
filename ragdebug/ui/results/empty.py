"""What to do while something is missing: questions, labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.questions import LABELLED, Question
from ragdebug.ui import literal, start, state
from ragdebug.ui.questions import adding

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def questions(wb: Workbench) -> None:
    """There are none at all."""
    with st.container(border=True):
        st.markdown("**No questions yet**")
        st.caption(
            "Results are measured on questions that real people asked, each with the passages that "
            "answer it. Twenty tell a lot; sixty tell more."
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if adding.sample() is not None and start.has_sample(wb):
                adding.sample_button(wb)
            st.page_link(state.QUESTIONS, label="Add or import questions", icon=":material/quiz:")


def labels(found: Sequence[Question]) -> None:
    """None of them is labelled: said once, with the way to do it."""
    if any(q.state == LABELLED for q in found):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        many = "One question" if len(found) == 1 else f"{len(found):,} questions"
        st.markdown(
            f":material/edit_note: **{many}, none labelled.** Name the passages that answer some, "
            "and the strategies can be measured; until then their lists can only be compared.",
            width="content",
        )
        todo = next((q for q in found if q.state != "not answerable"), None)
        if todo is not None:
            state.link_to_question(f"Label {literal.plain(todo.text, 50)}", todo.id)
