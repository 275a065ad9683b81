"""One short line on health under other results; see `ragdebug health` for the rest."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdebug.settings import StrategySettings

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


@dataclass(frozen=True, slots=True)
class HealthLine:
    """What is known of health without long work: for a person, and for JSON."""

    text: str
    value: dict[str, Any]


def at_hand(
    wb: Workbench,
    strategies: Sequence[StrategySettings],
    named: str = "",
    documents: Collection[str] = (),
) -> HealthLine:
    """The line for strategies that have just been searched with.

    Args:
        wb: the workspace.
        strategies: whose chunks, models and settings are looked at.
        named: what `ragdebug health` needs to look at the same ones; "" for its default.
        documents: ids of those that matter here; findings that hold for them are named.
    """
    from ragdebug.workbench.health import plain

    known = wb.health_at_hand(strategies)
    command = f"ragdebug health --strategy {shlex.quote(named)}" if named else "ragdebug health"
    told = [f"! health, of the document: {f.title}: {f.sentence}" for f in known.of(documents)]
    line = f"health: {known.sentence}, see: {command}"
    return HealthLine("\n".join([*told, line]), plain.at_hand(known, documents))
