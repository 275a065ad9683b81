"""What answers a question: its needs, and for each the places of which any is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.questions import PLACED, Label, Need, Question
from ragdebug.records import Place
from ragdebug.ui import literal
from ragdebug.ui.questions import doing, place, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

QUOTE = 180
MOST_REJECTED = 20


def opened(question: Question) -> tuple[int, int] | None:
    """The label whose document is shown, as numbers of need and label; None without labels."""
    chosen = st.session_state.get(place.PLACE)
    if chosen is not None and chosen[0] == question.id and _there(question, *chosen[1:]):
        return chosen[1], chosen[2]
    waiting = [
        (n, at)
        for n, need in enumerate(question.needs)
        for at, x in enumerate(need.labels)
        if x.status != PLACED
    ]
    if waiting:
        return waiting[0]
    return (0, 0) if _there(question, 0, 0) else None


def _there(question: Question, need: int, label: int) -> bool:
    return need < len(question.needs) and label < len(question.needs[need].labels)


def show(question: str, need: int, label: int) -> None:
    """Show the document of a label. For callbacks."""
    st.session_state[place.PLACE] = (question, need, label)


def draw(wb: Workbench, question: Question) -> None:
    """The needs in order, then what was judged as not answering."""
    if not question.needs:
        st.markdown("**Nothing answers it yet**")
        st.caption(
            "A person has said that nothing in this corpus answers it."
            if question.not_answerable
            else "Choose a document and mark the words that answer, or judge what a search finds: "
            "Likely passages."
        )
    shown = opened(question)
    for number, need in enumerate(question.needs):
        with st.container(border=True, gap="xsmall", key=f"questions_need_{number}"):
            _title(question, number, need)
            for at, label in enumerate(need.labels):
                _label(wb, question, (number, at), label, shown == (number, at))
    if len(question.needs) > 1:
        st.caption("All needs have to be found; of each, any place is enough.")
    _rejected(wb, question)


def _title(question: Question, number: int, need: Need) -> None:
    name = f"Need {number + 1}" if len(question.needs) > 1 else "Answered by"
    many = f" :gray[· any of {len(need.labels)} places]" if len(need.labels) > 1 else ""
    grade = f" :gray[· grade {need.grade:g}]" if need.grade != 1 else ""
    st.markdown(f"**{name}**{many}{grade}")


def _label(
    wb: Workbench, question: Question, at: tuple[int, int], label: Label, here: bool
) -> None:
    mark = ":material/chevron_right:" if here else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        st.button(
            f"{literal.plain(words.where(label.place), 60)}",
            icon=mark or None,
            type="tertiary",
            key=f"questions_show_{at[0]}_{at[1]}",
            help="Show it in its document",
            on_click=show,
            args=(question.id, *at),
        )
        st.button(
            "",
            icon=":material/close:",
            type="tertiary",
            key=f"questions_drop_{at[0]}_{at[1]}",
            help="Take this place away",
            on_click=doing.attempt,
            args=(wb.unlabel, question.id, *at, label),
        )
    if said := words.quote(label.place, QUOTE):
        literal.text(said)
    status = ""
    if label.status != PLACED:
        status = f":orange-badge[{words.STATUSES[label.status].partition(':')[0]}] "
    if status or label.origin:
        st.caption(status + literal.plain(words.origin(label), 120))


def _rejected(wb: Workbench, question: Question) -> None:
    if not question.rejected:
        return
    title = f"Judged as not answering · {len(question.rejected):,}"
    with st.expander(title, icon=":material/thumb_down:"):
        for at, one in enumerate(question.rejected[:MOST_REJECTED]):
            with st.container(
                horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False
            ):
                literal.small(f"{words.where(one)} {words.quote(one, 90)}")
                st.button(
                    "",
                    icon=":material/close:",
                    type="tertiary",
                    key=f"questions_unreject_{at}",
                    help="Forget this judgment",
                    on_click=_unreject,
                    args=(wb, question, one),
                )


def _unreject(wb: Workbench, question: Question, one: Place) -> None:
    now = doing.attempt(wb.question, question.id)  # others may have judged meanwhile
    if now is not None:
        left = [p for p in now.rejected if p != one]
        doing.attempt(wb.change_question, question.id, rejected=left)
