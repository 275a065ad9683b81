"""Which questions the list shows, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ragdebug.questions import Question
from ragdebug.ui.questions import words

WAITING = "to confirm"
NONE = "all"
ORDERS = {
    "as they came": None,
    "newest first": lambda q: q.created_at,
    "last changed first": lambda q: q.updated_at,
    "by text": lambda q: q.text.casefold(),
    "by state": lambda q: list(words.STATES).index(q.state),
    "most needs first": lambda q: -len(q.needs),
}
_DOWN = ("newest first", "last changed first")


def draw(questions: Sequence[Question], row: DeltaGenerator) -> list[Question]:
    """The fields that narrow the list, the states in `row`; returns what is left, in order."""
    states = [NONE, *words.STATES.values()]
    if any(words.waits(q) for q in questions):
        states.append(WAITING)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = st.text_input(
            "Find",
            key="_questions_find",
            placeholder="Find in questions, notes, quotes and document names",
            label_visibility="collapsed",
            icon=":material/filter_list:",
            persist_state="session",
        )
        tags = st.multiselect(
            "Tags",
            words.tags_of(questions),
            key="_questions_tags",
            placeholder="any tag",
            label_visibility="collapsed",
            width=230,
            persist_state="session",
        )
        order = st.selectbox(
            "Order",
            list(ORDERS),
            key="_questions_sort",
            label_visibility="collapsed",
            width=190,
            persist_state="session",
        )
    with row:
        state = _state(states)
    return apply(questions, text or "", state, tags, order)


def _state(states: Sequence[str]) -> str:
    chosen = st.segmented_control(
        "State",
        states,
        default=NONE,
        required=True,
        key="_questions_state",
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen or NONE


def apply(
    questions: Sequence[Question], text: str, state: str, tags: Sequence[str], order: str
) -> list[Question]:
    """The questions that hold all words, all tags and the state, in order."""
    wanted = text.casefold().split()
    left = [
        q
        for q in questions
        if _in_state(q, state)
        and all(tag in q.tags for tag in tags)
        and (not wanted or _holds(q, wanted))
    ]
    key = ORDERS.get(order)
    return left if key is None else sorted(left, key=key, reverse=order in _DOWN)


def _in_state(question: Question, state: str) -> bool:
    if state == WAITING:
        return words.waits(question)
    return state == NONE or words.STATES[question.state] == state


def _holds(question: Question, wanted: Sequence[str]) -> bool:
    parts = [question.text, question.notes, question.id, *question.tags]
    parts += [f"{x.place.source}\n{x.place.quote}" for need in question.needs for x in need.labels]
    text = "\n".join(parts).casefold()
    return all(word in text for word in wanted)
