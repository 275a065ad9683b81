"""``ragdebug health``."""

from __future__ import annotations

import click

from ragdebug.cli import health_index
from ragdebug.cli.base import Session, command
from ragdebug.cli.named import spelled_out
from ragdebug.settings import parse_strategies
from ragdebug.workbench.health import CHECKS, clean, plain

SAMPLE = 200
MARKS = {"serious": "!!", "warning": "! ", "note": "- ", "unchecked": "? "}


@click.command()
@click.option(
    "--strategy",
    "-s",
    "strategies",
    default="",
    help="Strategies to check, separated by commas.  [default: those of the kept runs, else the "
    "four presets]",
)
@click.option("--index", is_flag=True, help="Compare HNSW with exact vector search instead.")
@click.option("--m", type=int, default=None, help="Links of a chunk in HNSW.  [default: 32]")
@click.option(
    "--ef-search",
    type=int,
    default=None,
    help="Candidates that HNSW keeps in mind during a search.  [default: 64]",
)
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=None,
    metavar="N",
    help="Queries to compare with, drawn at random; 0 for all.  [default: 200]",
)
@command
def health(
    session: Session,
    strategies: str,
    index: bool,
    m: int | None,
    ef_search: int | None,
    sample: int | None,
) -> None:
    """Checks before scores: what is wrong with texts, chunks, models and settings.

    What is found does not make the command fail: it ends with 1 only when it could not check.

    With --index the same queries are asked by exact search and by HNSW: what recall is lost, how
    many milliseconds are saved, which questions it costs. The queries are the questions of the
    workspace, or texts of chunks where there are none.
    """
    strategies = spelled_out(session, strategies)
    wanted = parse_strategies(strategies) if strategies.strip() else []
    if index:
        health_index.compare(session, wanted, m, ef_search, SAMPLE if sample is None else sample)
        return
    if (m, ef_search, sample) != (None, None, None):
        raise click.UsageError("--m, --ef-search and --sample belong to --index.")
    line = session.progress()
    with session.workbench() as wb:
        try:
            found = wb.health(wanted, progress=line)
        finally:
            line.close()
        checked = wb.health_checks(wanted)

    def text() -> str:
        lines = []
        for f in found:
            lines.append(f"{MARKS[f.severity]} {f.title}: {f.sentence}")
            lines += [f"     {w.page}: {w.label}" for w in f.where]
            if f.strategies and len(f.strategies) < len(checked.strategies):
                lines.append(f"     touches {', '.join(f.strategies)}")
        quiet = clean(found)
        lines.append(f"Nothing found by {len(quiet)} of {len(CHECKS)} checks.")
        return "\n".join(lines)

    session.result(plain.health(found, checked), text)
