"""The columns: which strategies stand side by side, each on top of what all share.

In the URL a column is a strategy's text form with only what it has of its own:

    vector,bm25,hybrid+rrf_k=30,vector@fixed:200/0+model=wordllama-l2-supercat-256,searcher:prod
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from ragdebug.errors import InvalidSetting
from ragdebug.settings import (
    DEFAULT_RERANKER,
    OPTIONS,
    OUTSIDE,
    PRESETS,
    ChunkingSettings,
    StrategySettings,
    as_written,
)
from ragdebug.ui import state
from ragdebug.ui.state import Key

FEWEST, MOST = 2, 6
TITLES = {"vector": "Vector", "bm25": "BM25", "hybrid": "Hybrid", "reranked": "Reranked"}
DEFAULT = ",".join(PRESETS)
SHARED = ("k", "filter", "budget")  # never a column's own
# Options that mean something to a preset; others are neither offered nor shown.
_DENSE = ("model", "index", "hnsw_m", "ef_search")
_LEXICAL = ("variant", "k1", "b", "epsilon", "analyzer")
_FUSION = ("fusion", "rrf_k", "weights", "depth")
_RERANK = ("reranker", "pool", "blend")
OWN = {
    "vector": (*_DENSE, "minimum"),
    "bm25": (*_LEXICAL, "minimum"),
    "hybrid": (*_DENSE, *_LEXICAL, *_FUSION, "minimum"),
    "reranked": (*_DENSE, *_LEXICAL, *_FUSION, *_RERANK, "minimum"),
    **dict.fromkeys(OUTSIDE, ("minimum",)),
}
_CHIPS = {
    "rrf_k": "RRF k",
    "hnsw_m": "M",
    "ef_search": "efSearch",
    "index": "index",
    "variant": "",
    "model": "",
    "reranker": "",
    "fusion": "fusion",
    "minimum": "at least",
}


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """What one column has of its own.

    Attributes:
        preset: vector, bm25, hybrid or reranked; list or searcher of another system.
        chunking: text form, "" for the shared one.
        options: name -> text, see `settings.OPTIONS`.
        outside: name of the list or searcher.
    """

    preset: str
    chunking: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    outside: str = ""

    @property
    def title(self) -> str:
        """The preset; of another system's search with its name."""
        return f"{self.preset}:{self.outside}" if self.outside else self.preset

    def __str__(self) -> str:
        if self.outside:
            head = f"{self.preset}:{as_written(self.outside)}"
        else:
            head = f"{self.preset}@{self.chunking}" if self.chunking else self.preset
        return head + "".join(
            f"+{name}={as_written(value, but='%+@')}" for name, value in self.options.items()
        )

    @classmethod
    def parse(cls, text: str) -> ColumnSpec:
        """Read the text form.

        Raises:
            InvalidSetting: naming what is wrong.
        """
        StrategySettings.parse(text, _roomy(text))
        head, *options = text.strip().split("+")
        preset, _, chunking = head.partition("@")
        preset, _, outside = preset.partition(":")
        values = dict(option.partition("=")[::2] for option in options)
        return cls(
            preset.strip(),
            str(ChunkingSettings.parse(chunking)) if chunking else "",
            {k.strip(): unquote(v) for k, v in values.items() if k.strip() not in SHARED},
            unquote(outside.strip()),
        )

    def strategy(self, base: StrategySettings) -> StrategySettings:
        """The whole strategy on top of what all columns share; a pool is never below k."""
        options = {k: v for k, v in self.options.items() if k in OWN[self.preset]}
        if "pool" in options and options["pool"].isdigit():
            options["pool"] = str(max(int(options["pool"]), base.k))
        start = replace(base, rerank=replace(base.rerank, pool=max(base.rerank.pool, base.k)))
        if self.chunking:
            start = replace(start, chunking=ChunkingSettings.parse(self.chunking))
        return replace(start, preset=self.preset, outside=self.outside).changed(options)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the board: its spec, its whole strategy, how it is called and coloured."""

    name: str
    spec: ColumnSpec
    strategy: StrategySettings
    title: str
    short: str
    subtitle: str
    colour: int
    chips: tuple[str, ...]
    action: str = ""


def _roomy(text: str) -> StrategySettings:
    """A base on which a column's own pool is valid whatever k is."""
    return StrategySettings(preset="vector", k=1)


