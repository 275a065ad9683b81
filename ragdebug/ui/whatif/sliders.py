"""The knobs that answer at once, as sliders."""

from __future__ import annotations

import streamlit as st

from ragdebug.settings import StrategySettings

DEEPEST = 100  # lists are held to this depth


def draw(strategy: StrategySettings, preset: str, key: str) -> dict[str, object]:
    """Draw the knobs that a strategy has under a preset; returns those that were turned."""
    first, second, third = st.columns(3, gap="medium")
    knobs: dict[str, object] = {}
    with first:
        knobs["k"] = k = _slider(
            "k", "k", 1, DEEPEST, strategy.k, key, "How many hits are returned."
        )
        if preset == "reranked":
            pool = _slider(
                "Rerank pool",
                "pool",
                1,
                DEEPEST,
                strategy.rerank.pool,
                key,
                "How many candidates the reranker orders anew, never fewer than k. Beyond what it "
                "has read, questions are left out until it has.",
            )
            knobs["pool"] = max(pool, k)
    fused = preset in ("hybrid", "reranked")
    if fused:
        with second:
            _fusion(strategy, knobs, key)
    with third if fused else second:
        knobs["minimum"] = st.number_input(
            "Minimum score",
            value=strategy.minimum,
            format="%0.4f",
            key=f"{key}_minimum",
            bind="query-params",
            help="Hits below it are left out. Leave empty for none.",
        )
    with third:
        knobs["budget"] = st.number_input(
            "Token budget",
            min_value=1,
            value=strategy.budget,
            step=100,
            key=f"{key}_budget",
            bind="query-params",
            help="Whole hits go into the context until the next does not fit. Empty for none.",
        )
    return {name: value for name, value in knobs.items() if value != _today(strategy)[name]}


def _fusion(strategy: StrategySettings, knobs: dict[str, object], key: str) -> None:
    knobs["depth"] = _slider(
        "Depth of each list",
        "depth",
        1,
        DEEPEST,
        strategy.depth,
        key,
        "How many of each list are fused, never fewer than k.",
    )
    if strategy.fusion.method == "rrf":
        knobs["rrf_k"] = _slider(
            "RRF k",
            "rrf_k",
            0,
            200,
            round(strategy.fusion.k),
            key,
            "The larger, the less first ranks count.",
        )
    share = st.slider(
        "Weight of BM25 against vectors",
        0.0,
        1.0,
        _bm25_share(strategy),
        0.05,
        key=f"{key}_share",
        bind="query-params",
        help="0: vectors alone; 1: BM25 alone; 0.5: both alike.",
    )
    if share != _bm25_share(strategy):
        # Both add up to 2, as two equal weights do, so that scores keep their size.
        knobs["weights"] = f"vector:{2 - 2 * share:g},bm25:{2 * share:g}"


def today(strategy: StrategySettings, key: str) -> dict[str, object]:
    """Widget -> its value for the strategy as it is."""
    own = {name: value for name, value in _today(strategy).items() if name != "weights"}
    return {
        f"{key}_{name}": value for name, value in (own | {"share": _bm25_share(strategy)}).items()
    }


def _slider(label: str, name: str, low: int, high: int, value: int, key: str, text: str) -> int:
    high = max(high, value, low + 1)
    return st.slider(
        label, low, high, max(value, low), key=f"{key}_{name}", bind="query-params", help=text
    )


def _bm25_share(strategy: StrategySettings) -> float:
    """To the slider's step."""
    bm25, vector = (strategy.fusion.weight(name) for name in ("bm25", "vector"))
    return round(20 * bm25 / (bm25 + vector)) / 20


def _today(strategy: StrategySettings) -> dict[str, object]:
    return {
        "k": strategy.k,
        "pool": strategy.rerank.pool,
        "depth": strategy.depth,
        "rrf_k": round(strategy.fusion.k),
        "weights": "",
        "minimum": strategy.minimum,
        "budget": strategy.budget,
    }
