"""Labels that wait for a person: suggested, stale, not placed; taken or dropped by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.questions import SUGGESTED, Label, Question
from ragdebug.records import Place
from ragdebug.ui import literal, state
from ragdebug.ui.questions import doing, place, words
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

LIKELY = 70.0  # similarity from which on the nearest passage is the obvious answer


def bar(wb: Workbench, question: Question, questions: Sequence[Question]) -> None:
    """Where one is in the queue, and the way on. Leaves by itself when nothing waits any more."""
    waiting = [q.id for q in questions if words.waits(q)]
    after = _after(question.id, [q.id for q in questions], waiting)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "All questions",
            icon=":material/arrow_back:",
            key="questions_back",
            shortcut="Esc",
            on_click=place.go,
        )
        said = f"{many(len(waiting), 'question')} with labels to confirm"
        st.markdown(f"**{said}**" if waiting else "**Nothing waits any more**", width="content")
        st.button(
            "Next",
            icon=":material/arrow_downward:",
            key="questions_next_waiting",
            shortcut="S",
            type="primary" if not words.waits(question) else "secondary",
            disabled=not after,
            on_click=place.go,
            args=(after, place.CONFIRM),
        )
        doing.undo_buttons(wb)


def _after(question: str, order: Sequence[str], waiting: Sequence[str]) -> str:
    """The next question that waits, from the start again after the last; "" when there is none."""
    at = order.index(question) if question in order else -1
    turned = [*order[at + 1 :], *order[: max(at, 0)]]
    return next((q for q in turned if q in waiting), "")


def offer(wb: Workbench, question: Question, at: tuple[int, int], label: Label) -> Place | None:
    """What is known of a label that waits, and its keys; returns the passage to look at."""
    near: tuple[Place, float] | None = None
    if label.status == SUGGESTED:
        near = (label.place, 0.0)
    else:
        try:
            near = wb.nearest_place(label)
        except RagDebugError as error:
            literal.problem(error)
    with st.container(border=True, gap="small", key="questions_confirm_label"):
        st.markdown(f":orange[:material/rule:] **{words.STATUSES[label.status].capitalize()}**")
        given = label.given or label.place.quote
        if given and (near is None or given != near[0].quote):
            literal.small("Given:")
            literal.text(literal.one_line(given, 500))
        if near is not None:
            alike = f", {near[1]:.0f}% alike" if near[1] else ""
            literal.small(f"Nearest passage: {words.where(near[0])}{alike}")
            literal.text(literal.one_line(near[0].quote, 500))
        else:
            st.caption("Nothing in the corpus is like it. Mark the passage below, or drop it.")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if near is not None:
                st.button(
                    "That is it",
                    icon=":material/check:",
                    type="primary"
                    if label.status == SUGGESTED or near[1] >= LIKELY
                    else "secondary",
                    key="questions_accept",
                    shortcut="Y",
                    on_click=_accept,
                    args=(wb, question, at, label, near[0]),
                )
            st.button(
                "Drop the label",
                icon=":material/close:",
                key="questions_drop_label",
                shortcut="N",
                on_click=_drop,
                args=(wb, question, at, label),
            )
            st.caption("or mark below where it really stands")
    return near[0] if near else None


def _accept(
    wb: Workbench, question: Question, at: tuple[int, int], label: Label, near: Place
) -> None:
    doing.attempt(wb.accept, question.id, *at, near, label)
    go_on(wb, question.id)


def _drop(wb: Workbench, question: Question, at: tuple[int, int], label: Label) -> None:
    doing.attempt(wb.unlabel, question.id, *at, label)
    go_on(wb, question.id)


def go_on(wb: Workbench, question: str) -> None:
    """In the queue: on to the next question once nothing of this one waits. For callbacks."""
    if state.peek(Key.QUEUE) != place.CONFIRM:
        return
    questions = wb.questions()
    waiting = [q.id for q in questions if words.waits(q)]
    if question in waiting:
        return
    after = _after(question, [q.id for q in questions], waiting)
    if after:
        place.go(after, place.CONFIRM)
    else:
        doing.say("Nothing waits any more.")
        place.go()
