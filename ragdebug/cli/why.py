"""``ragdebug why``: at which stage a strategy lost what answers a question, or all questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ragdebug.cli.base import Session, command, shorten
from ragdebug.cli.health_line import at_hand
from ragdebug.cli.named import spelled_out
from ragdebug.cli.sending import sends
from ragdebug.cli.why_all import lost_by_all
from ragdebug.settings import ChunkingSettings, StrategySettings, parse_pairs, parse_strategies
from ragdebug.workbench import plain_tracing as plain
from ragdebug.workbench.tracing.sentences import sentence, unmeasured

if TYPE_CHECKING:
    from ragdebug.workbench.tracing.reports import ChunkFacts, PathStep, WhyReport

MARKS = {"ok": " ", "warning": "!", "unknown": "?", "lost": ">", "later": "-"}
CHUNKS = 5  # of a place; --json has more


@click.command()
@click.option("--question", "-q", "id_", default="", metavar="ID", help="A labelled question.")
@click.option(
    "--all", "every", is_flag=True, help="All labelled questions: how many are lost where."
)
@click.option("--tag", default="", help="With --all: only questions with this tag.")
@click.option("--query", default="", help="What was asked, instead of a question.")
@click.option("--evidence", default="", metavar="QUOTE", help="Words that answer the query.")
@click.option("--source", default="", help="Document of the evidence: source or id.")
@click.option(
    "--page",
    type=int,
    default=None,
    help="You see the evidence on this page of it; alone, the page answers.",
)
@click.option("--strategy", "-s", default="hybrid", show_default=True, help="Such as bm25+k=3.")
@click.option("--chunking", "-c", default="", help="Such as structure:220/40:tokens:label.")
@click.option("--model", "-m", default="", help="Embedding model: a name or a folder.")
@click.option("-k", type=int, default=None, help="Hits that count.  [default: 5]")
@click.option("--budget", type=click.IntRange(min=1), default=None, help="Tokens of context.")
@click.option("--filter", "filters", multiple=True, metavar="KEY=VALUE", help="Metadata to have.")
@click.option(
    "--found-share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    help="Share of a passage's characters that counts as found.",
)
@command
@sends
def why(
    session: Session,
    id_: str,
    every: bool,
    tag: str,
    query: str,
    evidence: str,
    source: str,
    page: int | None,
    strategy: str,
    chunking: str,
    model: str,
    k: int | None,
    budget: int | None,
    filters: tuple[str, ...],
    found_share: float,
) -> None:
    """Say at which stage a strategy lost what answers a question, with the facts.

    With --all: how many questions each of several strategies loses at each stage, and how many
    searches failed.
    """
    if bool(id_) + bool(query) + every != 1:
        raise click.UsageError("Give one of --question, --query and --all.")
    if every and (evidence or source or page is not None or budget or filters):
        raise click.UsageError(
            "--all takes --tag, --strategy, --chunking, --model, -k and --found-share."
        )
    if tag and not every:
        raise click.UsageError("--tag goes with --all.")
    if id_ and (evidence or source):
        raise click.UsageError("A question has its own evidence.")
    if query and not evidence.strip() and not (source and page is not None):
        raise click.UsageError(
            "--query needs --evidence, the words that answer it; where only the page is known, "
            "such as a scan, give --source and --page instead."
        )
    if page is not None and not source:
        raise click.UsageError("--page needs --source.")
    base = StrategySettings()
    if chunking:
        base = replace(base, chunking=ChunkingSettings.parse(chunking))
    base = base.changed({"model": model} if model else {})
    strategies = parse_strategies(spelled_out(session, strategy), base)
    if every:
        lost_by_all(session, strategies, tag, k, found_share)
        return
    if len(strategies) != 1:
        raise click.UsageError("--strategy takes one strategy here.")
    line = session.progress()
    with session.workbench() as wb:
        try:
            report = wb.why(
                id_ or None,
                query,
                strategy=strategies[0],
                k=k,
                filter=parse_pairs(filters),
                budget=budget,
                quote=evidence,
                source=source,
                page=page,
                found_share=found_share,
                progress=line,
            )
        finally:
            line.close()
        health = at_hand(wb, strategies, str(strategies[0]), report.wanted)
    session.result(
        {**plain.why(report), "health": health.value},
        lambda: "\n".join([*_lines(report), "", health.text]),
    )


def _lines(report: WhyReport) -> Iterator[str]:
    yield f"{shorten(report.query, 100)}"
    yield f"{report.strategy}   {report.allowed:,} of {report.chunks:,} chunks allowed"
    yield f"{'lost: ' if report.lost else ''}{report.stage}   {sentence(report)}"
    for at, need in enumerate(report.needs, 1):
        why_not = unmeasured(need) if report.question else ""
        for trace in need.places:
            place = trace.place
            yield ""
            where = f"{place.start}-{place.end}" if place.start >= 0 else "nowhere"
            head = f"need {at}: {place.source or 'no document named'} {where}"
            yield f"{head}   {trace.stage}"
            if why_not:
                yield f"  {why_not}"
            yield f"  {shorten(place.quote or place.region, 110)}"
            yield from (_step(s) for s in trace.path)
            yield from (_chunk(c) for c in trace.chunks[:CHUNKS])
            if (more := trace.total - CHUNKS) > 0:
                yield f"  {more:,} more of {trace.total:,} chunks hold as much of it or less"
    yield from (f"! {note}" for note in report.notes)


def _step(step: PathStep) -> str:
    facts = ", ".join(f"{key} {_value(value)}" for key, value in step.facts.items() if _has(value))
    return f"{MARKS[step.status]} {step.label:<20} {facts}".rstrip()


def _chunk(chunk: ChunkFacts) -> str:
    ranks = " ".join(
        f"{name} {'-' if rank is None else rank}" for name, rank in chunk.ranks.items()
    )
    beyond = f"   {chunk.beyond} tokens beyond the window" if chunk.beyond else ""
    return f"  {chunk.id}   holds {chunk.coverage:.0%}   {ranks}{beyond}"


def _has(value: Any) -> bool:  # noqa: ANN401 - a fact
    return value is not None and value != [] and value != {}


def _value(value: Any) -> str:  # noqa: ANN401 - a fact
    if isinstance(value, Mapping):
        return " ".join(f"{k} {'-' if v is None else _value(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "; ".join(_value(v) for v in value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return shorten(str(value), 80)
