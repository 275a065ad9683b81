"""Evaluations as jobs: started, watched, gone on with, and rows that wait for a yes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.runs import DONE, FAILED, STOPPED, Run
from ragdebug.settings import StrategySettings
from ragdebug.ui import jobs as job_lines
from ragdebug.ui import literal, sending
from ragdebug.ui.questions import doing
from ragdebug.ui.results import kept, removed, words
from ragdebug.web.consent import AGREE

if TYPE_CHECKING:
    from ragdebug.workbench import Job, Workbench
    from ragdebug.workbench.evaluation.reports import EvaluationReport, PlannedRun

KIND, PLAN = "evaluate", "plan"
SAMPLE = 50
MOST_STOPPED = 3
_CLOSED = "_results_closed"


def key(strategies: Sequence[StrategySettings | str], tag: str, *more: object) -> str:
    """Tells jobs apart; `strategies_of` reads it again."""
    return json.dumps([[str(s) for s in strategies], tag, *more])


def strategies_of(job: Job) -> list[str]:
    """Text forms of what a job evaluates."""
    return [str(s) for s in json.loads(job.key)[0]]


def start(
    wb: Workbench,
    strategies: Sequence[StrategySettings | str],
    tag: str = "",
    *,
    sample: int = 0,
    seed: int = 0,
    yes: bool = False,
    note: str = "",
) -> None:
    """Evaluate in the background. For callbacks, too."""
    send = sending.names(wb)

    def work(progress: Progress) -> EvaluationReport:
        with sending.within(send):
            return wb.evaluate(
                strategies,
                slice=tag,
                sample=sample,
                seed=seed,
                yes=yes,
                note=note,
                progress=progress,
            )

    many = "one strategy" if len(strategies) == 1 else f"{len(strategies):,} strategies"
    name = key(strategies, tag, sample, yes)
    wb.jobs.start(KIND, f"Evaluate {many}", work, key=name)


def plan(wb: Workbench, strategies: Sequence[StrategySettings], tag: str) -> None:
    """Estimate in the background. For callbacks, too."""

    def work(progress: Progress) -> list[PlannedRun]:
        return wb.plan_evaluation(strategies, slice=tag, progress=progress)

    wb.jobs.start(PLAN, "Estimate an evaluation", work, key=key(strategies, tag))


def draw(wb: Workbench, runs: Sequence[Run]) -> None:
    """What runs, what waits, what was stopped, what failed."""
    active = wb.jobs.active(KIND)
    if active:
        st.fragment(_watch, run_every=1.0)(wb, kept.state_of(runs))
    _failed(wb)
    busy = {s for job in active for s in strategies_of(job)}
    for strategy, (tag, planned) in _waiting(wb).items():
        if strategy not in busy:
            _wait(wb, planned, tag)
    if not active:
        for run in _stopped(runs)[:MOST_STOPPED]:
            _go_on(wb, run)


def _watch(wb: Workbench, seen: kept.State) -> None:
    """Progress of the evaluation; the page runs again with each run that is done."""
    active = wb.jobs.active(KIND)
    if not active or kept.state_of(wb.runs()) != seen:
        st.rerun()
    job = next((j for j in active if j.state == "running"), active[0])
    with st.container(border=True, gap="xsmall", key="results_progress"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            waits = " · waits for the job before it" if job.state == "waiting" else ""
            st.markdown(f"**{literal.plain(job.title, 80)}**{waits}", width="content")
            st.caption(job_lines.progress_line(job), width="content")
            st.button(
                "Stop",
                key="results_stop",
                type="tertiary",
                on_click=wb.jobs.cancel,
                args=(job.id,),
                help="What is finished stays; it can be gone on with.",
            )
        st.progress(job.share or 0.0)
        literal.small(" · ".join(strategies_of(job)[:6]))


def _failed(wb: Workbench) -> None:
    """The last evaluation, where it failed, or where a searcher could not be asked."""
    last = next((j for j in wb.jobs.list() if j.kind in (KIND, PLAN)), None)
    if last is None or st.session_state.get(_CLOSED) == last.id:
        return
    problems = [(last.error, last.hint)] if last.state == "failed" else []
    if last.kind == KIND and last.state == "done":
        report: EvaluationReport = last.result
        problems = [(f"{name}: {why}", "") for name, why in report.failed]
    if not problems:
        return
    for message, hint in problems:
        if not _may_be_sent(wb, last, message, hint):
            literal.problem(message, hint)
    if st.button("Close", type="tertiary", icon=":material/close:", key="results_failed_close"):
        st.session_state[_CLOSED] = last.id
        st.rerun()


def _may_be_sent(wb: Workbench, job: Job, message: str, hint: str) -> bool:
    """Draw who would get how much, and after the yes the way on; False for other problems."""
    if hint != AGREE:
        return False
    strategies = [StrategySettings.parse(s) for s in strategies_of(job)]
    if not sending.problem(wb, strategies, "results", message, hint):
        st.button(
            "Evaluate, now that it may be sent",
            type="primary",
            icon=":material/play_arrow:",
            key="results_send_now",
            on_click=start,
            args=(wb, strategies, str(json.loads(job.key)[1])),
        )
    return True


# Rows that wait -----------------------------------------------------------------------------------


def _waiting(wb: Workbench) -> dict[str, tuple[str, PlannedRun]]:
    """Strategy -> (tag, plan) of what an evaluation left for a yes and no later one ran."""
    waiting: dict[str, tuple[str, PlannedRun]] = {}
    for job in reversed(wb.jobs.list()):
        if job.kind != KIND:
            continue
        tag = str(json.loads(job.key)[1])
        for strategy in strategies_of(job):
            waiting.pop(strategy, None)
        if job.state == "done":
            report: EvaluationReport = job.result
            waiting |= {str(p.strategy): (tag, p) for p in report.waiting}
    return waiting


def _wait(wb: Workbench, planned: PlannedRun, tag: str) -> None:
    strategy = str(planned.strategy)
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small",
                      key=f"results_wait_{abs(hash(strategy))}"):  # fmt: skip
        read = f"{planned.passages:,} passages for {planned.questions:,} questions"
        st.markdown(
            f":material/hourglass_empty: **{literal.plain(planned.label, 80)}** waits: reranking "
            f"{read} would take about **{literal.duration(planned.estimate_s)}**.",
            width="content",
        )
        st.button(
            "Run it",
            type="primary",
            key=f"results_yes_{strategy}",
            on_click=start,
            args=(wb, [planned.strategy], tag),
            kwargs={"yes": True},
        )
        if planned.questions > SAMPLE:
            st.button(
                f"Run on a sample of {SAMPLE}",
                key=f"results_sample_{strategy}",
                on_click=start,
                args=(wb, [planned.strategy], tag),
                kwargs={"sample": SAMPLE},
                help="Drawn by a fixed seed, and marked as such wherever it is shown.",
            )


# Runs that were stopped ---------------------------------------------------------------------------


def _stopped(runs: Sequence[Run]) -> list[Run]:
    done = {r.fingerprint for r in runs if r.state == DONE}
    return [r for r in runs if r.state in (STOPPED, FAILED) and r.fingerprint not in done]


def _go_on(wb: Workbench, run: Run) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small",
                      key=f"results_stopped_{run.id}"):  # fmt: skip
        why = f": {literal.plain(run.error, 200)}" if run.error else ""
        st.markdown(
            f":material/pause_circle: **{literal.plain(run.label or run.strategy, 80)}** was "
            f"{run.state} ({words.when(run)}){why}.",
            width="content",
        )
        st.button(
            "Go on",
            icon=":material/play_arrow:",
            key=f"results_go_on_{run.id}",
            on_click=start,
            args=(wb, [run.strategy], run.slice),
            kwargs={"sample": run.sampled, "seed": run.seed, "yes": True, "note": run.note},
            help="From where it was, if documents, questions and versions are still the same.",
        )
        st.button(
            "Take out",
            type="tertiary",
            key=f"results_drop_{run.id}",
            on_click=doing.attempt,
            args=(removed.take_out, wb, [run.id]),
        )
