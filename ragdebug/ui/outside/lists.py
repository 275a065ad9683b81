"""What production returned, for many queries at once: brought in, met with the questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.ui import literal, state
from ragdebug.ui.outside import list_report
from ragdebug.ui.outside.times import moment

if TYPE_CHECKING:
    from ragdebug.store.result_lists import ResultListInfo
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.outside.list_reports import ListReport

KIND = "result lists"
_JOB = "_outside_lists_job"
_REPORT = "_outside_lists_report"
_PROBLEM = "_outside_lists_problem"
_FILE = "_outside_lists_file"  # (file, name) that was looked at
_ROUND = "_outside_lists_round"
_OPEN = "_outside_lists_open"
_TAKEN_OUT = "_outside_lists_removed"
_PATIENCE_S = 1.5


def draw(wb: Workbench) -> None:
    """The lists there are, what the last file came to, and the way in."""
    _collect(wb)
    infos = wb.result_lists()
    if not infos:
        st.markdown(
            "**No result lists yet.** Bring in what your system returned for a set of queries: a"
            " TREC run, JSONL or CSV with texts or ids in its order. It becomes the strategy"
            " `list:NAME`: a column on Search, a row on Results, traced as far as a list tells."
            " A single list can be pasted on the Search page."
        )
    _undo(wb)
    for info in infos:
        _list(wb, info)
    with st.expander("Bring in result lists", expanded=not infos, icon=":material/upload_file:"):
        _form(wb)
    if problem := st.session_state.get(_PROBLEM):
        literal.problem(*problem)
    report: ListReport | None = st.session_state.get(_REPORT)
    if report is not None:
        _outcome(wb, report)
    _removed(wb)


def _list(wb: Workbench, info: ResultListInfo) -> None:
    with st.container(border=True, gap="small", key=f"outside_list_{info.id}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            with st.container(gap="xxsmall", width="stretch"):
                many = f"{info.queries:,} queries" if info.queries != 1 else "1 query"
                st.markdown(f"**{literal.plain(info.name, 60)}** · {many}")
                literal.small(
                    f"searched as list:{info.name} · {info.file} · {moment(info.created_at)}"
                )
            with st.container(
                horizontal=True, width="content", gap="small", vertical_alignment="center"
            ):
                st.page_link(
                    state.SEARCH,
                    label="Search",
                    icon=":material/search:",
                    query_params=state.search_params("", columns=f"list:{info.name},hybrid"),
                )
                is_open = st.session_state.get(_OPEN) == info.name
                st.button(
                    "Close" if is_open else "How they meet the questions",
                    key=f"outside_show_list_{info.id}",
                    icon=":material/close:" if is_open else ":material/fact_check:",
                    on_click=_show,
                    args=("" if is_open else info.name,),
                )
                st.button(
                    "Take out",
                    key=f"outside_drop_list_{info.id}",
                    icon=":material/remove_circle:",
                    type="tertiary",
                    on_click=_remove,
                    args=(wb, info),
                )
        if st.session_state.get(_OPEN) == info.name:
            try:
                list_report.draw(wb.list_report(info.name))
            except RagDebugError as error:
                literal.problem(error)


def _form(wb: Workbench) -> None:
    file = st.file_uploader(
        "TREC run, JSONL, JSON, CSV or TSV",
        key=f"_outside_lists_upload_{st.session_state.get(_ROUND, 0)}",
    )
    if file is None:
        return
    name = st.text_input(
        "Name", placeholder="that of the file", key="_outside_lists_name", max_chars=60,
        help="They are searched as list:NAME. Lists that have the name are replaced.",
    )  # fmt: skip
    st.button(
        "Look at it",
        type="primary",
        icon=":material/fact_check:",
        key="outside_lists_look",
        help="Reads and places all hits, and keeps nothing.",
        on_click=_start,
        args=(wb, (file.name, file.getvalue()), name, True),
    )


def _start(wb: Workbench, file: tuple[str, bytes], name: str, dry_run: bool) -> None:
    def work(progress: Progress) -> ListReport:
        return wb.import_lists(file, name, dry_run=dry_run, progress=progress)

    verb = "Look at" if dry_run else "Bring in"
    try:
        job = wb.jobs.start(KIND, f"{verb} {file[0]}", work, key=f"{dry_run} {id(file)}")
    except RagDebugError as error:
        st.session_state[_PROBLEM] = (error.message, error.hint)
        return
    _forget()
    st.session_state[_JOB] = job.id
    if dry_run:
        st.session_state[_FILE] = (file, name)
    else:
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    wb.jobs.wait(job.id, _PATIENCE_S)


def _collect(wb: Workbench) -> None:
    """Take up what a job of this session came to."""
    job = wb.jobs.get(st.session_state.get(_JOB, 0))
    if job is None or job.active:
        return
    del st.session_state[_JOB]
    if job.state == "failed":
        st.session_state[_PROBLEM] = (job.error, job.hint)
    elif job.state == "done":
        st.session_state[_REPORT] = job.result


def _outcome(wb: Workbench, report: ListReport) -> None:
    with st.container(border=True, gap="small", key="outside_lists_outcome"):
        with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
            if report.dry_run and (looked := st.session_state.get(_FILE)):
                st.button(
                    "Bring them in",
                    type="primary",
                    icon=":material/add:",
                    key="outside_lists_bring",
                    on_click=_start,
                    args=(wb, *looked, False),
                )
            st.button(
                "Close",
                type="tertiary",
                icon=":material/close:",
                key="outside_lists_close",
                on_click=_forget,
            )
        list_report.draw(report)


def _forget() -> None:
    for old in (_REPORT, _PROBLEM, _FILE):
        st.session_state.pop(old, None)


def _show(name: str) -> None:
    st.session_state[_OPEN] = name


def _remove(wb: Workbench, info: ResultListInfo) -> None:
    try:
        wb.remove_list(info.name)
    except RagDebugError as error:
        st.session_state[_PROBLEM] = (error.message, error.hint)
        return
    st.session_state[_TAKEN_OUT] = info.id


def _restore(wb: Workbench, list_id: str) -> None:
    wb.restore_list(list_id)


def _undo(wb: Workbench) -> None:
    gone = st.session_state.get(_TAKEN_OUT)
    if not gone:
        return
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", gap="small", key="lists_undo"
    ):
        st.markdown("The lists are out of use; runs made of them stay.", width="content")
        if st.button("Undo", icon=":material/undo:", key="lists_undo_button"):
            del st.session_state[_TAKEN_OUT]
            wb.restore_list(gone)
            st.rerun()


def _removed(wb: Workbench) -> None:
    gone = wb.result_lists(removed=True)
    if not gone:
        return
    with st.expander(f"Replaced or taken out · {len(gone):,}", icon=":material/inventory_2:"):
        for info in gone[:50]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.button(
                    "Bring back",
                    key=f"outside_back_list_{info.id}",
                    icon=":material/undo:",
                    on_click=_restore,
                    args=(wb, info.id),
                )
                literal.small(f"{info.name} · {info.queries:,} queries · {moment(info.created_at)}")
