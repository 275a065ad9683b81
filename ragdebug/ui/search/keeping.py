"""The query as a question of the set: kept with one click, its labels expected with one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.questions import PLACED, Label, Need, Question
from ragdebug.records import Place
from ragdebug.ui import state
from ragdebug.ui.questions import doing
from ragdebug.ui.search import answering, expected

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

FAILING = "failing"
MOST_NEEDS = 4  # needs with a button of their own


def buttons(wb: Workbench, query: str, question: Question | None, wanted: Sequence[Place]) -> None:
    """Keep the query, or, when it is kept, open it and expect what answers it."""
    if question is None:
        st.button(
            "Keep as failing",
            icon=":material/flag:",
            key="search_keep",
            help="Puts this query into the questions, tagged “failing”, with the expected passage "
            "as what answers it.",
            on_click=keep,
            args=(wb, query, wanted),
        )
        return
    if FAILING not in question.tags:
        st.button(
            "Tag as failing",
            icon=":material/flag:",
            key="search_tag_failing",
            on_click=keep,
            args=(wb, query, ()),
        )
    state.link_to_question("Question", question.id)
    needs = question.usable_needs
    for number, need in enumerate(needs[:MOST_NEEDS], 1):
        if _refs(need.places) != _refs(wanted):
            st.button(
                "Expect its label" if len(needs) == 1 else f"Expect need {number}",
                icon=":material/star:",
                key=f"search_expect_need_{number}",
                help="What answers this question becomes the expected passage.",
                on_click=expected.expect,
                args=(need.places,),
            )


def keep(wb: Workbench, query: str, wanted: Sequence[Place]) -> None:
    """Put a query into the questions, tagged as failing. For callbacks."""
    needs = [Need(tuple(Label(p, PLACED, "marked") for p in wanted))] if wanted else []
    made = doing.attempt(wb.add_question, query, needs, tags=[FAILING], origin=answering.ORIGIN)
    if made is not None:
        doing.say(
            "Kept in the questions, tagged failing."
            if made.needs
            else "Kept in the questions, tagged failing. It has no label yet: y on a hit marks it."
        )


def _refs(places: Sequence[Place]) -> set[tuple[str, int, int]]:
    return {(p.document, p.start, p.end) for p in places}
