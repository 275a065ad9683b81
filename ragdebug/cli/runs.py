"""``ragdebug runs``: what earlier evaluations found."""

from __future__ import annotations

from pathlib import Path

import click

from ragdebug.cli.base import Session, command, shorten, table
from ragdebug.cli.evaluate import interval_text
from ragdebug.workbench import plain_runs as plain


@click.group()
def runs() -> None:
    """Runs of strategies over questions, as they are kept."""


@runs.command("list")
@click.option("--removed", is_flag=True, help="Those that were taken out.")
@click.option("--measure", default="recall@5", show_default=True)
@command
def list_runs(session: Session, removed: bool, measure: str) -> None:
    """All runs, newest first."""
    with session.workbench() as wb:
        wb.measure_definition(measure)
        rows = wb.run_rows([r.id for r in wb.runs(removed)], [measure])

    def text() -> str:
        cells = [
            [r.run.id, r.run.created_at[:16].replace("T", " "), r.run.state, r.run.label,
             str(r.n), interval_text(r, measure), shorten(r.run.note, 40)]
            for r in rows
        ]  # fmt: skip
        return table(cells, ["run", "made (UTC)", "state", "strategy", "n", measure, "note"])

    session.result({"runs": [plain.run_row(r) for r in rows]}, text)


@runs.command()
@click.argument("run")
@click.option("--found-share", type=click.FloatRange(0, 1, min_open=True), default=0.9)
@click.option("--measure", default="recall@5", show_default=True, help="Orders the questions.")
@command
def show(session: Session, run: str, found_share: float, measure: str) -> None:
    """One run with all measures and its questions, worst first."""
    with session.workbench() as wb:
        wb.measure_definition(measure)
        one = wb.run(run)
        row = wb.run_rows([one.id], wb.measure_names(), found_share)[0]
        questions = wb.question_rows([one.id], measure, found_share)
    value = {
        **plain.run_row(row),
        "questions": [plain.question_row(q, one.id) for q in questions],
    }

    def text() -> str:
        lines = [f"{one.id}  {one.strategy}  {one.state}  {one.created_at}  {one.note}".rstrip()]
        lines += [f"! {note}" for note in row.notes]
        lines.append(table([[n, interval_text(row, n)] for n in row.metrics], ["measure", "mean"]))
        cells = [
            [str(q.ranks[one.id] or "-"), q.question.id, shorten(q.question.text, 80)]
            for q in questions
        ]
        lines.append(table(cells, ["rank", "question", "text"]))
        return "\n\n".join(lines)

    session.result(value, text)


@runs.command()
@click.argument("run")
@click.argument("text")
@command
def note(session: Session, run: str, text: str) -> None:
    """Write a note to a run."""
    with session.workbench() as wb:
        one = wb.run(run)
        wb.note_run(one.id, text)
    session.result({"id": one.id, "note": text}, f"{one.id}: {text}")


@runs.command()
@click.argument("ids", nargs=-1, required=True, metavar="RUN...")
@command
def remove(session: Session, ids: tuple[str, ...]) -> None:
    """Take runs out; they can be put back with: ragdebug runs restore."""
    with session.workbench() as wb:
        found = [wb.run(i).id for i in ids]
        wb.remove_runs(found)
    session.result({"removed": found}, f"Taken out: {', '.join(found)}")


@runs.command()
@click.argument("ids", nargs=-1, required=True, metavar="RUN...")
@command
def restore(session: Session, ids: tuple[str, ...]) -> None:
    """Put runs back that were taken out."""
    with session.workbench() as wb:
        found = [wb.run(i).id for i in ids]
        wb.restore_runs(found)
    session.result({"restored": found}, f"Put back: {', '.join(found)}")


@runs.command()
@click.argument("ids", nargs=-1, metavar="[RUN]...")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder that the files are written to.",
)
@click.option("--format", "kind", type=click.Choice(["parquet", "csv"]), default="parquet")
@click.option("--texts", is_flag=True, help="With the texts of questions and hits.")
@command
def export(session: Session, ids: tuple[str, ...], folder: Path, kind: str, texts: bool) -> None:
    """Write runs, their questions, hits and measures to files; all runs when none is named."""
    with session.workbench() as wb:
        files = wb.export_runs(ids, folder, kind, texts)
    session.result({"files": [str(f) for f in files]}, "\n".join(str(f) for f in files))
