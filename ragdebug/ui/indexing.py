"""Indexing from a page: what would be embedded, how long it takes, and the job that does it.

indexing.offer(wb, chunking, model)      a line with the plan and the buttons, if anything is new
indexing.start(wb, chunking, model)      the job itself; twice the same is one job
indexing.cut(wb, chunking)               whether the corpus is cut; a large one is a job, too
indexing.graph(wb, strategy)             what a list waits for whose HNSW index is not built
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.settings import DRAFT_EMBEDDER, ChunkingSettings, StrategySettings
from ragdebug.ui import literal, sending

if TYPE_CHECKING:
    from ragdebug.embed import EmbedPlan
    from ragdebug.workbench import BuildReport, Job, Workbench

AT_ONCE_S = 120  # below this indexing starts by itself
WORTH_SAYING_S = 5
_GRAPH = "graph "  # begins the keys of jobs that build approximate indexes
AT_ONCE_VECTORS = 5_000  # so many go into an approximate index within a search: some seconds
AT_ONCE_CHARS = 1_000_000  # a corpus up to this is cut while the page is drawn: about a second


def start(wb: Workbench, chunking: ChunkingSettings, model: str, *, send: bool = False) -> Job:
    """Index a chunking with a model in the background.

    Args:
        wb: the workspace.
        chunking: what is indexed.
        model: an embedding model.
        send: a person agreed to send the texts to its address.
    """

    def work(progress: Progress) -> BuildReport:
        with sending.within([model] if send else []):
            return wb.build(chunking, model, progress)

    return wb.jobs.start("index", f"Index with {model}", work, key=f"{chunking}|{model}")


def running(wb: Workbench, chunking: ChunkingSettings, model: str) -> Job | None:
    """The job that indexes exactly this, if it waits or runs."""
    key = f"{chunking}|{model}"
    return next((j for j in wb.jobs.active("index") if j.key == key), None)


def cut(wb: Workbench, chunking: ChunkingSettings) -> bool:
    """Whether the corpus can be cut while the page is drawn, or is cut already.

    A large one is cut by a job, which starts by itself, once; a line says so.
    """
    if wb.corpus().chars <= AT_ONCE_CHARS or wb.is_cut(chunking):
        return True
    key = f"cut {chunking}"
    job = next((j for j in wb.jobs.active("index") if j.key == key), None)
    if job is None and key not in _started():
        _started().add(key)
        wb.jobs.start(
            "index", "Cut the documents", lambda progress: wb.overview(chunking, progress), key=key
        )
        st.rerun()  # so that the sidebar shows it
    if job is not None:
        st.caption(":material/hourglass_top: Documents are being cut; the sidebar says how far.")
    elif not wb.jobs.active("index") and st.button(
        "Cut the documents", icon=":material/segment:", key=f"_cut_{chunking}"
    ):
        _started().discard(key)
        st.rerun()
    return False


def graph(wb: Workbench, strategy: StrategySettings) -> str:
    """What a list waits for whose approximate index is not built; "" when it is, or is small.

    A large one is built by a job, which starts by itself, once.
    """
    if strategy.dense.index != "hnsw":
        return ""
    key = f"{_GRAPH}{strategy.chunking}|{strategy.embedder}|{strategy.dense.hnsw_m}"
    job = next((j for j in wb.jobs.active("index") if j.key == key), None)
    if job is None:
        vectors = wb.approximate_missing(strategy)
        if vectors <= AT_ONCE_VECTORS:
            return ""
        if key in _started():
            return "the approximate index is not built: search again to build it"
        _started().add(key)
        job = wb.jobs.start(
            "index",
            f"Build the approximate index, {vectors:,} vectors",
            lambda progress: wb.build_approximate(strategy, progress),
            key=key,
        )
    far = f": {job.done:,} of {job.total:,} vectors" if job.total else ""
    return f"building the approximate index{far} …"


def graphs_again() -> None:
    """A person searches again: an approximate index that was stopped may start once more."""
    _started().difference_update([key for key in _started() if key.startswith(_GRAPH)])


def offer(wb: Workbench, chunking: ChunkingSettings, model: str) -> bool:
    """Say what is missing and offer to index it; small work starts by itself.

    Returns:
        Whether everything is indexed.
    """
    if not wb.corpus().documents:
        return True
    if not cut(wb, chunking):
        return False
    job = running(wb, chunking, model)
    plan = wb.plan(chunking, model)
    if not plan.new:
        return True
    if plan.sending is not None:
        if job is None:
            _send(wb, chunking, model, plan)
        return False
    if job is None and plan.estimate_s <= AT_ONCE_S and f"{chunking}|{model}" not in _started():
        _started().add(f"{chunking}|{model}")
        job = start(wb, chunking, model)
        st.rerun()  # so that the sidebar shows it
    if job is not None:
        return False
    name = f"{chunking}_{model}"
    draft = None
    if model != DRAFT_EMBEDDER and plan.estimate_s > AT_ONCE_S:
        draft = wb.plan(chunking, DRAFT_EMBEDDER)
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        took = literal.duration(draft.estimate_s) if draft is not None and draft.new else ""
        st.markdown(
            f"**{plan.new:,} new text{'' if plan.new == 1 else 's'}**, about "
            f"{literal.duration(plan.estimate_s)} with {literal.plain(model)}"
            + (f", {took} with static vectors." if took else "."),
            width="content",
        )
        if took and st.button(
            "Drafts first, this model in the background",
            type="primary",
            key=f"_drafts_{name}",
            help="Static vectors answer soon; the better model follows and takes over when done.",
        ):
            start(wb, chunking, DRAFT_EMBEDDER)
            start(wb, chunking, model)
            st.rerun()
        if st.button("Index now", type="secondary" if took else "primary", key=f"_index_{name}"):
            start(wb, chunking, model)
            st.rerun()
    return False


def _send(wb: Workbench, chunking: ChunkingSettings, model: str, plan: EmbedPlan) -> None:
    """What would go to which address, at what cost, and the button; never by itself."""
    sent = plan.sending
    if sent is None:
        return
    long = plan.estimate_s > WORTH_SAYING_S
    took = f", in about {literal.duration(plan.estimate_s)}" if long else ""
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":material/cloud_upload: {literal.plain(str(sent))}, would go to"
            f" **{literal.plain(sent.host)}** for {literal.plain(model)}{took}.",
            width="content",
        )
        if st.button(
            f"Send {literal.plain(sent.what)} to {literal.plain(sent.host)}",
            type="primary",
            key=f"_send_{chunking}_{model}",
            help="Each text is sent once. What is stopped goes on where it was.",
        ):
            start(wb, chunking, model, send=True)
            st.rerun()


def _started() -> set[str]:
    """What this session started by itself: a job that was stopped must not start again."""
    started: set[str] = st.session_state.setdefault("_indexed_once", set())
    return started
