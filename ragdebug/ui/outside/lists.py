"""What production returned, for many queries at once: brought in, met with the questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.ui import literal, state
from ragdebug.ui.outside import list_report, taken_out
from ragdebug.ui.outside.looked_at import LookedAt
from ragdebug.ui.outside.times import moment

if TYPE_CHECKING:
    from ragdebug.store.result_lists import ResultListInfo
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.outside.list_reports import ListReport

_file = LookedAt("result lists")
_PART = "lists"
_OPEN = "_outside_lists_open"


def draw(wb: Workbench) -> None:
    """The lists there are, what the last file came to, and the way in."""
    _file.collect(wb)
    infos = wb.result_lists()
    if not infos:
        st.markdown(
            "**No result lists yet.** Bring in what your system returned for a set of queries: a"
            " TREC run, JSONL or CSV with texts or ids in its order. It becomes the strategy"
            " `list:NAME`: a column on Search, a row on Results, traced as far as a list tells."
            " A single list can be pasted on the Search page."
        )
    taken_out.undo(
        _PART, lambda _: "The lists are out of use; runs made of them stay.", wb.restore_list
    )
    for info in infos:
        _list(wb, info)
    with st.expander("Bring in result lists", expanded=not infos, icon=":material/upload_file:"):
        _form(wb)
    _file.say_problem()
    report: ListReport | None = _file.report
    if report is not None:
        _outcome(wb, report)
    taken_out.drawer(
        "Replaced or taken out",
        _PART,
        [
            (x.id, f"{x.name} · {x.queries:,} queries · {moment(x.created_at)}")
            for x in wb.result_lists(removed=True)
        ],
        wb.restore_list,
    )


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
        key=_file.field,
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

    _file.start(wb, file, dry_run, (file, name), work)


def _outcome(wb: Workbench, report: ListReport) -> None:
    with st.container(border=True, gap="small", key="outside_lists_outcome"):
        with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
            if report.dry_run and (looked := _file.request):
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
                on_click=_file.forget,
            )
        list_report.draw(report)


def _show(name: str) -> None:
    st.session_state[_OPEN] = name


def _remove(wb: Workbench, info: ResultListInfo) -> None:
    try:
        wb.remove_list(info.name)
    except RagDebugError as error:
        literal.problem(error)
        return
    taken_out.remember(_PART, info.id)
