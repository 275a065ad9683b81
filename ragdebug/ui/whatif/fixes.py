"""Try fixes: the usual remedies, what each costs and does, confirming one and giving it a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.settings import StrategySettings
from ragdebug.ui import literal, sending, tables
from ragdebug.workbench.whatif.reports import Confirmation, Fix, FixReport

if TYPE_CHECKING:
    from ragdebug.workbench import Job, Workbench

KIND, CONFIRM = "fixes", "confirm"
MOST_PX = 600
# Name -> width in px, together what a narrow screen has, and help.
COLUMNS = {
    "remedy": (200, None),
    "this question": (105, "Whether it is delivered, and at which rank its passages are found."),
    "others": (100, "How many of the other questions are rescued and how many harmed."),
    "ms": (55, "Milliseconds added to a search; a median, without loading a model."),
    "verdict": (355, "Of the difference on the other questions, with p for all remedies tried."),
}


def draw(wb: Workbench, question: str, strategy: StrategySettings, key: str) -> None:
    """Draw the button, then what was tried; trying goes on when the page is left."""
    name = f"{question} {strategy}"
    job = _last(wb, KIND, name)
    if job is not None and job.active:
        st.caption("Remedies are being tried; see the menu.")
        return
    label = "Try fixes" if job is None else "Try again"
    help_ = "The usual remedies for the stage that lost it, on this question and on all others."
    if st.button(label, key=f"{key}_try", icon=":material/healing:", help=help_):
        _start(wb, question, strategy, name, yes=False)
        st.rerun()
    if job is None:
        return
    if job.state == "failed":
        if not sending.problem(wb, [strategy], f"{key}_fix", job.error, job.hint):
            literal.problem(job.error, job.hint)
    elif job.state == "done":
        _report(wb, job.result, name, key)


def tried(wb: Workbench, question: str, strategy: StrategySettings) -> tuple[Fix, ...]:
    """What was tried last on a question under a strategy; nothing where nothing was."""
    job = _last(wb, KIND, f"{question} {strategy}")
    return job.result.fixes if job is not None and job.state == "done" else ()


def adopt(wb: Workbench, strategy: StrategySettings, key: str) -> None:
    """A field and a button that make a named strategy of a setting."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.text_input("Name", key=f"{key}_name", placeholder="for the manuals", width=240)
        if st.button("Keep as a strategy", key=f"{key}_keep", disabled=not name.strip()):
            try:
                wb.name_strategy(name, strategy)
            except RagDebugError as error:
                literal.problem(error)
            else:
                st.toast("Kept.", icon=":material/check:")


def _start(wb: Workbench, question: str, strategy: StrategySettings, name: str, yes: bool) -> None:
    send = sending.names(wb)

    def work(progress: Progress) -> FixReport:
        with sending.within(send):
            return wb.try_fixes(question, strategy, yes=yes, progress=progress)

    wb.jobs.start(KIND, "Try fixes", work, key=name)


def _last(wb: Workbench, kind: str, name: str) -> Job | None:
    return next((job for job in wb.jobs.list() if job.kind == kind and job.key == name), None)


def _report(wb: Workbench, report: FixReport, name: str, key: str) -> None:
    if report.note:
        st.info(literal.plain(report.note, 600), icon=":material/info:")
    if report.fixes:
        rows = [_row(fix) for fix in report.fixes]
        tall = tables.row_px(rows, {name: width for name, (width, _) in COLUMNS.items()})
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            height=min(tables.ROW_PX + len(rows) * tall + 3, MOST_PX),
            row_height=tall,
            width="stretch",
            column_config={
                name: st.column_config.TextColumn(width=width, help=text)
                for name, (width, text) in COLUMNS.items()
            },
        )
        _one(wb, report, key)
    if report.waiting:
        st.caption("Not tried:")
        for planned in report.waiting:
            literal.small(f"{planned.name}: {planned.error or planned.cost}")
        if any(not p.error for p in report.waiting) and st.button(
            "Try these too", key=f"{key}_all"
        ):
            _start(wb, report.question, report.strategy, name, yes=True)
            st.rerun()


def _row(fix: Fix) -> dict[str, str]:
    ranks = ", ".join(str(r) if r else "–" for r in fix.question.after)
    more = " (harms more)" if fix.harms_more else ""
    values = (
        fix.planned.name,
        f"{'back' if fix.helps else 'still lost'}, rank {ranks}",
        f"+{len(fix.rescued)} −{len(fix.harmed)} of {fix.others.n}{more}",
        f"{round(fix.milliseconds_added):+,}",
        fix.verdict,
    )
    return dict(zip(COLUMNS, values, strict=True))


def _one(wb: Workbench, report: FixReport, key: str) -> None:
    """Confirm one fix by a run, and keep it under a name."""
    at = st.selectbox(
        "Remedy",
        range(len(report.fixes)),
        format_func=lambda i: report.fixes[i].planned.name,
        key=f"{key}_which",
        width=320,
    )
    fix = report.fixes[at]
    literal.small(f"{fix.planned.reason} {fix.sentence}.")
    name = f"{report.question} {fix.planned.strategy}"
    job = _last(wb, CONFIRM, name)
    if job is not None and job.active:
        st.caption("A run is on its way; see the menu.")
    elif job is not None and job.state == "done":
        done: Confirmation = job.result
        literal.small(done.sentence)
    else:
        if job is not None and job.state == "failed":
            literal.problem(job.error, job.hint)
        send = sending.names(wb)
        if st.button("Confirm by a run", key=f"{key}_confirm", icon=":material/check_circle:"):

            def work(progress: Progress) -> Confirmation:
                with sending.within(send):
                    return wb.confirm(fix, report.question, progress)

            wb.jobs.start(CONFIRM, "Confirm a fix", work, key=name)
            st.rerun()
    adopt(wb, fix.planned.strategy, f"{key}_{at}")
