"""A whole search: ``reranked@structure:220/40``, ``bm25@fixed:200/0+variant=okapi+b=0.5``.

``list:NAME`` and ``searcher:NAME`` are searches of another system: what it returned before, and
what it returns when it is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from ragdebug.settings.chunking import ChunkingSettings
from ragdebug.settings.options import OPTIONS
from ragdebug.settings.stages import BM25Settings, DenseSettings, FusionSettings, RerankSettings
from ragdebug.settings.values import (
    DEFAULT_EMBEDDER,
    IMPORTED,
    LISTS,
    MAX_DEPTH,
    OUTSIDE,
    PRESETS,
    as_written,
    fingerprint,
    finite,
    plain,
    refuse,
)


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """A whole search: chunking, model, lists, fusion, reranking and cuts.

    Attributes:
        preset: vector, bm25, hybrid or reranked: which stages run; list or searcher: the hits are
            another system's, and only k, minimum, filter and budget mean anything.
        k: how many hits are returned.
        depth: how many each list gives to fusion.
        minimum: score below which a final hit is left out; None for no minimum.
        filter: (key, value) pairs of a document's metadata; the same key twice means either.
        budget: tokens of context, None for no limit; used when measuring.
        outside: name of the list or searcher. Its chunking is the pieces that were returned.
    """

    preset: str = "hybrid"
    chunking: ChunkingSettings = field(default_factory=ChunkingSettings)
    embedder: str = DEFAULT_EMBEDDER
    dense: DenseSettings = field(default_factory=DenseSettings)
    bm25: BM25Settings = field(default_factory=BM25Settings)
    fusion: FusionSettings = field(default_factory=FusionSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)
    k: int = 5
    depth: int = 50
    minimum: float | None = None
    filter: tuple[tuple[str, str], ...] = ()
    budget: int | None = None
    outside: str = ""

    def __post_init__(self) -> None:
        if self.preset not in (*PRESETS, *OUTSIDE):
            raise refuse(
                f"No strategy is called {self.preset!r}.",
                f"Known: {', '.join(PRESETS)}, list:NAME and searcher:NAME.",
            )
        if bool(self.outside) != self.is_outside:
            raise refuse(
                f"The strategy {self.preset} needs the name of a {self.preset}."
                if self.is_outside
                else f"The strategy {self.preset} has no name of its own.",
                "Write it like list:NAME or searcher:NAME.",
            )
        if self.is_outside:
            pieces = ChunkingSettings(strategy=IMPORTED, name=f"{self.preset}:{self.outside}")
            object.__setattr__(self, "chunking", pieces)
        finite("k", self.k, 1, MAX_DEPTH)
        finite("Depth", self.depth, 1, MAX_DEPTH)
        unknown = [name for name, _ in self.fusion.weights if name not in LISTS]
        if unknown:
            raise refuse(
                f"No list is called {unknown[0]!r}, so that it cannot have a weight.",
                f"Lists: {', '.join(LISTS)}.",
            )
        if self.minimum is not None:
            finite("The minimum score", self.minimum, -math.inf)
        if self.budget is not None:
            finite("The budget", self.budget, 1)
        if self.preset == "reranked" and self.rerank.pool < self.k:
            raise refuse(
                f"A rerank pool of {self.rerank.pool} is smaller than k {self.k}.",
                f"Use a pool of {self.k} or more.",
            )

    @property
    def uses_vectors(self) -> bool:
        """Whether a query has to be embedded."""
        return self.preset in ("vector", "hybrid", "reranked")

    @property
    def uses_bm25(self) -> bool:
        """Whether a BM25 index is needed."""
        return self.preset in ("bm25", "hybrid", "reranked")

    @property
    def is_outside(self) -> bool:
        """Whether the hits are another system's."""
        return self.preset in OUTSIDE

    @property
    def title(self) -> str:
        """The preset; of another system's search with its name."""
        return f"{self.preset}:{self.outside}" if self.outside else self.preset

    def options(self) -> dict[str, str]:
        """What differs from the defaults, other than preset and chunking, as text."""
        base = StrategySettings(preset=self.preset, outside=self.outside)
        return {key: read(self) for key, (read, _) in OPTIONS.items() if read(self) != read(base)}

    def __str__(self) -> str:
        options = "".join(
            f"+{key}={as_written(value, but='%+@')}" for key, value in self.options().items()
        )
        if self.is_outside:
            return f"{self.preset}:{as_written(self.outside)}{options}"
        return f"{self.preset}@{self.chunking}{options}"

    @classmethod
    def parse(cls, text: str, base: StrategySettings | None = None) -> StrategySettings:
        """Read ``preset[@chunking][+key=value...]`` on top of `base` (default: all defaults).

        Raises:
            InvalidSetting: naming the part that is wrong.
        """
        head, *options = text.strip().split("+")
        preset, _, chunking = head.partition("@")
        preset, _, outside = preset.partition(":")
        start = base or cls()
        named: dict[str, Any] = {"preset": preset.strip(), "outside": unquote(outside.strip())}
        if start.is_outside and preset.strip() in PRESETS:
            named["chunking"] = ChunkingSettings()
        result = replace(start, **named)
        if chunking:
            if result.is_outside:
                raise refuse(
                    f"The {result.preset} {result.outside} has the chunks it came with, and no"
                    f" chunking {chunking!r}.",
                    f"Write {result.title}.",
                )
            result = replace(result, chunking=ChunkingSettings.parse(chunking))
        changes: dict[str, str] = {}
        for option in options:
            key, equals, value = option.partition("=")
            if not equals or key.strip() not in OPTIONS:
                raise refuse(
                    f"{option!r} in the strategy {text!r} is not understood.",
                    f"Options: {', '.join(OPTIONS)}.",
                )
            changes[key.strip()] = unquote(value.strip())
        return result.changed(changes)

    def changed(self, options: Mapping[str, str]) -> StrategySettings:
        """The same strategy with some options (see `OPTIONS`) given as text."""
        values: dict[str, Any] = {}
        for key, text in options.items():
            try:
                _merge(values, OPTIONS[key][1](text))
            except ValueError as e:
                raise refuse(
                    f"{key}={text} is not understood.", f"Options: {', '.join(OPTIONS)}."
                ) from e
        nested = {
            name: replace(getattr(self, name), **value) if isinstance(value, dict) else value
            for name, value in values.items()
        }
        return replace(self, **nested)

    def fingerprint(self) -> str:
        """Identity of the strategy."""
        values = plain(self, "outside")
        values["chunking"] = plain(self.chunking, "name")
        return fingerprint(values)


def parse_strategies(text: str, base: StrategySettings | None = None) -> list[StrategySettings]:
    """Read strategies separated by commas; commas inside an option are left alone.

    Raises:
        InvalidSetting: naming the part that is wrong, or when there is none at all.
    """
    names = "|".join([*PRESETS, *(rf"{name}:[^@+,]+" for name in OUTSIDE)])
    parts = re.split(rf",(?=\s*(?:{names})\s*(?:[@+,]|$))", text)
    found = [StrategySettings.parse(p, base) for p in parts if p.strip(" ,")]
    if not found:
        raise refuse(f"No strategy stands in {text!r}.", f"Known: {', '.join(PRESETS)}.")
    return found


def _merge(into: dict[str, Any], new: dict[str, Any]) -> None:
    for name, value in new.items():
        if isinstance(value, dict):
            into.setdefault(name, {}).update(value)
        else:
            into[name] = value
