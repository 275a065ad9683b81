"""``ragdebug case`` and ``open``: a failing question as one file, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdebug.cli.base import Session, command, shorten
from ragdebug.cli.named import spelled_out
from ragdebug.cli.sending import sends
from ragdebug.settings import ChunkingSettings, StrategySettings, parse_strategies

if TYPE_CHECKING:
    from ragdebug.workbench.casefile import Case, Included, Opened


@click.command()
@click.option("--question", "-q", "id_", default="", metavar="ID", help="A labelled question.")
@click.option("--query", default="", help="What was asked, instead of a question.")
@click.option("--evidence", default="", metavar="QUOTE", help="Words that answer the query.")
@click.option("--source", default="", help="Document of the evidence: source or id.")
@click.option(
    "--strategy",
    "-s",
    default="hybrid",
    show_default=True,
    help="Today's, the proposed one, others, separated by commas.",
)
@click.option("--chunking", "-c", default="", help="Such as structure:220/40:tokens:label.")
@click.option("--model", "-m", default="", help="Embedding model: a name or a folder.")
@click.option("-k", type=int, default=None, help="Hits a list.  [default: 5]")
@click.option(
    "--withhold",
    multiple=True,
    metavar="N",
    help="Do not show the text of this hit: a rank of the first list, or hybrid:3.",
)
@click.option(
    "--fix",
    default="",
    metavar="NAME",
    help="Try one of the usual fixes for --question and propose it; best takes the best of them.",
)
@click.option(
    "--sentences",
    is_flag=True,
    help="Also what each sentence of the wanted passage is worth to the models.",
)
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
@click.option("--preview", is_flag=True, help="Only list what the file would hold.")
@command
@sends
def case(
    session: Session,
    id_: str,
    query: str,
    evidence: str,
    source: str,
    strategy: str,
    chunking: str,
    model: str,
    k: int | None,
    withhold: tuple[str, ...],
    fix: str,
    sentences: bool,
    to: Path | None,
    preview: bool,
) -> None:
    """Write a failing question to one HTML file that opens by itself."""
    if bool(id_) == bool(query):
        raise click.UsageError("Give either --question or --query.")
    if id_ and (evidence or source):
        raise click.UsageError("A question has its own evidence.")
    if query and not evidence.strip():
        raise click.UsageError("--query needs --evidence: the words that answer it.")
    if fix and not id_:
        raise click.UsageError("--fix needs --question: it is tried on all other questions, too.")
    if (to is None) != preview:
        raise click.UsageError("Give either --to FILE or --preview.")
    base = StrategySettings()
    if chunking:
        base = replace(base, chunking=ChunkingSettings.parse(chunking))
    base = base.changed({"model": model} if model else {})
    strategies = parse_strategies(spelled_out(session, strategy), base)
    line = session.progress()
    with session.workbench() as wb:
        try:
            tried = wb.case_fix(id_, strategies[0], fix, k=k, progress=line) if fix else None
            made = wb.case(
                id_ or None,
                query,
                strategies=strategies,
                fix=tried,
                quote=evidence,
                source=source,
                k=k,
                withhold=withhold,
                sentences=sentences,
                progress=line,
            )
        finally:
            line.close()
        holds, said = wb.case_included(made), wb.case_sentences(made)
        written = wb.write_case(made, to) if to is not None else None
    session.result(
        {
            "sentences": list(said),
            "included": [{"what": one.what, "detail": one.detail} for one in holds],
            "file": str(written) if written is not None else None,
        },
        lambda: "\n".join(_said(made, said, holds, written)),
    )


def _said(
    made: Case, sentences: tuple[str, ...], holds: tuple[Included, ...], written: Path | None
) -> Iterator[str]:
    yield from sentences
    yield ""
    yield "The file holds:" if written is not None else "The file would hold:"
    yield from (f"  {one.what}: {one.detail}" for one in holds)
    yield from (f"! {note}" for note in made.notes)
    if written is not None:
        yield ""
        yield f"Written to {written}"


@click.command("open")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--address", default="http://localhost:8501", show_default=True, help="Of the app.")
@command
def open_case(session: Session, file: Path, address: str) -> None:
    """Bring back what a case file shows, where its documents are."""
    with session.workbench(new=True) as wb:
        found = wb.open_case(file)
    base = address.rstrip("/")
    session.result(
        {
            "query": found.query,
            "question": found.question or None,
            "strategies": [str(s) for s in found.strategies],
            "restored": list(found.restored),
            "missing": list(found.missing),
            "search": f"{base}/{found.search}",
            "trace": f"{base}/{found.trace}" if found.trace else None,
        },
        lambda: "\n".join(_opened(found, base)),
    )


def _opened(found: Opened, base: str) -> Iterator[str]:
    yield shorten(found.query, 300)
    yield from (f"  {one}" for one in found.restored)
    yield from (f"! {one}" for one in found.missing)
    yield f"Search: {base}/{found.search}"
    if found.trace:
        yield f"Trace:  {base}/{found.trace}"
    yield "Start the app with ragdebug app, then open an address."
