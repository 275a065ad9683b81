"""``ragdebug why --all``: how many questions each strategy loses at each stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragdebug.cli.base import Session, shorten
from ragdebug.counting import many
from ragdebug.settings import StrategySettings
from ragdebug.workbench import plain_tracing as plain

if TYPE_CHECKING:
    from ragdebug.workbench.tracing.reports import LostStages

REASONS = 3  # why searches failed, of a strategy; --json has all


def lost_by_all(
    session: Session,
    strategies: Sequence[StrategySettings],
    tag: str,
    k: int | None,
    found_share: float,
) -> None:
    """Print the stages of strategies, each with its number of questions."""
    line = session.progress()
    with session.workbench() as wb:
        try:
            found = wb.lost_stages(strategies, tag, k=k, found_share=found_share, progress=line)
        finally:
            line.close()
    session.result(
        {"strategies": [plain.lost(one) for one in found]}, lambda: "\n".join(_text(found, tag))
    )


def _text(found: Sequence[LostStages], tag: str) -> Iterator[str]:
    for at, one in enumerate(found):
        if at:
            yield ""
        run = f", delivered by run {one.run}" if one.run else ""
        yield f"{one.strategy}   k {one.k}{run}"
        if not any(one.parts.values()):
            yield f"  no labelled question is tagged {tag}" if tag else "  no labelled question"
        for stage, ids in one.parts.items():
            if ids:
                yield f"  {len(ids):>6,}  {stage}"
        reasons = list(one.reasons.items())
        yield from (f"! {n:,} failed: {shorten(why, 300)}" for why, n in reasons[:REASONS])
        if (more := len(reasons) - REASONS) > 0:
            yield f"! {many(more, 'other reason')} for failed searches"
        for ids, what in (
            (one.moved, "lost by the run and found by a search now"),
            (one.waiting, "waiting for a yes to the labels"),
            (one.partial, "measured on some of their labels"),
        ):
            if ids:
                yield f"! {len(ids):,} {what}"
        yield from (f"! {note}" for note in one.notes)
