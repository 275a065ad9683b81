"""Models of the hub that are not on this machine: said what would be fetched, then agreed to.

Nothing is asked of the network before a button is pressed. Where the app answers other computers,
too, nobody can make this one fetch anything; RAGDEBUG_OFFLINE=1 forbids it altogether.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import DEFAULT_RERANKER
from ragdebug.ui import literal, workspaces
from ragdebug.ui.search.filling import Filled

if TYPE_CHECKING:
    from ragdebug.protocols import Progress
    from ragdebug.ui.search.columns import Column
    from ragdebug.workbench import Workbench

_SIZES = "_search_download_sizes"


def offer(wb: Workbench, filled: Filled) -> None:
    """For each model that failed columns lack: what it is, how large, and the button."""
    wanted: dict[str, list[str]] = {}
    for column in filled.columns:
        result = filled.lists.get(column.name)
        if result is not None and result.error:
            for name in _models(column):
                wanted.setdefault(name, []).append(column.short)
    for name in wb.fetchable(list(wanted)):
        one(wb, name, wanted[name])


def _models(column: Column) -> list[str]:
    s = column.strategy
    names = [s.embedder] if s.uses_vectors else []
    if s.preset == "reranked" and s.rerank.model != DEFAULT_RERANKER:
        names.append(s.rerank.model)
    return names


def one(wb: Workbench, name: str, needing: list[str]) -> None:
    """A model that is not here, what needs it, how large it is, and the button that fetches it."""
    with st.container(border=True, gap="small", key=f"search_fetch_{name}"):
        _one(wb, name, needing)


def _one(wb: Workbench, name: str, columns: list[str]) -> None:
    needed = f"{', '.join(columns)} {'needs' if len(columns) == 1 else 'need'} it"
    head = f":material/download: **{literal.plain(name, 80)}** is not on this machine; {needed}."
    if not workspaces.by_path_allowed():
        st.markdown(head)
        st.caption("Models are fetched only where the app answers this computer alone.")
        return
    if any(job.key == name for job in wb.jobs.active("fetch")):
        st.markdown(head)
        st.caption(":material/hourglass_top: It is being fetched.")
        return
    sizes = st.session_state.setdefault(_SIZES, {})
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(head, width="content")
        if st.button("Fetch it from the hub", type="primary", key=f"search_fetch_now_{name}"):
            _start(wb, name)
        if name not in sizes and st.button(
            "How large is it?",
            type="tertiary",
            key=f"search_fetch_size_{name}",
            help="Asks huggingface.co for the sizes of the files; nothing is fetched.",
        ):
            try:
                sizes[name] = wb.download_of(name)
            except RagDebugError as error:
                literal.problem(error)
            else:
                st.rerun()
    if name in sizes:
        found = sizes[name]
        literal.small(
            f"{found.files:,} files, {_size(found.size_bytes)}, of {found.repo} at "
            "huggingface.co; they stay in the hub's cache on this machine."
        )


def _start(wb: Workbench, name: str) -> None:
    def work(progress: Progress) -> None:
        wb.fetch_model(name, progress)

    wb.jobs.start("fetch", f"Fetch {name}", work, key=name)
    st.rerun()


def _size(n: int) -> str:
    """Bytes as a person says them."""
    return f"{n / 1e9:.1f} GB" if n >= 1e9 else f"{n / 1e6:,.0f} MB" if n >= 1e6 else "under 1 MB"
