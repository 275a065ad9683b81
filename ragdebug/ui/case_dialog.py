"""The case file of what is looked at: gathered, looked through, and only then written.

case_dialog.ask()                                                   in a callback
case_dialog.show(wb, query, question, places, strategies, fixes)    once a run
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.questions import LABELLED, Question
from ragdebug.records import Place
from ragdebug.settings import StrategySettings
from ragdebug.ui import literal
from ragdebug.workbench.casefile.parts import place_of
from ragdebug.workbench.casefile.records import Case
from ragdebug.workbench.whatif.reports import Fix

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_OPEN, _CASE = "_case_open", "_case_made"
OPENED = "_case_opened"  # how often
NOTHING = "nothing"


def ask() -> None:
    """Open the dialog with this run. For callbacks."""
    st.session_state[_OPEN] = True
    st.session_state[OPENED] = st.session_state.get(OPENED, 0) + 1
    st.session_state.pop(_CASE, None)


def _dismissed() -> None:
    st.session_state[_OPEN] = False


def show(
    wb: Workbench,
    query: str,
    question: Question | None,
    places: Sequence[Place],
    strategies: Mapping[str, StrategySettings],
    fixes: Sequence[Fix] = (),
) -> None:
    """Draw the dialog while it is open. Call once a run.

    Args:
        wb: the workspace.
        query: what was asked.
        question: the same as a question of the set; its labels are used where it has any.
        places: what else answers it.
        strategies: name -> settings, of what is looked at.
        fixes: that were tried on the question against the first strategy.
    """
    if st.session_state.get(_OPEN) and strategies:
        _dialog(wb, query, question, places, strategies, fixes)


@st.dialog("Case file", width="large", icon=":material/description:", on_dismiss=_dismissed)
def _dialog(
    wb: Workbench,
    query: str,
    question: Question | None,
    places: Sequence[Place],
    strategies: Mapping[str, StrategySettings],
    fixes: Sequence[Fix],
) -> None:
    names = list(strategies)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _only("case_today", names)
        today = st.selectbox("Today", names, key="case_today")
        tried = {f"fix: {f.planned.name}": f for f in fixes} if today == names[0] else {}
        offered = [NOTHING, *tried, *names]
        _only("case_proposed", offered)
        proposed = st.selectbox(
            "Proposed",
            offered,
            key="case_proposed",
            help="Fixes are those that were tried under What would bring it back.",
        )
        sentences = st.toggle(
            "Weigh sentences",
            key="case_sentences",
            help="Also what each sentence of the wanted passage is worth to the models. They read "
            "it for that, which takes some seconds.",
        )
        gather = st.button("Gather", type="primary", key="case_gather")
    if gather:
        fix = tried.get(proposed)
        alone = fix is None and proposed in (NOTHING, today)
        chosen = [today, *([] if alone or fix is not None else [proposed])]
        chosen += [n for n in names if n not in chosen]
        with st.spinner("Gathering …", show_time=True):
            _gather(
                lambda: wb.case(
                    question.id if question is not None and question.state == LABELLED else None,
                    query,
                    () if question is not None and question.state == LABELLED else places,
                    [strategies[name] for name in chosen],
                    fix=fix,
                    # Else the others only stand beside: nothing is tried on other questions.
                    propose=not alone,
                    sentences=sentences,
                )
            )
    made = st.session_state.get(_CASE)
    if isinstance(made, Case):
        _look(wb, made)


def _only(key: str, options: Sequence[str]) -> None:
    """Forget a choice that is not offered: it was made for another question or strategy."""
    held = st.session_state.get(key)
    if isinstance(held, list):
        st.session_state[key] = [one for one in held if one in options]
    elif held is not None and held not in options:
        del st.session_state[key]


def _gather(make: Callable[[], Case]) -> None:
    try:
        st.session_state[_CASE] = make()
    except RagDebugError as error:
        st.session_state.pop(_CASE, None)
        literal.problem(error)


def _look(wb: Workbench, made: Case) -> None:
    """What the file would hold, with texts withheld as chosen, and the file itself."""
    hits = {f"{one.name}:{h.rank}": f"{one.name} {h.rank}: {place_of(h)}"
            for one in made.lists for h in one.hits}  # fmt: skip
    _only("case_withhold", list(hits))
    withheld = st.multiselect(
        "Withhold the text of",
        list(hits),
        format_func=lambda name: literal.one_line(hits[name], 90),
        key="case_withhold",
        placeholder="no hit",
        help="Everything else that shows the same words goes with it.",
    )
    shown = wb.case_without(made, withheld)
    try:
        held = wb.case_included(shown)
    except RagDebugError as error:
        literal.problem(error)
        return
    for one in wb.case_sentences(shown):
        literal.text(one)
    with st.container(border=True, gap=None):
        st.markdown("**The file holds**")
        for line in held:
            literal.small(f"{line.what}: {line.detail}")
        for note in shown.notes:
            literal.small(note)
    with st.container(horizontal=True):
        st.download_button(
            "Case file",
            data=lambda: wb.case_html(shown),
            file_name="case.html",
            mime="text/html",
            type="primary",
            icon=":material/description:",
            on_click="ignore",
            key="case_html",
        )
        st.download_button(
            "Markdown",
            data=lambda: wb.case_markdown(shown).encode("utf-8"),
            file_name="case.md",
            mime="text/markdown",
            icon=":material/markdown:",
            on_click="ignore",
            key="case_markdown",
            help="For a ticket.",
        )
