"""``ragdebug search``."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from ragdebug.cli.base import Session, command, shorten
from ragdebug.cli.named import spelled_out
from ragdebug.cli.sending import announce, sends
from ragdebug.records import Place, ResultList, SearchResult
from ragdebug.settings import (
    PRESETS,
    ChunkingSettings,
    StrategySettings,
    parse_pairs,
    parse_strategies,
)
from ragdebug.workbench import plain


@click.command()
@click.argument("query")
@click.option(
    "--strategy",
    "-s",
    default=",".join(PRESETS),
    show_default=True,
    help="Names separated by commas; each may be like hybrid@fixed:200/0+rrf_k=30.",
)
@click.option("--chunking", "-c", default="", help="Such as structure:220/40:tokens:label.")
@click.option("--model", "-m", default="", help="Embedding model: a name or a folder.")
@click.option("-k", type=int, default=None, help="Hits a list.  [default: 5]")
@click.option("--filter", "filters", multiple=True, metavar="KEY=VALUE", help="Metadata to have.")
@click.option("--expect", default="", metavar="QUOTE", help="The passage that should be found.")
@click.option("--source", default="", help="Document of the expected passage: source or id.")
@click.option("--page", type=int, default=None, help="Expect anything of this page of --source.")
@click.option("--section", default="", help="Expect anything of this section of --source.")
@click.option("--no-build", is_flag=True, help="Search what is indexed; do not embed the rest.")
@click.option("--download", is_flag=True, help="Agree to fetch a hub model that is not here.")
@command
@sends
def search(
    session: Session,
    query: str,
    strategy: str,
    chunking: str,
    model: str,
    k: int | None,
    filters: tuple[str, ...],
    expect: str,
    source: str,
    page: int | None,
    section: str,
    no_build: bool,
    download: bool,
) -> None:
    """Search with several strategies and put their lists side by side."""
    if not query.strip():
        raise click.UsageError("The query is empty.")
    base = StrategySettings()
    options: dict[str, str] = {"model": model} if model else {}
    if chunking:
        base = replace(base, chunking=ChunkingSettings.parse(chunking))
    base = base.changed(options)
    strategies = parse_strategies(spelled_out(session, strategy), base)
    line = session.progress()
    with session.workbench() as wb:
        places: tuple[Place, ...] = ()
        if expect:
            places = wb.find_quote(expect, source)
        elif source:
            places = (wb.region(wb.resolve(source).id, page, section),)
        elif page is not None or section:
            raise click.UsageError("--page and --section need --source.")
        if not no_build:
            announce(session, wb, strategies)
        try:
            result = wb.search(
                query,
                strategies,
                k=k,
                filter=parse_pairs(filters),
                expect=places,
                build=not no_build,
                allow_download=download,
                progress=line,
            )
        finally:
            line.close()
    session.result(plain.search(result), lambda: _columns(result))
    if result.lists and all(r.error for r in result.lists.values()):
        sys.exit(1)


def _columns(result: SearchResult) -> str:
    parts = []
    if result.terms:
        terms = (f"{t.surface} {'-' if not t.term else f'{t.frequency:,}'}" for t in result.terms)
        parts.append("terms (chunks that hold them): " + " \u00b7 ".join(terms))
    for name, one in result.lists.items():
        parts.append(_column(name, one))
    return "\n\n".join(parts)


def _column(name: str, one: ResultList) -> str:
    outside = name.startswith(("list:", "searcher:"))
    cut = "as returned" if outside else one.chunking
    took = "" if outside and not one.elapsed_s else f"   {one.elapsed_s * 1000:,.0f} ms"
    lines = [f"{name}   {cut}{took}"]
    if one.allowed != one.total:
        lines[0] += f"   {one.allowed:,} of {one.total:,} chunks allowed"
    lines += [f"! {note}" for note in one.notes]
    if one.error:
        return "\n".join([*lines, f"! {one.error} {one.error_hint}".rstrip()])
    if one.expected:
        e = one.expected
        place = f"rank {e.rank}" if e.rank else f"no rank: {e.note}"
        gap = f", {e.gap:.4g} behind the last one shown" if e.gap else ""
        lines.append(f"  expected passage: {place}{gap}")
    if not one.hits:
        outside = StrategySettings.parse(one.strategy).is_outside
        lines.append("  no hits" if one.total or outside else "  no documents yet")
    for h in one.hits:
        c = h.chunk
        where = c.source + (f" p.{c.page}" if c.page else "")
        section = " > ".join(c.section)
        shares = " ".join(f"{s.list} {s.rank or '-'}" for s in h.shares)
        head = "  ".join(x for x in (where, section, shares) if x)
        score = "no score" if h.score != h.score else f"{h.score:.4f} {h.score_kind}"
        lines.append(f"{h.rank:>3}  {score}  {head}")
        lines.append(f"     {shorten(c.text, 110)}")
        lines += [f"     ! {note}" for note in h.notes]
    return "\n".join(lines)
