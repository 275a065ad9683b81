"""One question: its text, what answers it, and the documents in which that stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.questions import NOT_ANSWERABLE, Question
from ragdebug.ui import literal, state
from ragdebug.ui.questions import (
    alike,
    confirming,
    doing,
    listing,
    marking,
    needs,
    place,
    words,
)
from ragdebug.ui.search import expected

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def draw(wb: Workbench, opened: str, questions: Sequence[Question], queue: str) -> None:
    """Draw the question; a link to one that is gone says so."""
    try:
        question = wb.question(opened)
    except RagDebugError as error:
        literal.problem(error)
        st.button("All questions", icon=":material/arrow_back:", on_click=place.go)
        return
    if queue == place.CONFIRM:
        confirming.bar(wb, question, questions)
    else:
        _way(wb, question, questions)
    head(wb, question)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _warnings(wb, question)
        needs.draw(wb, question)
        _alike(wb, question, questions)
    with right:
        marking.draw(wb, question)


def _way(wb: Workbench, question: Question, questions: Sequence[Question]) -> None:
    before, after = place.neighbours(question.id, [q.id for q in questions])
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "All questions",
            icon=":material/arrow_back:",
            key="questions_back",
            shortcut="Esc",
            on_click=place.go,
        )
        for label, target, icon, key in (
            ("Previous", before, ":material/arrow_upward:", "K"),
            ("Next", after, ":material/arrow_downward:", "J"),
        ):
            st.button(
                label,
                key=f"questions_{label.lower()}",
                icon=icon,
                type="tertiary",
                shortcut=key,
                disabled=not target,
                on_click=place.go,
                args=(target,),
            )
        doing.undo_buttons(wb)


def head(wb: Workbench, question: Question, *, buttons: bool = True) -> None:
    """The text with its state and tags, and what can be done with the question as a whole."""
    with st.container(border=True, gap="small", key="questions_head"):
        st.subheader(literal.plain(question.text, 600), anchor=False)
        badges = [words.badge(question)]
        badges += [f":gray-badge[{literal.plain(tag, 40)}]" for tag in question.tags]
        if question.level == "document":
            badges.append(":gray-badge[judged by document]")
        notes = f" :gray[{literal.plain(question.notes, 400)}]" if question.notes else ""
        st.markdown(" ".join(badges) + notes)
        if question.level == "document" and buttons:
            st.caption(
                "Its judgments name documents, not passages: documents are ranked by their best "
                "chunk."
            )
        if question.removed:
            st.button(
                "Bring back",
                icon=":material/undo:",
                key="questions_bring_back",
                on_click=doing.attempt,
                args=(wb.restore_questions, [question.id]),
            )
        elif buttons:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                _buttons(wb, question)


def _buttons(wb: Workbench, question: Question) -> None:
    every = [p for need in question.usable_needs for p in need.places]
    state.link_to_search("Search for it", question.text, [expected.ref_of(p) for p in every])
    with st.popover("Edit", icon=":material/edit:", key="questions_edit_one"):
        _edit(wb, question)
    none = question.state == NOT_ANSWERABLE
    st.button(
        "It is answerable" if none else "Not answerable here",
        icon=":material/block:" if not none else ":material/undo:",
        key="questions_none",
        shortcut="0",
        help="Nothing in this corpus answers it. Such questions tell how well a minimum score "
        "keeps silent.",
        on_click=doing.attempt,
        args=(wb.change_question, question.id),
        kwargs={"not_answerable": not none},
    )
    st.button(
        "Likely passages",
        icon=":material/manage_search:",
        key="questions_likely",
        help="What a search finds for it, to be judged by keys.",
        on_click=place.go,
        args=(question.id, place.NEXT),
    )
    st.button(
        "Take out",
        icon=":material/remove_circle:",
        key="questions_take_out",
        help="Out of the set. It can be brought back.",
        type="tertiary",
        on_click=listing.remove,
        args=(wb, [question.id]),
    )


def _edit(wb: Workbench, question: Question) -> None:
    at = f"{question.id}_{question.updated_at}"
    with st.form(f"questions_edit_{at}", border=False):
        st.text_area("Question", question.text, height=90, width=420, key=f"_edit_text_{at}")
        st.multiselect(
            "Tags",
            sorted({*words.tags_of(wb.questions()), *question.tags}),
            question.tags,
            accept_new_options=True,
            key=f"_edit_tags_{at}",
        )
        st.text_area("Notes", question.notes, height=90, key=f"_edit_notes_{at}")
        # A callback, since this form is gone from the next run when others have saved meanwhile.
        st.form_submit_button(
            "Save", type="primary", icon=":material/save:", on_click=_save, args=(wb, question, at)
        )


def _save(wb: Workbench, question: Question, at: str) -> None:
    """Save what was typed; what was left as it stood stays as others may have changed it."""
    given = {name: st.session_state[f"_edit_{name}_{at}"] for name in ("text", "tags", "notes")}
    was = {"text": question.text, "tags": list(question.tags), "notes": question.notes}
    changed = {name: value for name, value in given.items() if value != was[name]}
    if changed:
        doing.attempt(wb.change_question, question.id, **changed)


def _warnings(wb: Workbench, question: Question) -> None:
    try:
        found = wb.label_warnings(question)
    except RagDebugError as error:
        literal.problem(error)
        return
    for warning in found:
        st.caption(f":orange[:material/warning:] {literal.plain(warning, 400)}")


def _alike(wb: Workbench, question: Question, questions: Sequence[Question]) -> None:
    if len(questions) > alike.AT_ONCE:
        return
    for group in alike.groups(wb, questions):
        others = [q for q in group if q.id != question.id]
        if len(others) < len(group):
            st.caption(":material/content_copy: Nearly the same question:")
            for other in others[:5]:
                st.button(
                    literal.plain(other.text, 90),
                    key=f"_questions_twin_{other.id}",
                    type="tertiary",
                    on_click=place.go,
                    args=(other.id,),
                )
