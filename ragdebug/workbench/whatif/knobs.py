"""What can be turned: settings as a person types them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ragdebug.errors import InvalidSetting
from ragdebug.runs import DEPTH
from ragdebug.settings import OPTIONS, ChunkingSettings, StrategySettings

Knobs = Mapping[str, object]
TURNED_OUTSIDE = ("k", "minimum", "filter", "budget")  # what can be turned of a list or searcher


def changed(strategy: StrategySettings, knobs: Knobs) -> StrategySettings:
    """The strategy with some settings changed.

    Args:
        strategy: as it is.
        knobs: option -> value, as in a strategy's text form (``rrf_k``, ``weights``, ``depth``,
            ``pool``, ``k``, ``budget``, ``minimum``, ...), and ``preset`` and ``chunking``. A value
            may be a number, a text, or None for none.

    Raises:
        InvalidSetting: a knob that is not there, or a value that cannot work.
    """
    texts = {name: "none" if value is None else str(value) for name, value in knobs.items()}
    if unknown := [name for name in texts if name not in (*OPTIONS, "preset", "chunking")]:
        raise InvalidSetting(
            f"No setting is called {unknown[0]!r}.",
            hint=f"Settings: preset, chunking, {', '.join(OPTIONS)}.",
        )
    if strategy.is_outside:
        made = _outside(strategy, texts)
    else:
        preset = texts.pop("preset", strategy.preset)
        chunking = texts.pop("chunking", "")
        # All at once, so that k and pool may change together.
        made = replace(strategy, preset="hybrid").changed(texts)
        cut = ChunkingSettings.parse(chunking) if chunking else strategy.chunking
        made = replace(made, preset=preset, chunking=cut)
    if made.k > DEPTH:
        raise InvalidSetting(
            f"k is {made.k}, but lists are measured to depth {DEPTH}.",
            hint=f"Use a k of {DEPTH} or less.",
        )
    return made


def _outside(strategy: StrategySettings, texts: dict[str, str]) -> StrategySettings:
    """Another system's search with other cuts; nothing else of it can be turned here."""
    usual = {"preset": (strategy.preset, strategy.title), "chunking": (str(strategy.chunking), "")}
    for name in [n for n in texts if n in usual and texts[n] in usual[n]]:
        del texts[name]
    if other := [n for n in texts if n not in TURNED_OUTSIDE]:
        raise InvalidSetting(only_cuts(strategy), title=f"{other[0]} cannot be turned")
    return strategy.changed(texts)


def only_cuts(strategy: StrategySettings) -> str:
    """What can be turned of another system's search, in a sentence."""
    return (
        f"{strategy.title} is another system's search: only k, minimum score, filter and budget"
        " can be turned here."
    )


def measure_name(strategy: StrategySettings) -> str:
    """What is averaged: ``recall@5``, or ``recall@5 within 2,000 tokens``."""
    name = f"recall@{strategy.k}"
    return name if strategy.budget is None else f"{name} within {strategy.budget:,} tokens"
