"""What the last reading of this session did, until it is put away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import MassRemoval
from ragdebug.ui import literal, state, tables
from ragdebug.ui.corpus import reading_in
from ragdebug.ui.corpus.reading_in import JOB, PROBLEM, QUESTION, REPORT, REQUEST, Folder

if TYPE_CHECKING:
    from ragdebug.records import DocumentInfo
    from ragdebug.workbench import IngestReport, Workbench

SHOWN = 5  # failures with a message of their own
MOST = 1000


def collect(wb: Workbench) -> None:
    """Take up what a job of this session came to."""
    job = wb.jobs.get(st.session_state.get(JOB, 0))
    if job is None or job.active:
        return
    del st.session_state[JOB]
    request = st.session_state.get(REQUEST)
    if job.state == "failed":
        st.session_state[PROBLEM] = (job.error, job.hint)
    elif isinstance(job.result, MassRemoval) and isinstance(request, Folder):
        st.session_state[QUESTION] = replace(request, gone=job.result.message)
    elif job.state == "done":
        st.session_state[REPORT] = job.result


def draw(wb: Workbench) -> None:
    """The report, or why there is none."""
    if problem := st.session_state.get(PROBLEM):
        literal.problem(*problem)
    report: IngestReport | None = st.session_state.get(REPORT)
    if report is None:
        return
    failed = [d for d in report.documents if d.status == "failed"]
    with st.container(border=True, gap="small", key="corpus_report"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            st.markdown(_head(report), width="content")
            with st.container(
                horizontal=True, width="content", gap="small", vertical_alignment="center"
            ):
                _next(wb, report)
                if st.button("Close", type="tertiary", icon=":material/close:"):
                    del st.session_state[REPORT]
                    st.rerun()
        for d in failed[:SHOWN]:
            literal.note(d.error, d.hint)
        if len(failed) > SHOWN:
            _rows([{"not read": d.source, "why": d.error} for d in failed[SHOWN:MOST]])
        changed = sorted(
            (d for d in report.documents if d.status not in ("unchanged", "failed")),
            key=lambda d: d.source,
        )
        if report.dry_run or len({d.status for d in changed}) > 1:
            _rows([{"document": d.source, "what": _what(d, report)} for d in changed[:MOST]])
        if report.skipped:
            with st.expander(f"{len(report.skipped):,} files left out"):
                _rows([{"file": name, "why": why} for name, why in report.skipped[:MOST]])


def _head(report: IngestReport) -> str:
    counts = [f"{n:,} {s}" for s, n in report.counts().items()]
    if not counts:
        return "**There was nothing to read.**"
    if report.dry_run:
        return f":material/difference: **Reading it now would give: {', '.join(counts)}.**"
    mark = ":orange[:material/warning:]" if report.count("failed") else ":green[:material/check:]"
    return f"{mark} **{', '.join(counts)}**"


def _what(d: DocumentInfo, report: IngestReport) -> str:
    return {"removed": "would be taken out" if report.dry_run else "taken out"}.get(
        d.status, d.status
    )


def _next(wb: Workbench, report: IngestReport) -> None:
    """The next step: read what was only compared, or open what came in."""
    request = st.session_state.get(REQUEST)
    if report.dry_run and isinstance(request, Folder):
        if st.button("Read it", type="primary", icon=":material/add:", key="corpus_read_it"):
            reading_in.folder(wb, replace(request, dry_run=False))
        return
    fresh = [d for d in report.documents if d.status in ("added", "changed") and d.id]
    if len(fresh) == 1:
        state.link_to_document(f"Open {literal.plain(fresh[0].source, 40)}", fresh[0].id)


def _rows(rows: list[dict[str, str]]) -> None:
    if rows:
        st.dataframe(rows, hide_index=True, height=tables.height(len(rows), 216))
