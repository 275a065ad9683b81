"""Questions that are nearly the same, pointed out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.counting import many
from ragdebug.questions import Question
from ragdebug.ui import literal
from ragdebug.ui.questions import doing, place, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST = 50  # groups drawn
AT_ONCE = 1000  # with more questions they are compared when asked for
_FOUND = "_questions_alike"


def groups(wb: Workbench, questions: Sequence[Question]) -> list[list[Question]]:
    """The groups, compared again only when a text has changed."""
    key: Hashable = hash(tuple((q.id, q.text) for q in questions))
    kept = st.session_state.get(_FOUND)
    if kept is None or kept[0] != key:
        kept = st.session_state[_FOUND] = (
            key,
            [[q.id for q in group] for group in wb.similar_questions()],
        )
    by_id = {q.id: q for q in questions}
    return [[by_id[i] for i in group if i in by_id] for group in kept[1]]


def draw(wb: Workbench, questions: Sequence[Question]) -> None:
    """A drawer with the groups; nothing when there are none."""
    if len(questions) > AT_ONCE:
        drawer = st.expander(
            "Nearly the same questions",
            icon=":material/content_copy:",
            on_change="rerun",
            key="questions_alike",
        )
        if not drawer.open:
            return
        found = groups(wb, questions)
        with drawer:
            if not found:
                st.caption("No two questions are nearly the same.")
            _draw(wb, found)
        return
    found = groups(wb, questions)
    if found:
        title = f"Nearly the same · {many(len(found), 'group')}"
        with st.expander(title, icon=":material/content_copy:"):
            _draw(wb, found)


def _draw(wb: Workbench, found: Sequence[Sequence[Question]]) -> None:
    st.caption(
        "Questions asked twice count twice in every mean. Keep one of each group, or keep them all "
        "where they need different answers."
    )
    for group in found[:MOST]:
        with st.container(border=True, gap="xsmall"):
            for question in group:
                with st.container(
                    horizontal=True, vertical_alignment="center", gap="small", wrap=False
                ):
                    st.button(
                        literal.plain(question.text, 110),
                        key=f"_alike_open_{question.id}",
                        type="tertiary",
                        on_click=place.go,
                        args=(question.id,),
                    )
                    st.markdown(words.badge(question), width="content")
                    st.button(
                        "Take out",
                        key=f"_alike_out_{question.id}",
                        type="tertiary",
                        icon=":material/remove_circle:",
                        on_click=doing.attempt,
                        args=(wb.remove_questions, [question.id]),
                    )
    if len(found) > MOST:
        st.caption(f"The first {MOST} of {len(found):,} groups.")
