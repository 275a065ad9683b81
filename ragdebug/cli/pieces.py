"""``ragdebug ingest --chunks`` and ``ragdebug pieces``: chunks that another system cut."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdebug.cli.base import Session, command, shorten, table
from ragdebug.settings import parse_pairs
from ragdebug.workbench import plain_pieces

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.pieces.reports import PieceReport, PieceRow

SHOWN = 10  # rows of a kind in text; JSON has all


def bring_in(
    session: Session,
    wb: Workbench,
    file: Path,
    name: str,
    model: str,
    columns: Sequence[str],
    dry_run: bool,
) -> None:
    """Read a file of chunks and say how they stand in the documents."""
    line = session.progress()
    try:
        report = wb.import_pieces(
            file,
            name,
            columns=dict(parse_pairs(columns, "column")) or None,
            model=model,
            dry_run=dry_run,
            progress=line,
        )
    finally:
        line.close()
    session.result(plain_pieces.report(report), lambda: _text(report))


@click.group()
def pieces() -> None:
    """Chunks that other systems cut: look at them, name their model, take them out.

    They are brought in with: ragdebug ingest --chunks FILE --name NAME
    """


@pieces.command("list")
@click.option("--removed", is_flag=True, help="Only those that were replaced or removed.")
@command
def list_(session: Session, removed: bool) -> None:
    """All sets of chunks."""
    with session.workbench() as wb:
        sets = wb.piece_sets(removed=removed)

    def text() -> str:
        if not sets:
            return "None yet. Bring some in with: ragdebug ingest --chunks FILE --name NAME"
        rows = [
            [s.id if removed else f"imported:{s.name}", f"{s.pieces:,}", s.file, s.model]
            for s in sets
        ]
        head = ["id" if removed else "chunking", "chunks", "file", "vectors of"]
        return table(rows, head)

    session.result({"sets": [plain_pieces.piece_set(s) for s in sets]}, text)


@pieces.command("show")
@click.argument("name")
@command
def show(session: Session, name: str) -> None:
    """How the chunks of a set stand in the documents now."""
    line = session.progress()
    with session.workbench() as wb:
        try:
            report = wb.piece_report(_plain(name), line)
        finally:
            line.close()
    session.result(plain_pieces.report(report), lambda: _text(report))


@pieces.command("model")
@click.argument("name")
@click.argument("model")
@command
def model_(session: Session, name: str, model: str) -> None:
    """Say which embedding model the given vectors of a set are of."""
    with session.workbench() as wb:
        made = wb.set_pieces_model(_plain(name), model)
    session.result(plain_pieces.piece_set(made), f"The vectors of {made.name} are of {made.model}.")


@pieces.command("remove")
@click.argument("name")
@command
def remove(session: Session, name: str) -> None:
    """Take a set out of use; it can be brought back."""
    with session.workbench() as wb:
        wb.remove_pieces(_plain(name))
    session.result({"removed": _plain(name)}, f"{_plain(name)} is out of use.")


@pieces.command("restore")
@click.argument("id_", metavar="ID")
@command
def restore(session: Session, id_: str) -> None:
    """Bring a set back by its id, as `ragdebug pieces list --removed` shows it."""
    with session.workbench() as wb:
        wb.restore_pieces(id_)
    session.result({"restored": id_}, f"{id_} is back.")


def _plain(name: str) -> str:
    return name.removeprefix("imported:")


def _text(report: PieceReport) -> str:
    how = ", ".join(f"{n:,} by {_HOW[name]}" for name, n in report.placed.items())
    would = "would be " if report.dry_run else ""
    lines = [
        f"{report.set.pieces:,} chunks of {report.set.file}; {would}searched as {report.chunking}",
        f"placed: {how or 'none'}; not placed: {len(report.not_placed):,}",
    ]
    taken = ", ".join(f"{role} from {name}" for role, name in report.columns.items())
    lines += [f"columns: {taken}"] if taken else []
    lines += list(report.notes)
    if report.made:
        n = len(report.made)
        lines.append(
            f"{n:,} {'document is' if n == 1 else 'documents are'} not here and"
            f" {'was' if n == 1 else 'were each'} made of {'its' if n == 1 else 'their'} chunks: "
            + shorten(", ".join(report.made), 300)
        )
        lines.append("They belong to the corpus now, and every strategy searches them.")
    lines += _rows("not placed", report.not_placed)
    lines += _rows("one chunk with another", report.same)
    lines += _rows("to know", report.noted)
    lines += _problems(report)
    return "\n".join(lines)


_HOW = {"offsets": "offsets", "exact": "their text", "folded": "their text, blanks and marks aside"}


def _rows(title: str, rows: Sequence[PieceRow]) -> list[str]:
    lines = [
        f"{title}: {r.id or f'number {r.position + 1}'} of {r.source or 'no source'}: "
        f"{shorten(r.text, 60)!r} {r.note}".rstrip()
        for r in rows[:SHOWN]
    ]
    more = len(rows) - SHOWN
    return lines + ([f"{title}: {more:,} more, all in --json"] if more > 0 else [])


def _problems(report: PieceReport) -> list[str]:
    return [f"line {line}: {message}" if line else message for line, message in report.problems]
