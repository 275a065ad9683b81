"""``ragdebug evaluate``, ``compare`` and ``gate``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdebug.cli.base import Session, command, table
from ragdebug.cli.health_line import at_hand
from ragdebug.cli.named import spelled_out
from ragdebug.cli.sending import announce, sends
from ragdebug.errors import InvalidSetting, NothingToMeasure
from ragdebug.settings import PRESETS, ChunkingSettings, StrategySettings, parse_strategies
from ragdebug.workbench import plain_runs as plain

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import EvaluationReport, PlannedRun, RunRow

FIRST = ("recall@5", "recall@2000t", "rr@10", "ndcg@10")

_strategy = click.option(
    "--strategy",
    "-s",
    default=",".join(PRESETS),
    show_default=True,
    help="Names separated by commas; each may be like hybrid@fixed:200/0+rrf_k=30.",
)
_chunking = click.option(
    "--chunking",
    "-c",
    "chunkings",
    multiple=True,
    help="Such as structure:220/40; several times: each strategy runs on each of them.",
)
_model = click.option("--model", "-m", default="", help="Embedding model: a name or a folder.")
_slice = click.option("--slice", "tag", default="", metavar="TAG", help="Only questions so tagged.")
_share = click.option(
    "--found-share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    help="Share of a passage's characters that counts as found.",
)
_yes = click.option("--yes", is_flag=True, help="Also run what takes minutes.")
_sample = click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Run reranked strategies on N questions drawn at random.",
)
_seed = click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")


def strategies_of(strategy: str, chunkings: tuple[str, ...], model: str) -> list[StrategySettings]:
    """The strategies on each of the chunkings."""
    base = StrategySettings().changed({"model": model} if model else {})
    bases = [replace(base, chunking=ChunkingSettings.parse(c)) for c in chunkings] or [base]
    return [s for one in bases for s in parse_strategies(strategy, one)]


@click.command()
@_strategy
@_chunking
@_model
@click.option("--k", "ks", default="1,3,5,10,20", show_default=True, help="Shown values of k.")
@_slice
@_share
@_yes
@_sample
@_seed
@click.option("--note", default="", help="Kept with each run.")
@click.option("--download", is_flag=True, help="Agree to fetch a hub model that is not here.")
@command
@sends
def evaluate(
    session: Session,
    strategy: str,
    chunkings: tuple[str, ...],
    model: str,
    ks: str,
    tag: str,
    found_share: float,
    yes: bool,
    sample: int,
    seed: int,
    note: str,
    download: bool,
) -> None:
    """Run strategies over the questions and measure what they find.

    Each run is kept; see them with: ragdebug runs list. What is stopped goes on at the next call.
    """
    wanted = strategies_of(spelled_out(session, strategy), chunkings, model)
    shown = _ks(ks)
    line = session.progress()
    with session.workbench() as wb:
        names = wb.measure_names(shown)
        announce(session, wb, wanted)
        try:
            report = wb.evaluate(
                wanted,
                slice=tag,
                sample=sample,
                seed=seed,
                yes=yes,
                note=note,
                progress=line,
                on_run=lambda run: session.say(f"{run.label}: {run.elapsed_s:,.1f} s"),
                allow_download=download,
            )
        finally:
            line.close()
        rows = wb.run_rows([r.id for r in report.runs], names, found_share)
        health = at_hand(wb, wanted)
    value = {
        "runs": [plain.run_row(r) for r in rows],
        "waiting": [plain.planned(p) for p in report.waiting],
        "failed": [{"strategy": s, "reason": why} for s, why in report.failed],
        "labelled": report.labelled,
        "unlabelled": report.unlabelled,
        "unanswerable": report.unanswerable,
        "unusable": [{"question": q, "reason": why} for q, why in report.unusable],
        "found_share": found_share,
        "health": health.value,
    }
    session.result(value, lambda: f"{_report(report, rows, shown)}\n{health.text}")
    for planned in report.waiting:
        session.say(_waits(planned))
    for name, why in report.failed:
        session.say(f"{name}: {why}")
    if (report.waiting and not report.runs) or report.failed:
        sys.exit(1)


def _ks(text: str) -> list[int]:
    try:
        ks = sorted({int(part) for part in text.split(",")})
    except ValueError:
        ks = []
    if not ks or ks[0] < 1 or ks[-1] > 100:
        raise InvalidSetting(f"--k {text} is not understood.", hint="Give numbers: 1,5,10.")
    return ks


def _waits(planned: PlannedRun) -> str:
    return (
        f"{planned.label} would read {planned.passages:,} passages, about "
        f"{planned.estimate_s / 60:,.0f} minutes. Run it with --yes, or with --sample 50."
    )


def _report(report: EvaluationReport, rows: list[RunRow], ks: list[int]) -> str:
    names = [*(f"recall@{k}" for k in ks), *(n for n in FIRST if n not in ("recall@5",))]
    cells = [
        [
            r.run.id,
            r.run.label,
            str(r.n),
            *(interval_text(r, name) for name in names),
            "" if r.milliseconds is None else f"{r.milliseconds:,.0f}",
        ]
        for r in rows
    ]
    counts = (
        f"{report.labelled} labelled, {report.unlabelled} unlabelled, "
        f"{report.unanswerable} not answerable here"
    )
    lines = [table(cells, ["run", "strategy", "n", *names, "ms"]), counts]
    lines += [f"! {q}: {why}" for q, why in report.unusable]
    lines += [f"! {r.run.label}: {note}" for r in rows for note in r.notes]
    return "\n".join(lines)


def interval_text(row: RunRow, name: str) -> str:
    """A mean with its interval, such as ``0.75 (0.62-0.85)``."""
    one = row.metrics[name]
    return f"{one.mean:.2f} ({one.low:.2f}-{one.high:.2f})" if one.n else "-"


@click.command()
@click.argument("run_a", metavar="RUN")
@click.argument("run_b", metavar="RUN")
@click.option("--measure", default="recall@5", show_default=True)
@_slice
@_share
@command
def compare(
    session: Session, run_a: str, run_b: str, measure: str, tag: str, found_share: float
) -> None:
    """Say whether the second RUN is better or worse than the first, on the same questions."""
    with session.workbench() as wb:
        wb.measure_definition(measure)
        result = wb.compare_runs(run_a, run_b, measure, found_share, tag)
    session.result(
        plain.comparison(result),
        lambda: "\n".join([result.verdict, *(f"! {n}" for n in result.notes)]),
    )


@click.command()
@click.option("--min", "floors", multiple=True, metavar="MEASURE=FLOOR", help="recall@5=0.8")
@click.option("--baseline", default="", metavar="RUN", help="Refuse a drop beyond noise.")
@click.option("--run", "runs", multiple=True, help="Check these runs instead of running now.")
@click.option("--strategy", "-s", default="hybrid", show_default=True)
@_chunking
@_model
@_slice
@_share
@_yes
@_sample
@_seed
@click.option(
    "--junit", type=click.Path(dir_okay=False, path_type=Path), help="Also write a JUnit file."
)
@command
@sends
def gate(
    session: Session,
    floors: tuple[str, ...],
    baseline: str,
    runs: tuple[str, ...],
    strategy: str,
    chunkings: tuple[str, ...],
    model: str,
    tag: str,
    found_share: float,
    yes: bool,
    sample: int,
    seed: int,
    junit: Path | None,
) -> None:
    """Refuse a change that makes retrieval worse.

    Ends with 1 when a floor is broken or a measure dropped beyond noise, with 3 when it could not
    be measured.
    """
    from ragdebug.workbench.evaluation import gate as gates

    if not floors and not baseline:
        raise click.UsageError("Give --min MEASURE=FLOOR, or --baseline RUN.")
    wanted = dict(gates.parse_floor(f) for f in floors)
    line = session.progress()
    strategy = spelled_out(session, strategy)
    with session.workbench(new=True) as wb:
        if baseline:
            baseline = wb.run(baseline).id  # an unknown one is said before anything runs
        checked = list(runs)
        waiting: tuple[PlannedRun, ...] = ()
        if not checked:
            try:
                report = wb.evaluate(
                    strategies_of(strategy, chunkings, model),
                    slice=tag,
                    sample=sample,
                    seed=seed,
                    yes=yes,
                    note="gate",
                    progress=line,
                )
            except NothingToMeasure as e:
                session.say(f"{e.title}: {e.message}")
                session.result({"checks": [], "ok": False, "error": e.message}, e.message)
                sys.exit(3)
            finally:
                line.close()
            checked, waiting = [r.id for r in report.runs], report.waiting
        result = wb.gate(checked, wanted, baseline, found_share=found_share, tag=tag)
    if junit is not None:
        junit.write_text(gates.junit(result), "utf-8")
    for planned in waiting:
        session.say(_waits(planned))
    code = 3 if waiting and result.exit_code == 0 else result.exit_code
    session.result(
        plain.gate(result, code),
        lambda: "\n".join(
            f"{_mark(c.ok, c.measured)}  {c.run}  {c.message}" for c in result.checks
        ),
    )
    if code:
        sys.exit(code)


def _mark(ok: bool, measured: bool) -> str:
    return "ok    " if ok else "BROKEN" if measured else "?     "
