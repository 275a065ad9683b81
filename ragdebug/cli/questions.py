"""``ragdebug questions``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ragdebug.cli.base import Session, command, shorten, table
from ragdebug.errors import RagDebugError
from ragdebug.questions import Label, Need, Question
from ragdebug.records import Place
from ragdebug.settings import parse_pairs
from ragdebug.workbench import plain_questions as plain
from ragdebug.workbench.questions import ImportReport

_FORMATS = ("jsonl", "csv", "spans", "beir", "trec", "lines")
_LISTED = 20  # unplaced passages that are told one by one; --json has them all
_BY_SUFFIX = {".jsonl": "jsonl", ".csv": "csv", ".tsv": "csv", ".txt": "lines"}
_STATES = ("labelled", "unlabelled", "not answerable", "unusable")


@click.group()
def questions() -> None:
    """Questions with the passages that answer them: in, out, list, add, remove, bring back."""


@questions.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format", "-f", "format_", type=click.Choice(["auto", *_FORMATS]), default="auto",
    show_default=True, help="What the file is.",
)  # fmt: skip
@click.option(
    "--column", multiple=True, metavar="OURS=THEIRS",
    help="A column of another name, such as question=Frage.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@command
def import_(
    session: Session, path: Path, format_: str, column: tuple[str, ...], dry_run: bool
) -> None:
    """Take in a file of questions, or a folder in BEIR's or TREC's layout.

    Passages are placed exactly, then with blanks, case and typography folded; what is only alike
    waits for a yes, and what stands nowhere is listed. The same file again changes nothing.
    """
    columns = dict(parse_pairs(column, "column"))
    with session.workbench(new=True) as wb:
        report = wb.import_questions(path, format_, columns, dry_run=dry_run)
    session.result({**plain.imported(report), "dry_run": dry_run}, lambda: _said(report, dry_run))
    if report.problems and not report.ids:
        session.say("No question could be read.")
        sys.exit(1)


def _said(report: ImportReport, dry_run: bool) -> str:
    lines = [f"line {line}: {text}" if line else text for line, text in report.problems[:_LISTED]]
    if len(report.problems) > _LISTED:
        lines.append(f"... and {len(report.problems) - _LISTED:,} more lines; all of them: --json")
    for u in report.unplaced[:_LISTED]:
        what = shorten(u.quote, 80) or u.source
        lines.append(f"{shorten(u.question, 60)}: {what}\n    {u.note}")
        if u.nearest:
            p = u.nearest
            lines.append(
                f"    nearest ({u.similarity:.0f}% alike) {p.source} {p.start}-{p.end}: "
                f"{shorten(p.quote, 80)}"
            )
    if more := report.unplaced[_LISTED:]:
        waiting = sum(u.nearest is not None for u in more)
        lines.append(
            f"... and {len(more):,} more, {waiting:,} of them with a nearest passage; all of them: "
            "--json, or the Questions page"
        )
    joined = f", {report.joined} joined to another of the same text" if report.joined else ""
    lines.append(
        f"{'would be: ' if dry_run else ''}{report.added} added, {report.changed} changed, "
        f"{report.unchanged} unchanged{joined}; passages: {report.placed} placed exactly, "
        f"{report.folded} folded, {report.suggested} suggested, "
        f"{len(report.unplaced) - report.suggested} not placed"
    )
    return "\n".join(lines)


@questions.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format", "-f", "format_", type=click.Choice(["auto", *_FORMATS]), default="auto",
    show_default=True,
    help="auto goes by the ending of PATH. jsonl and csv keep everything; beir and trec write a"
    " folder.",
)  # fmt: skip
@click.option("--tag", default="", help="Only questions with this tag.")
@command
def export(session: Session, path: Path, format_: str, tag: str) -> None:
    """Write the questions to PATH."""
    if format_ == "auto":
        format_ = _BY_SUFFIX.get(path.suffix.lower(), "")
        if not format_:
            raise click.UsageError(f"Say with --format what {path.name or path} is to be.")
    with session.workbench(new=True) as wb:
        chosen = [q.id for q in wb.questions() if not tag or tag in q.tags]
        written = wb.export_questions(format_, path, chosen)
    session.result(
        {"path": str(written), "format": format_, "questions": len(chosen)},
        f"written: {len(chosen)} questions to {written}",
    )


@questions.command("list")
@click.option("--tag", default="", help="Only questions with this tag.")
@click.option("--state", type=click.Choice(_STATES), default=None, help="Only of this state.")
@click.option("--removed", is_flag=True, help="Only those that were removed.")
@command
def list_(session: Session, tag: str, state: str | None, removed: bool) -> None:
    """All questions with their labels."""
    with session.workbench(new=True) as wb:
        found = [
            q
            for q in wb.questions(removed=removed)
            if (not tag or tag in q.tags) and (state is None or q.state == state)
        ]
        value = {"questions": [plain.question(q, wb.page_of) for q in found]}
    session.result(value, lambda: _table(found))


def _table(found: Sequence[Question]) -> str:
    if not found:
        return "No questions. Take some in with: ragdebug questions import FILE"
    rows = [
        [
            q.id,
            shorten(q.text, 70),
            q.state,
            str(len(q.needs) or ""),
            ", ".join(q.tags),
            shorten("; ".join(sorted({p.source for n in q.needs for p in n.places})), 40),
        ]
        for q in found
    ]
    head = ["id", "question", "state", "needs", "tags", "answered in"]
    return f"{table(rows, head)}\n{len(found)} questions"


@questions.command()
@click.argument("text")
@click.option("--quote", default="", help="Words of the passage that answers.")
@click.option("--source", default="", help="Its document: source or id.")
@click.option("--page", type=int, default=None, help="Anything of this page of --source answers.")
@click.option("--section", default="", help="Anything of this section of --source answers.")
@click.option("--every", is_flag=True, help="Take every place where the quote stands.")
@click.option("--tag", multiple=True, help="A tag; may be repeated.")
@click.option("--notes", default="", help="What a person should know about it.")
@click.option("--not-answerable", is_flag=True, help="Nothing in this corpus answers it.")
@command
def add(
    session: Session,
    text: str,
    quote: str,
    source: str,
    page: int | None,
    section: str,
    every: bool,
    tag: tuple[str, ...],
    notes: str,
    not_answerable: bool,
) -> None:
    """Put one question into the set, with what answers it if that is known."""
    if (page is not None or section) and (quote or not source):
        raise click.UsageError("--page and --section need --source, and no --quote.")
    with session.workbench(new=True) as wb:
        places: tuple[Place, ...] = ()
        if quote:
            places = wb.find_quote(quote, source)
            if len(places) > 1 and not every:
                raise RagDebugError(
                    f"The quote stands in {len(places)} places.",
                    title="Which one?",
                    hint="Give more of it, name its --source, or take all of them with --every.",
                )
        elif source:
            places = (wb.region(wb.resolve(source).id, page, section),)
        needs = [Need(tuple(Label(p, origin="marked") for p in places))] if places else []
        made = wb.add_question(text, needs, tag, notes, not_answerable)
        value = plain.question(made, wb.page_of)
    session.result(value, f"{made.id}  {made.text}  ({made.state})")


@questions.command()
@click.argument("ids", nargs=-1, required=True)
@command
def remove(session: Session, ids: tuple[str, ...]) -> None:
    """Take questions out of the set; restore brings them back."""
    with session.workbench(new=True) as wb:
        wb.remove_questions(ids)
    session.result(
        {"removed": list(ids)},
        f"removed {len(ids)}; bring them back with: ragdebug questions restore ID",
    )


@questions.command()
@click.argument("ids", nargs=-1, required=True)
@command
def restore(session: Session, ids: tuple[str, ...]) -> None:
    """Bring removed questions back."""
    with session.workbench(new=True) as wb:
        wb.restore_questions(ids)
    session.result({"restored": list(ids)}, f"restored {len(ids)}")
