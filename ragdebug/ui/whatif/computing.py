"""What a setting costs before it can be shown, and the job that computes it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.settings import DEFAULT_RERANKER, StrategySettings
from ragdebug.ui import literal, sending
from ragdebug.ui.search import fetching
from ragdebug.ui.whatif.dear import SEARCHED_ONLY
from ragdebug.workbench.whatif.reports import Cost

if TYPE_CHECKING:
    from ragdebug.workbench import Job, Workbench

KIND = "what_if"
_WAITS = " Other jobs wait meanwhile."


def nothing_to_compute(knobs: Set[str]) -> None:
    """Say that settings that may cost something cost nothing."""
    if knobs <= SEARCHED_ONLY:
        said = "A filter and an analyzer need no embedding: instant."
    else:
        said = "Nothing new to compute: instant."
    st.caption(f":material/bolt: {said}")


def offer(
    wb: Workbench,
    before: StrategySettings,
    knobs: Mapping[str, object],
    after: StrategySettings,
    cost: Cost,
    key: str,
    why: str = "",
) -> None:
    """Say what is to be computed, and draw the button or how far the job is.

    Args:
        wb: the workspace.
        before: the strategy as it is.
        knobs: what was turned.
        after: the strategy with it.
        cost: what is missing.
        key: of the widgets.
        why: a sentence before the cost.
    """
    may, allowed = sending.agreed(wb, [before, after]), sending.names(wb)

    def work(progress: Progress) -> None:
        with sending.within(allowed):
            wb.compute_what_if(before, knobs, progress)

    name = f"{before} {after}"
    job = _last(wb, name)
    state = "" if job is None else job.state
    if job is not None and state == "failed" and may:
        literal.problem(job.error, job.hint)
    sending.ask(wb, [before, after], f"{key}_cost", "the questions and texts of this")
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_cost"
    ):
        st.markdown(
            f"{f'{why} ' if why else ''}**To compute: {cost}.**{_WAITS if cost.waits else ''}",
            width="content",
        )
        active = job is not None and job.active
        label = {"cancelled": "Go on", "failed": "Try again"}.get(state, "Compute it")
        if st.button(
            label,
            key=f"{key}_compute",
            icon=":material/play_arrow:",
            type="primary",
            disabled=active or not may,
        ):
            wb.jobs.start(KIND, "Compute a what-if", work, key=name)
            st.rerun()
        if active:
            st.caption(":material/hourglass_top: It is on its way; see the menu.", width="content")
    if state == "cancelled":
        st.caption("It was stopped. What was computed until then is kept.")


def fetch(wb: Workbench, after: StrategySettings) -> bool:
    """Offer models of the hub that are not here; whether there are any."""
    names = [after.embedder] if after.uses_vectors else []
    if after.preset == "reranked" and after.rerank.model != DEFAULT_RERANKER:
        names.append(after.rerank.model)
    away = wb.fetchable(names)
    for name in away:
        fetching.one(wb, name, ["this setting"])
    return bool(away)


def _last(wb: Workbench, name: str) -> Job | None:
    return next((job for job in wb.jobs.list() if job.kind == KIND and job.key == name), None)
