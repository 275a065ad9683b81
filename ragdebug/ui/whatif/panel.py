"""What-if: sliders, what they do to this question and to all, and what is missing to say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.settings import StrategySettings
from ragdebug.ui import literal, state
from ragdebug.ui.results import words
from ragdebug.ui.whatif import fixes, sliders
from ragdebug.workbench.whatif.reports import QuestionEffect, WhatIf

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

KIND = "what_if"
SHOWN = 8  # questions that are listed by name


def draw(wb: Workbench, question: str, strategy: StrategySettings, key: str = "whatif") -> None:
    """Draw the panel for a labelled question; sliders run only the panel again.

    Args:
        wb: the workspace.
        question: id of the question at hand.
        strategy: as it is.
        key: of the widgets.
    """
    with st.container(border=True, gap="small", key=f"{key}_panel"):
        st.markdown("**What if**")
        st.fragment(_turn)(wb, question, strategy, key)
        fixes.draw(wb, question, strategy, f"{key}_fixes")


def _turn(wb: Workbench, question: str, strategy: StrategySettings, key: str) -> None:
    knobs = sliders.draw(strategy, key)
    try:
        with st.spinner("Searching for all questions once …", show_time=True):
            told = wb.what_if(strategy, knobs, question=question)
    except RagDebugError as error:
        literal.problem(error)
        return
    _numbers(told)
    if told.question is not None:
        st.markdown(f"This question: {_here(told.question)}")
    texts = {q.id: q.text for q in wb.questions()}
    _list("Rescued", told.rescued, texts, told.after)
    _list("Harmed", told.harmed, texts, told.after)
    if told.left_out:
        _missing(wb, strategy, knobs, told, key)
    if knobs:
        fixes.adopt(wb, told.after, key)


def _numbers(told: WhatIf) -> None:
    """Recall before and after, each with its interval; the verdict under it."""
    n = len(told.questions)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        st.markdown(
            f"{told.measure}: **{words.mean(told.recall, 'recall@5', n)}**", width="content"
        )
        st.caption(f"today {words.mean(told.recall_before, 'recall@5', n)}", width="content")
        st.markdown(
            f":green[:material/arrow_upward:] {len(told.rescued)} rescued · "
            f":red[:material/arrow_downward:] {len(told.harmed)} harmed",
            width="content",
        )
        st.caption(f"{told.milliseconds_added:+,.1f} ms a question", width="content")
    literal.small(told.verdict)


def _here(effect: QuestionEffect) -> str:
    before, after = (
        ", ".join(f"rank {r}" if r else "not in the list" for r in ranks)
        for ranks in (effect.before, effect.after)
    )
    found = {True: ":green[delivered]", False: ":red[not delivered]"}
    return (
        f"{before} → **{after}**, {found[effect.delivered_before == 1]} → "
        f"{found[effect.delivered_after == 1]}"
    )


def _list(
    title: str, ids: Sequence[str], texts: dict[str, str], strategy: StrategySettings
) -> None:
    """Questions by name, each with a link to its own trace."""
    if not ids:
        return
    with st.expander(f"{title}: {len(ids):,}"):
        for id_ in ids[:SHOWN]:
            state.link_to_trace(literal.plain(texts.get(id_, id_), 120), id_, str(strategy))
        if len(ids) > SHOWN:
            st.caption(f"{len(ids) - SHOWN:,} more")


def _missing(
    wb: Workbench, strategy: StrategySettings, knobs: dict[str, object], told: WhatIf, key: str
) -> None:
    """What the reranker has not read yet, what reading it takes, and the button for it."""

    def work(progress: Progress) -> None:
        wb.compute_what_if(strategy, knobs, progress)

    literal.note(
        f"{len(told.left_out):,} questions are left out: the reranker has not read all of their "
        f"candidates ({told.cost})."
    )
    name = f"{told.before} {told.after}"
    if any(job.key == name for job in wb.jobs.active(KIND)):
        st.caption("It is reading them; see the menu.")
    elif st.button("Read them", key=f"{key}_read", icon=":material/play_arrow:"):
        wb.jobs.start(KIND, "Rerank for what-if", work, key=name)
        st.rerun()