def check(text: str) -> tuple[ColumnSpec, ...]:
    """A check for `state.url_value`."""
    names = "|".join([*PRESETS, *(rf"{name}:[^@+,]+" for name in OUTSIDE)])
    parts = re.split(rf",(?=\s*(?:{names})\s*(?:[@+,]|$))", text)
    specs = tuple(ColumnSpec.parse(p) for p in parts if p.strip(" ,"))
    if not FEWEST <= len(specs) <= MOST:
        raise InvalidSetting(f"There must be {FEWEST} to {MOST} columns.")
    return specs


def read() -> tuple[ColumnSpec, ...]:
    """The columns of this session. Call once a run."""
    return state.url_value(Key.COLUMNS, DEFAULT, check=check)


def names(specs: Sequence[ColumnSpec]) -> list[str]:
    """A name for each column: its preset, numbered where it is not the first of its kind."""
    seen: dict[str, int] = {}
    made = []
    for spec in specs:
        title = spec.title
        seen[title] = seen.get(title, 0) + 1
        made.append(title if seen[title] == 1 else f"{title}-{seen[title]}")
    return made


def build(specs: Sequence[ColumnSpec], base: StrategySettings) -> list[Column]:
    """The columns as they are drawn and searched.

    Raises:
        InvalidSetting: only when `base` itself is impossible.
    """
    made: list[Column] = []
    spare = len(PRESETS)
    for name, spec in zip(names(specs), specs, strict=True):
        strategy = spec.strategy(base)
        number = name[len(spec.title) + 1 :]
        colour = -1 if spec.outside else PRESETS.index(spec.preset)
        if number or spec.outside:
            colour, spare = spare, spare + 1
        short = (spec.outside or TITLES[spec.preset]) + (f" {number}" if number else "")
        title, action = short, ""
        if spec.preset == "reranked" and strategy.rerank.model == DEFAULT_RERANKER:
            title, action = f"{short}: late interaction, untrained", "use a cross-encoder"
        made.append(
            Column(
                name=name,
                spec=spec,
                strategy=strategy,
                title=title,
                short=short,
                subtitle=_subtitle(strategy),
                colour=colour,
                chips=_chips(spec),
                action=action,
            )
        )
    return made


def _subtitle(strategy: StrategySettings) -> str:
    if strategy.preset == "bm25":
        return strategy.bm25.variant
    if strategy.preset == "hybrid":
        rrf = strategy.fusion.method == "rrf"
        return f"RRF {strategy.fusion.k:g}" if rrf else "weighted"
    if strategy.preset == "reranked":
        return f"{strategy.rerank.pool} → {strategy.k}"
    return {"searcher": "your search", "list": "as returned"}.get(strategy.preset, "")


def _chips(spec: ColumnSpec) -> tuple[str, ...]:
    """What differs from the preset's defaults and from what all columns share."""
    chips = []
    if spec.chunking:
        chips.append(spec.chunking.removesuffix(":tokens:label"))
    for name, value in spec.options.items():
        if name in OWN[spec.preset]:
            label = _CHIPS.get(name, name)
            chips.append(f"{label} {value}".strip())
    return tuple(chips)


# Changes, for callbacks ---------------------------------------------------------------------------


def write(specs: Sequence[ColumnSpec]) -> None:
    """Take other columns from the next run on."""
    state.put(Key.COLUMNS, ",".join(map(str, specs)))


def change(specs: Sequence[ColumnSpec], name: str, how: Callable[[int], list[ColumnSpec]]) -> None:
    """Replace one column by none, one or two."""
    known = names(specs)
    if name in known:
        at = known.index(name)
        made = [*specs[:at], *how(at), *specs[at + 1 :]]
        if FEWEST <= len(made) <= MOST:
            write(made)


def own_options(strategy: StrategySettings) -> dict[str, str]:
    """A strategy's options that are not the defaults, without what all columns share."""
    usual = StrategySettings(preset=strategy.preset, outside=strategy.outside)
    return {
        name: OPTIONS[name][0](strategy)
        for name in OWN[strategy.preset]
        if name != "model" and OPTIONS[name][0](strategy) != OPTIONS[name][0](usual)
    }
