"""The same text in other places: offered, and added one by one by key, never silently."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.questions import Question
from ragdebug.records import Place
from ragdebug.ui import literal, state
from ragdebug.ui.questions import doing, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

ORIGIN = "same text"
AT_ONCE_CHARS = 3_000_000  # in a larger corpus they are looked for when asked
MOST = 8
_FOUND = "_questions_elsewhere"


def left(wb: Workbench, question: Question, place: Place) -> list[Place]:
    """Other places with nearly the same words that are neither labelled nor rejected.

    They are looked for once for each place and state of the corpus.
    """
    key: Hashable = (str(wb.path), wb.revision(), place)
    kept = st.session_state.get(_FOUND)
    if kept is None or kept[0] != key:
        kept = st.session_state[_FOUND] = (key, wb.same_text(place))
    known = [*(x.place for n in question.needs for x in n.labels), *question.rejected]
    return [p for p in kept[1] if not any(_overlap(p, k) for k in known)]


def draw(wb: Workbench, question: Question, need: int, place: Place) -> None:
    """The other places, each with its buttons; the first one with their keys."""
    if not place.quote.strip():
        return
    if wb.corpus().chars > AT_ONCE_CHARS and not st.toggle(
        "Look for the same text elsewhere", key="_questions_look_elsewhere"
    ):
        return
    try:
        others = left(wb, question, place)
    except RagDebugError as error:
        literal.problem(error)
        return
    if not others:
        return
    with st.container(border=True, gap="xsmall", key="questions_elsewhere"):
        st.markdown(
            f":material/content_copy: **The same text stands in "
            f"{many(len(others), 'other place')}**"
        )
        st.caption(
            "Any of them would then be enough. Leave out those of another version or customer, "
            "where it may be wrong."
        )
        for at, one in enumerate(others[:MOST]):
            _one(wb, question, need, one, at)
        if len(others) > MOST:
            st.caption(f"The first {MOST} of {len(others)}.")


def _one(wb: Workbench, question: Question, need: int, one: Place, at: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.button(
            "It counts too",
            icon=":material/add:",
            key=f"questions_same_{at}",
            shortcut="A" if at == 0 else None,
            on_click=doing.attempt,
            args=(wb.label, question.id, [one], need, ORIGIN),
        )
        st.button(
            "Not this one",
            type="tertiary",
            key=f"questions_not_same_{at}",
            shortcut="X" if at == 0 else None,
            on_click=doing.attempt,
            args=(wb.reject, question.id, one),
        )
        state.link_to_document(literal.plain(words.where(one), 60), one.document, one.start)
    literal.small(words.quote(one, 200))


def _overlap(one: Place, other: Place) -> bool:
    return (
        (one.document, one.version) == (other.document, other.version)
        and one.start < other.end
        and other.start < one.end
    )
