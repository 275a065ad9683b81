"""Running jobs in the sidebar: progress, rate and time left, and a button to stop.

The fragment polls once a second while something runs, and now and then otherwise, since another
session may start something. When a job ends the whole page runs once more, to show its result.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.jobs import Job

_SEEN = "_jobs_active"
_RECENT_S = 30.0


def show(workbench: Workbench) -> None:
    """Draw the jobs of a workspace. Call inside the sidebar."""
    active = {job.id for job in workbench.jobs.list() if job.active}
    st.session_state[_SEEN] = active
    st.fragment(_draw, run_every=1.0 if active else 20.0)(workbench)


def _draw(workbench: Workbench) -> None:
    jobs = workbench.jobs.list()
    active = {job.id for job in jobs if job.active}
    seen = st.session_state.get(_SEEN, set())
    if active != seen:
        st.session_state[_SEEN] = active
        st.rerun()
    now = time.time()
    shown = [j for j in jobs if j.active or now - j.finished_at < _RECENT_S]
    if not shown:
        st.empty()
        return
    with st.container(border=True, gap="xsmall"):
        for job in sorted(shown, key=lambda j: (not j.active, j.id)):
            _one(workbench, job)


def _one(workbench: Workbench, job: Job) -> None:
    if not job.active:
        mark = {"done": ":green[:material/check:]", "failed": ":red[:material/error:]"}
        st.markdown(f"{mark.get(job.state, ':material/block:')} {literal.plain(job.title, 80)}")
        if job.error:
            literal.small(f"{job.error} {job.hint}".strip())
        return
    st.markdown(literal.plain(job.title, 80))
    waiting = job.state == "waiting"
    if not waiting:
        st.progress(job.share or 0.0)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        st.caption("waits for the job before it" if waiting else progress_line(job))
        st.button(
            "Stop",
            key=f"_stop_job_{job.id}",
            type="tertiary",
            width="content",
            help="What is finished so far is kept; starting again goes on from there.",
            on_click=workbench.jobs.cancel,
            args=(job.id,),
        )


def progress_line(job: Job) -> str:
    """``1,200 of 4,000 texts · 31 a second · 1 min left``, as Markdown."""
    total = f" of {literal.number(job.total)}" if job.total else ""
    if not job.done and not job.total:
        return "starting …"
    parts = [f"{literal.number(job.done)}{total} {literal.plain(job.what, 40)}".strip()]
    if job.rate:
        parts.append(f"{job.rate:,.0f} a second" if job.rate >= 1 else f"{1 / job.rate:.0f} s each")
    if job.eta_s:
        parts.append(f"{literal.duration(job.eta_s)} left")
    return " · ".join(parts)
