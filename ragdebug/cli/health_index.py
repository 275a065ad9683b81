"""``ragdebug health --index``: exact vector search against HNSW."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragdebug.cli.base import Session, shorten
from ragdebug.settings import StrategySettings

if TYPE_CHECKING:
    from ragdebug.workbench.health import IndexCheck

SHOWN = 20  # queries that are printed; all are in the JSON


def compare(
    session: Session,
    strategies: Sequence[StrategySettings],
    m: int | None,
    ef_search: int | None,
    sample: int,
) -> None:
    """Print the comparison for each index of some strategies."""
    from ragdebug.workbench.health import plain

    line = session.progress()
    with session.workbench() as wb:
        try:
            checks = [
                wb.index_check(one, sample, m, ef_search, progress=line)
                for one in wb.index_strategies(strategies)
            ]
        finally:
            line.close()
    session.result(
        {"index": [plain.index_check(c) for c in checks]},
        lambda: "\n\n".join("\n".join(_lines(c)) for c in checks),
    )


def _lines(check: IndexCheck) -> Iterator[str]:
    of = f" of {check.total:,}" if check.queries < check.total else ""
    yield (
        f"{check.strategy}: {check.chunks:,} chunks, {check.queries:,}{of} {check.kind}, "
        f"M {check.m}, efSearch {check.asked}"
    )
    if check.asked < check.ef_search:
        yield f"  a search for 20 hits never keeps fewer than {check.ef_search} candidates in mind"
    for k, recall in check.recall.items():
        yield f"  recall at {k:<2}  {recall.mean:.1%} ({recall.low:.1%}-{recall.high:.1%})"
    built = f"; building it took {check.build_s:,.1f} s" if check.build_s else ""
    yield (
        f"  a search   exact {check.exact_ms:.2f} ms, HNSW {check.hnsw_ms:.2f} ms, "
        f"{check.saved_ms:.2f} ms saved{built}"
    )
    lost = ""
    if check.labelled:
        lost = (
            f"; {check.lost:,} of {check.labelled:,} labelled ones lose an answer within the "
            f"first {check.k}"
        )
    yield f"  {len(check.costs):,} {check.kind} have other hits among the first five{lost}"
    for cost in check.costs[:SHOWN]:
        loses = f"  loses {cost.lost}" if cost.lost else ""
        yield f"  {cost.recall:>5.0%}{loses}  {cost.question} {shorten(cost.query, 70)}".rstrip()
    if len(check.costs) > SHOWN:
        yield f"  and {len(check.costs) - SHOWN:,} more, see --json"
