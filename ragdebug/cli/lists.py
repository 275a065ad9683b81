"""``ragdebug lists``: what other systems returned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdebug.cli.base import Session, command, shorten, table
from ragdebug.workbench import plain_lists

if TYPE_CHECKING:
    from ragdebug.workbench.outside.list_reports import ListReport

_FORMATS = ("auto", "trec", "jsonl", "csv")
_SHOWN = 10  # problems and queries that are told one by one; JSON has all


@click.group()
def lists() -> None:
    """Result lists that other systems returned: import, look at, take out, bring back.

    They are searched, evaluated, compared and traced as the strategy list:NAME.
    """


@lists.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", "-n", default="", help="What to call them.  [default: that of the file]")
@click.option(
    "--format", "-f", "format_", type=click.Choice(_FORMATS), default="auto", show_default=True,
    help="What the file is.",
)  # fmt: skip
@click.option(
    "--query",
    default="",
    help="The file is one list, for this query: JSON as an API returned it, lines, passages.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be there.")
@command
def import_(
    session: Session, file: Path, name: str, format_: str, query: str, dry_run: bool
) -> None:
    """Bring in the lists of many queries.

    FILE is a TREC run; JSON Lines with a query (or a question's id) and its hits; or CSV with
    query, rank, text or id, and score. What belongs to a question is found by its id or its text.
    """
    line = session.progress()
    with session.workbench(new=True) as wb:
        try:
            if query.strip():
                text = file.read_bytes().decode("utf-8", "replace")
                if dry_run:
                    seen = wb.preview_list(query, text)
                    told = "\n".join([seen.sentence, *seen.notes])
                    value = {"understood": seen.sentence, "notes": list(seen.notes)}
                    session.result({**value, "dry_run": True}, told)
                    return
                report = wb.list_report(wb.paste_list(query, text, name))
            else:
                report = wb.import_lists(file, name, format=format_, dry_run=dry_run, progress=line)
        finally:
            line.close()
    session.result(plain_lists.report(report), lambda: _text(report))


@lists.command("list")
@click.option("--removed", is_flag=True, help="Only those that were replaced or removed.")
@command
def list_(session: Session, removed: bool) -> None:
    """All result lists."""
    with session.workbench() as wb:
        found = wb.result_lists(removed=removed)

    def text() -> str:
        if not found:
            return "None. Import some with: ragdebug lists import FILE --name NAME"
        rows = [
            [
                *([x.id] if removed else []),
                f"list:{x.name}",
                f"{x.queries:,}",
                x.file,
                str(x.about.get("format", "")),
                x.created_at[:16].replace("T", " "),
            ]
            for x in found
        ]
        head = ["strategy", "queries", "file", "form", "imported"]
        return table(rows, ["id", *head] if removed else head)

    session.result({"lists": [plain_lists.info(x) for x in found]}, text)


@lists.command()
@click.argument("name")
@command
def show(session: Session, name: str) -> None:
    """How lists meet the questions and documents as they are now."""
    with session.workbench() as wb:
        report = wb.list_report(_plain(name))
    session.result(plain_lists.report(report), lambda: _text(report))


@lists.command()
@click.argument("name")
@command
def remove(session: Session, name: str) -> None:
    """Take lists out of use; they can be brought back."""
    with session.workbench() as wb:
        wb.remove_list(_plain(name))
    session.result({"removed": _plain(name)}, f"{_plain(name)} is out of use.")


@lists.command()
@click.argument("id_", metavar="ID_OR_NAME")
@command
def restore(session: Session, id_: str) -> None:
    """Bring lists back that were replaced or removed."""
    with session.workbench() as wb:
        back = wb.restore_list(_plain(id_))
    session.result({"restored": plain_lists.info(back)}, f"{back.name} is back.")


def _plain(name: str) -> str:
    return name.removeprefix("list:")


def _text(report: ListReport) -> str:
    one = report.info
    would = "would be " if report.dry_run else ""
    lines = [
        f"{one.queries:,} queries of {one.file}; {would}searched as {report.strategy}",
        f"questions: {report.answered:,} of {report.questions:,} have a list",
        f"hits: {report.hits:,}, {report.placed:,} of them placed, {report.not_placed:,} not"
        + (f" ({report.elsewhere:,} of documents that are not here)" if report.elsewhere else ""),
    ]
    if report.empty:
        lines.append(f"empty lists: {report.empty:,}")
    if report.unknown_queries:
        known = "; ".join(shorten(q, 60) for q in report.unknown[:_SHOWN])
        more = "; ..." if report.unknown_queries > _SHOWN else ""
        lines.append(f"no question asks {report.unknown_queries:,} of the queries: {known}{more}")
    lines += report.notes
    for at, message in report.problems[:_SHOWN]:
        lines.append(f"line {at}: {message}" if at else message)
    if len(report.problems) > _SHOWN:
        lines.append(f"... and {len(report.problems) - _SHOWN:,} more lines; all of them: --json")
    return "\n".join(lines)
