"""The options of a strategy's text form: how each reads, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ragdebug.settings.stages import AnalyzerSettings
from ragdebug.settings.values import as_written, refuse

if TYPE_CHECKING:
    from ragdebug.settings.strategy import StrategySettings


def parse_pairs(pairs: Iterable[str], what: str = "filter") -> tuple[tuple[str, str], ...]:
    """Read ``key=value`` texts, as a filter or as metadata.

    Raises:
        InvalidSetting: when a pair has no "=" or an empty key.
    """
    result = []
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise refuse(f"The {what} {pair!r} is not of the form key=value.")
        result.append((key.strip(), value.strip()))
    return tuple(result)


def _filter_text(strategy: StrategySettings) -> str:
    return "&".join(
        f"{as_written(k, but='%&=')}={as_written(v, but='%&=')}" for k, v in strategy.filter
    )


def _read_filter(text: str) -> dict[str, Any]:
    pairs = parse_pairs(p for p in text.split("&") if p)
    return {"filter": tuple((unquote(k), unquote(v)) for k, v in pairs)}


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _yes(text: str) -> bool:
    if text.lower() not in ("1", "yes", "true", "on", "0", "no", "false", "off"):
        raise ValueError(text)
    return text.lower() in ("1", "yes", "true", "on")


def _weights_text(strategy: StrategySettings) -> str:
    return ",".join(f"{name}:{_number(weight)}" for name, weight in strategy.fusion.weights)


def _read_weights(text: str) -> dict[str, Any]:
    pairs = [p.partition(":") for p in text.split(",") if p]
    return {"fusion": {"weights": tuple((name, float(weight)) for name, _, weight in pairs)}}


# Text option -> (how it reads from a strategy, what it changes). The key is what a person types.
OPTIONS: dict[str, tuple[Callable[[StrategySettings], str], Callable[[str], dict[str, Any]]]] = {
    "model": (lambda s: s.embedder, lambda t: {"embedder": t}),
    "index": (lambda s: s.dense.index, lambda t: {"dense": {"index": t}}),
    "hnsw_m": (lambda s: str(s.dense.hnsw_m), lambda t: {"dense": {"hnsw_m": int(t)}}),
    "ef_search": (lambda s: str(s.dense.ef_search), lambda t: {"dense": {"ef_search": int(t)}}),
    "variant": (lambda s: s.bm25.variant, lambda t: {"bm25": {"variant": t}}),
    "k1": (lambda s: _number(s.bm25.k1), lambda t: {"bm25": {"k1": float(t)}}),
    "b": (lambda s: _number(s.bm25.b), lambda t: {"bm25": {"b": float(t)}}),
    "epsilon": (lambda s: _number(s.bm25.epsilon), lambda t: {"bm25": {"epsilon": float(t)}}),
    "analyzer": (
        lambda s: str(s.bm25.analyzer),
        lambda t: {"bm25": {"analyzer": AnalyzerSettings.parse(t)}},
    ),
    "fusion": (lambda s: s.fusion.method, lambda t: {"fusion": {"method": t}}),
    "rrf_k": (lambda s: _number(s.fusion.k), lambda t: {"fusion": {"k": float(t)}}),
    "weights": (_weights_text, _read_weights),
    "reranker": (lambda s: s.rerank.model, lambda t: {"rerank": {"model": t}}),
    "pool": (lambda s: str(s.rerank.pool), lambda t: {"rerank": {"pool": int(t)}}),
    "blend": (
        lambda s: "yes" if s.rerank.blend else "no",
        lambda t: {"rerank": {"blend": _yes(t)}},
    ),
    "k": (lambda s: str(s.k), lambda t: {"k": int(t)}),
    "depth": (lambda s: str(s.depth), lambda t: {"depth": int(t)}),
    "minimum": (
        lambda s: "none" if s.minimum is None else _number(s.minimum),
        lambda t: {"minimum": None if t == "none" else float(t)},
    ),
    "filter": (_filter_text, _read_filter),
    "budget": (
        lambda s: "none" if s.budget is None else str(s.budget),
        lambda t: {"budget": None if t == "none" else int(t)},
    ),
}
