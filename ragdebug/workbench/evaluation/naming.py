"""Short names of strategies for charts and tables."""

from __future__ import annotations

from ragdebug.settings import ChunkingSettings, StrategySettings


def short_text(strategy: StrategySettings) -> str:
    """A name such as ``hybrid structure:220/40``; settings that are not the default follow.

    A list or searcher has its name alone: its chunks are what it returned.
    """
    if strategy.is_outside:
        own = strategy.options().items()
        return " ".join([strategy.title, *(f"{key}={value}" for key, value in own)])
    options = (f"{key}={value}" for key, value in strategy.options().items() if key != "depth")
    return " ".join([strategy.preset, short_chunking(strategy.chunking), *options])


def short_chunking(chunking: ChunkingSettings) -> str:
    """The text form without what everybody has: ``structure:220/40``."""
    return str(chunking).removesuffix(":tokens:label")
