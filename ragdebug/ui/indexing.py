"""Indexing from a page: what would be embedded, how long it takes, and the job that does it.

indexing.offer(wb, chunking, model)      a line with the plan and the buttons, if anything is new
indexing.start(wb, chunking, model)      the job itself; twice the same is one job
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.settings import DRAFT_EMBEDDER, ChunkingSettings
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import BuildReport, Job, Workbench

AT_ONCE_S = 120  # below this indexing starts by itself


def start(wb: Workbench, chunking: ChunkingSettings, model: str) -> Job:
    """Index a chunking with a model in the background."""

    def work(progress: Progress) -> BuildReport:
        return wb.build(chunking, model, progress)

    return wb.jobs.start("index", f"Index with {model}", work, key=f"{chunking}|{model}")


def running(wb: Workbench, chunking: ChunkingSettings, model: str) -> Job | None:
    """The job that indexes exactly this, if it waits or runs."""
    key = f"{chunking}|{model}"
    return next((j for j in wb.jobs.active("index") if j.key == key), None)


def offer(wb: Workbench, chunking: ChunkingSettings, model: str) -> bool:
    """Say what is missing and offer to index it; small work starts by itself.

    Returns:
        Whether everything is indexed.
    """
    if not wb.corpus().documents:
        return True
    job = running(wb, chunking, model)
    plan = wb.plan(chunking, model)
    if not plan.new:
        return True
    if job is None and plan.estimate_s <= AT_ONCE_S and not _refused(chunking, model):
        job = start(wb, chunking, model)
        _remember(chunking, model)
    if job is not None:
        return False
    draft = wb.plan(chunking, DRAFT_EMBEDDER)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{plan.new:,} new texts**, about {literal.duration(plan.estimate_s)} with "
            f"{literal.plain(model)}, {literal.duration(draft.estimate_s)} with static vectors."
        )
        if model != DRAFT_EMBEDDER and st.button(
            "Drafts first, this model in the background",
            type="primary",
            help="Static vectors answer soon; the better model follows and takes over when done.",
        ):
            start(wb, chunking, DRAFT_EMBEDDER)
            start(wb, chunking, model)
            st.rerun()
        if st.button("Index now"):
            start(wb, chunking, model)
            st.rerun()
    return False


def _refused(chunking: ChunkingSettings, model: str) -> bool:
    """Whether this session started it before: a stopped job must not start again by itself."""
    return f"{chunking}|{model}" in st.session_state.get("_indexed_once", set())


def _remember(chunking: ChunkingSettings, model: str) -> None:
    st.session_state.setdefault("_indexed_once", set()).add(f"{chunking}|{model}")
