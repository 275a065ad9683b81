"""Where on the page one is: the list, one question, or one of the queues; all of it in the URL."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdebug.ui import state
from ragdebug.ui.state import Key

LIST, NEXT, CONFIRM, JUDGE = "", "next", "confirm", "judge"
ORDER = "_questions_order"  # ids as the list last showed them, for previous and next
PLACE = "_questions_label"  # (need, label) whose document is open
_ROUND = "_questions_round"  # counts the times that all ticks were taken away


def read() -> tuple[str, str]:
    """The queue ("" for none) and the id of the open question. Call once a run."""
    queue = state.url_value(Key.QUEUE, "", check=state.one_of(LIST, NEXT, CONFIRM, JUDGE))
    return queue, state.url_value(Key.QUESTION, "", check=state.short_text)


def go(question: str = "", queue: str = LIST) -> None:
    """Open a question, in a queue or by itself; neither leads back to the list. For callbacks."""
    state.put(Key.QUESTION, question)
    state.put(Key.QUEUE, queue)
    st.session_state.pop(PLACE, None)


def untick() -> None:
    """Take the ticks of the list away. For callbacks."""
    st.session_state[_ROUND] = ticks() + 1


def ticks() -> int:
    """Changes when all ticks are taken away."""
    return int(st.session_state.get(_ROUND, 0))


def neighbours(question: str, everything: Sequence[str]) -> tuple[str, str]:
    """The questions before and after one, in the order of the list; "" at its ends."""
    order = st.session_state.get(ORDER, ())
    if question not in order:
        order = everything
    at = list(order).index(question) if question in order else -1
    known = set(everything)
    before = next((q for q in reversed(order[: max(at, 0)]) if q in known), "")
    return before, next((q for q in order[at + 1 :] if q in known), "") if at >= 0 else ""
