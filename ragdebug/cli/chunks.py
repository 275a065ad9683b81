"""``ragdebug chunks``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ragdebug.cli.base import Session, command, shorten, table
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings
from ragdebug.workbench import plain
from ragdebug.workbench.chunk_rows import ChunkRow, rows_of_corpus, rows_of_document, window_of

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


@click.command()
@click.argument("document", required=False)
@click.option("--document", "-d", "named", default="", help="Id or source; all by default.")
@click.option("--chunking", "-c", default="structure:220/40", show_default=True)
@click.option(
    "--model",
    "-m",
    default="",
    help="Embedding model whose tokenizer counts `tokens` and whose window cuts a chunk that is "
    f"`truncated`.  [default: {DEFAULT_EMBEDDER}]",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=None,
    help="List so many chunks, 0 for all.  [default: all; in text, of a document only]",
)
@command
def chunks(
    session: Session,
    document: str | None,
    named: str,
    chunking: str,
    model: str,
    limit: int | None,
) -> None:
    """The chunks of one document, or of the whole corpus.

    DOCUMENT is short for --document. Tokens are those of the text that is embedded (label, context
    and text), without special tokens.
    """
    if document and named and document != named:
        raise click.UsageError("Name the document once, with --document.")
    settings = ChunkingSettings.parse(chunking)
    embedder = model or DEFAULT_EMBEDDER
    head: dict[str, Any] = {
        "chunking": plain.chunking(settings),
        "model": embedder,
        "window": window_of(embedder) or None,
    }
    with session.workbench() as wb:
        for warning in wb.check_chunking(settings, embedder):
            session.say(warning)
        if document or named:
            _of_document(session, wb, head, named or document or "", settings, limit or 0)
        else:
            _of_corpus(session, wb, head, settings, limit)


def _of_document(
    session: Session,
    wb: Workbench,
    head: dict[str, Any],
    document: str,
    settings: ChunkingSettings,
    limit: int,
) -> None:
    info = wb.resolve(document)
    report = wb.chunk_report(info.id, settings, head["model"])
    rows = rows_of_document(report, limit)
    head |= {
        "document": info.id,
        "source": info.source,
        "total": len(report.chunks),
        "counts": report.counts(),
    }

    def text() -> str:
        counts = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in report.counts().items())
        return f"{_chunk_table(rows)}\n{len(report.chunks)} chunks; {counts}"

    session.result_list(head, "chunks", map(plain.chunk, rows), text)


def _of_corpus(
    session: Session,
    wb: Workbench,
    head: dict[str, Any],
    settings: ChunkingSettings,
    limit: int | None,
) -> None:
    line = session.progress()
    try:
        overview = wb.overview(settings, line)
    finally:
        line.close()
    head |= {
        "total": overview.chunks,
        "documents": overview.documents,
        "duplicates": overview.duplicates,
    }
    rows = rows_of_corpus(wb.chunk_table(settings), head["model"], limit or 0)

    def text() -> str:
        summary = (
            f"{overview.chunking}: {overview.chunks:,} chunks of {overview.documents:,} "
            f"documents, {overview.duplicates:,} duplicates"
        )
        return summary if limit is None else f"{_chunk_table(rows, sources=True)}\n{summary}"

    session.result_list(head, "chunks", map(plain.chunk, rows), text)


def _chunk_table(rows: Iterable[ChunkRow], sources: bool = False) -> str:
    head = ["#", "source", "span", "size", "tokens", "label", "text"]
    cells = [
        [
            str(at),
            shorten(row.chunk.source, 40),
            f"{row.chunk.start}-{row.chunk.end}" if row.chunk.placed else "not placed",
            str(row.chunk.size),
            str(row.tokens),
            shorten(row.chunk.label, 30),
            shorten(row.chunk.text, 70),
        ]
        for at, row in enumerate(rows, 1)
    ]
    if not sources:
        head, cells = [head[0], *head[2:]], [[c[0], *c[2:]] for c in cells]
    return table(cells, head)
