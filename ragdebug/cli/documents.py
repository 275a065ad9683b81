"""``ragdebug ingest`` and ``ragdebug documents``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ragdebug.cli import document_text
from ragdebug.cli.base import Session, command, shorten, table
from ragdebug.cli.pieces import bring_in
from ragdebug.records import DocumentInfo
from ragdebug.settings import parse_pairs
from ragdebug.workbench import plain
from ragdebug.workbench.reports import IngestReport


@click.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--chunks",
    "pieces",
    type=click.Path(path_type=Path),
    help="A file of chunks that another system cut: JSONL, JSON, CSV or Parquet.",
)
@click.option("--name", default="", help="With --chunks: they are searched as imported:NAME.")
@click.option("--model", default="", help="With --chunks: the model that the given vectors are of.")
@click.option(
    "--column",
    multiple=True,
    metavar="ROLE=COLUMN",
    help="With --chunks, where names do not tell: text, source, id, page, start, end, vector.",
)
@click.option("--meta", multiple=True, metavar="KEY=VALUE", help="Metadata for every document.")
@click.option("--folder-key", default="", help="The first folder below PATH is this key's value.")
@click.option("--text-column", multiple=True, help="Columns of a record's text, with commas.")
@click.option("--id-column", default="", help="Column that names a record.")
@click.option(
    "--metadata-column",
    multiple=True,
    help="Columns kept as metadata, with commas; all by default.",
)
@click.option(
    "--rows",
    type=click.Choice(["documents", "table"]),
    default="documents",
    show_default=True,
    help="Each row is a document, or the file is one table.",
)
@click.option("--password", default="", help="For protected files.")
@click.option("--encoding", default="", help="Of text files; guessed by default.")
@click.option("--language", default="", help="ISO 639-1 code; detected by default.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", is_flag=True, help="Go on although most files of a folder are missing.")
@command
def ingest(
    session: Session,
    paths: tuple[str, ...],
    pieces: Path | None,
    name: str,
    model: str,
    column: tuple[str, ...],
    meta: tuple[str, ...],
    folder_key: str,
    text_column: tuple[str, ...],
    id_column: str,
    metadata_column: tuple[str, ...],
    rows: str,
    password: str,
    encoding: str,
    language: str,
    dry_run: bool,
    yes: bool,
) -> None:
    """Read files, folders and zip archives; what has not changed costs nothing.

    A folder is read by reference: reading it again removes what is gone from it.

    Chunks are placed in the documents they were cut from; read these in first, or in the same
    call. Where they are not at hand, a document is made of its chunks.
    """
    if not paths and pieces is None:
        raise click.UsageError("Name a file or folder, or --chunks FILE.")
    if pieces is None and (name or model or column):
        raise click.UsageError("--name, --model and --column go with --chunks FILE.")
    from ragdebug.documents.options import ParseOptions

    options = ParseOptions(
        text_columns=_columns(text_column),
        id_column=id_column,
        metadata_columns=_columns(metadata_column) or None,
        rows=rows,
        password=password,
        encoding=encoding,
        language=language,
    )
    metadata = dict(parse_pairs(meta, "metadata"))
    line = session.progress()
    with session.workbench(new=True) as wb:
        if not paths and pieces is not None:
            bring_in(session, wb, pieces, name, model, column, dry_run)
            return
        try:
            report = wb.ingest(
                paths,
                options,
                metadata,
                folder_key=folder_key,
                dry_run=dry_run,
                yes=yes,
                progress=line,
            )
        finally:
            line.close()
        if pieces is not None:
            if session.json:
                raise click.UsageError("With --json, read documents and chunks in two calls.")
            bring_in(session, wb, pieces, name, model, column, dry_run)

    def text() -> str:
        lines = [_line(d) for d in report.documents if d.status != "unchanged"]
        lines += [f"skipped    {name}: {reason}" for name, reason in report.skipped]
        counts = ", ".join(f"{n} {s}" for s, n in report.counts().items()) or "nothing to read"
        lines.append(("would be: " if dry_run else "") + counts)
        return "\n".join(lines)

    session.result(plain.ingest(report), text)
    if report.count("failed"):
        session.say(_some_failed(report))
        sys.exit(1)


def _columns(given: Sequence[str]) -> tuple[str, ...]:
    """Names that are given one by one or with commas."""
    return tuple(c.strip() for c in ",".join(given).split(",") if c.strip())


def _some_failed(report: IngestReport) -> str:
    failed = report.count("failed")
    if failed == len(report.documents):
        return "Nothing could be read."
    rest = "would go in" if report.dry_run else "went in"
    return f"{failed:,} could not be read; the others {rest}."


def _line(d: DocumentInfo) -> str:
    if d.status == "failed":
        return f"failed     {d.error} {d.hint}".rstrip()
    lines = [f"{d.status:<10} {d.source}"]
    lines += [f"           {w.message}" for w in d.warnings]
    return "\n".join(lines)


@click.group()
def documents() -> None:
    """Look at documents, tag them, take them out and bring them back."""


@documents.command("list")
@click.option("--removed", is_flag=True, help="Only those that were removed.")
@command
def list_(session: Session, removed: bool) -> None:
    """All documents."""
    with session.workbench() as wb:
        infos = wb.documents(removed=removed)
        summary = wb.corpus()

    def text() -> str:
        rows = [
            [
                d.id or "-",
                shorten(d.source, 60),
                d.kind if d.status != "failed" else "failed",
                f"{d.tokens:,}",
                str(d.pages or ""),
                d.language,
                shorten("; ".join([d.error] if d.error else [w.message for w in d.warnings]), 60),
            ]
            for d in infos
        ]
        if not rows:
            return "No documents yet. Read some with: ragdebug ingest PATH"
        head = ["id", "source", "kind", "tokens", "pages", "lang", "notes"]
        tail = f"{summary.documents} documents, {summary.tokens:,} tokens"
        if summary.fits_prompt:
            tail += "; all of it would fit into one prompt, so that no retrieval is needed"
        return f"{table(rows, head)}\n{tail}"

    session.result({"documents": [plain.document(d) for d in infos]}, text)


@documents.command()
@click.argument("document")
@command
def show(session: Session, document: str) -> None:
    """One document: metadata, sections, pages, warnings. DOCUMENT is an id or a source."""
    with session.workbench() as wb:
        info = wb.resolve(document)
        found = wb.document(info.id)
    sections = [
        {"start": s.start, "end": s.end, "level": s.level, "title": s.title}
        for s in found.parsed.sections
    ]
    pages = [
        {"number": p.number, "label": p.label, "start": p.start, "end": p.end}
        for p in found.parsed.pages
    ]
    value = {**plain.document(info), "sections": sections, "pages_map": pages}

    def text() -> str:
        lines = [f"{info.source}  {info.id}  version {info.version}"]
        lines.append(
            f"{info.kind}, {info.chars:,} characters, {info.tokens:,} tokens, "
            f"language {info.language or 'unknown'}"
        )
        lines += [f"{k}: {v}" for k, v in sorted(info.metadata.items())]
        lines += [f"! {w.message}" for w in info.warnings]
        lines += [f"{s.start:>8}  {'  ' * (s.level - 1)}{s.title}" for s in found.parsed.sections]
        return "\n".join(lines)

    session.result(value, text)


documents.add_command(document_text.text)


@documents.command()
@click.argument("document", nargs=-1, required=True)
@click.option("--set", "set_", multiple=True, metavar="KEY=VALUE", help="Set metadata.")
@click.option("--unset", multiple=True, metavar="KEY", help="Remove metadata.")
@click.option("--language", default=None, help="Correct the language (ISO 639-1).")
@command
def tag(
    session: Session,
    document: tuple[str, ...],
    set_: tuple[str, ...],
    unset: tuple[str, ...],
    language: str | None,
) -> None:
    """Set metadata, such as tenant=acme, on documents."""
    with session.workbench() as wb:
        ids = [wb.resolve(d).id for d in document]
        wb.tag(ids, dict(parse_pairs(set_, "metadata")), list(unset))
        for one in ids if language is not None else ():
            wb.set_language(one, language or "")
        infos = [wb.info(i) for i in ids]
    session.result(
        {"documents": [plain.document(d) for d in infos]},
        "\n".join(f"{d.source}: {dict(d.metadata)}" for d in infos),
    )


@documents.command()
@click.argument("document", nargs=-1, required=True)
@command
def remove(session: Session, document: tuple[str, ...]) -> None:
    """Take documents out of every index; restore brings them back."""
    with session.workbench() as wb:
        infos = [wb.resolve(d) for d in document]
        wb.remove([d.id for d in infos])
    session.result(
        {"removed": [d.id for d in infos]},
        f"removed {len(infos)}; bring them back with: ragdebug documents restore ID",
    )


@documents.command()
@click.argument("document", nargs=-1, required=True)
@command
def restore(session: Session, document: tuple[str, ...]) -> None:
    """Bring removed documents back."""
    with session.workbench() as wb:
        infos = [wb.resolve(d, removed=True) for d in document]
        wb.restore([d.id for d in infos])
    session.result({"restored": [d.id for d in infos]}, f"restored {len(infos)}")


@documents.command()
@click.argument("document", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@command
def purge(session: Session, document: tuple[str, ...], yes: bool) -> None:
    """Delete text, chunks, vectors, scores and upload for good. There is no way back."""
    with session.workbench() as wb:
        infos = [wb.resolve(d, removed=None) for d in document]
        names = ", ".join(d.source for d in infos)
        if not yes:
            click.confirm(f"Delete {names} for good?", abort=True, err=True)
        report = wb.purge([d.id for d in infos])
    session.result(
        {"purged": [d.id for d in infos], "report": plain.purge(report)},
        "\n".join([f"deleted for good: {names}", *report.quoted_by, *report.remains]),
    )
