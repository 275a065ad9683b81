"""Where an earlier run found it: which of the settings that differ lost it since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.questions import LABELLED
from ragdebug.runs import Run
from ragdebug.ui import literal, sending, tables
from ragdebug.ui.trace.choose import Chosen
from ragdebug.workbench.tracing.reports import WhyReport
from ragdebug.workbench.whatif.reports import Reverted, WhichSetting

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

KIND = "which_setting"


def draw(wb: Workbench, chosen: Chosen, report: WhyReport) -> None:
    """Offer it for a question of the set that is lost here and was found by a kept run."""
    question, strategy = chosen.question, chosen.strategy
    if not (report.lost and question.id and question.state == LABELLED):
        return
    runs = {run.id: run for run in wb.runs_that_found(question.id)
            if run.strategy != str(strategy)}  # fmt: skip
    if not runs:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        id_ = st.selectbox(
            "An earlier run found it",
            list(runs),
            format_func=lambda i: _named(runs[i]),
            key="trace_earlier",
            width=460,
        )
        name = f"{question.id} {id_} {strategy}"
        job = next((j for j in wb.jobs.list() if (j.kind, j.key) == (KIND, name)), None)
        asked = st.button(
            "Which setting matters?",
            key="trace_earlier_ask",
            icon=":material/compare_arrows:",
            disabled=job is not None and job.active,
            help="The settings that differ are put back one at a time, and each is searched with.",
        )
    if asked:
        send = sending.names(wb)

        def work(progress: Progress) -> WhichSetting:
            with sending.within(send):
                return wb.which_setting(id_, strategy, question.id, yes=True, progress=progress)

        wb.jobs.start(KIND, "Find the setting that matters", work, key=name)
        st.rerun()
    if job is None:
        return
    if job.active:
        st.caption("One setting after the other is put back; see the menu.")
    elif job.state == "failed":
        if not sending.problem(wb, [strategy], "trace_earlier", job.error, job.hint):
            literal.problem(job.error, job.hint)
    elif job.state == "done":
        _told(job.result)


def _named(run: Run) -> str:
    return literal.one_line(f"{run.id} · {run.strategy} · {run.created_at[:16]}", 120)


def _told(told: WhichSetting) -> None:
    st.markdown(f"**{literal.plain(told.sentence, 600)}**")
    for note in told.notes:
        literal.small(note)
    if told.tried:
        rows = [_row(one) for one in told.tried]
        st.dataframe(
            pd.DataFrame(rows), hide_index=True, height=tables.height(len(rows), 300),
            width="stretch",
        )  # fmt: skip


def _row(one: Reverted) -> dict[str, str]:
    ranks = ", ".join(str(rank) if rank else "–" for rank in one.ranks)
    put_back = "brings it back" if one.delivered else "still lost"
    return {
        "setting": one.setting,
        "now": literal.one_line(one.lost, 80),
        "put back to": literal.one_line(one.found, 80),
        "alone": literal.one_line(one.error, 160) if one.error else f"{put_back}, rank {ranks}",
    }
