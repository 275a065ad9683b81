"""Short names of strategies that stand side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.settings import OPTIONS, StrategySettings


def names(settings: Sequence[StrategySettings]) -> list[str]:
    """A preset where it is the only one of its kind, else with what sets it apart.

    ``bm25``, ``hybrid rrf_k=60``, ``hybrid rrf_k=10``
    """
    return [_name(s, [o for o in settings if o.title == s.title]) for s in settings]


def _name(one: StrategySettings, alike: Sequence[StrategySettings]) -> str:
    every = [_parts(s) for s in alike]
    own = [
        f"{key}={value}" if key else value
        for key, value in _parts(one).items()
        if any(parts[key] != value for parts in every)
    ]
    return " ".join([one.title, *own])


def _parts(one: StrategySettings) -> dict[str, str]:
    """The chunking under "", and every option as text."""
    return {"": str(one.chunking)} | {key: read(one) for key, (read, _) in OPTIONS.items()}
