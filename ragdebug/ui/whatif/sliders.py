"""The knobs that answer at once, as sliders."""

from __future__ import annotations

import streamlit as st

from ragdebug.settings import StrategySettings

DEEPEST = 100  # lists are held to this depth


def draw(strategy: StrategySettings, key: str) -> dict[str, object]:
    """Draw the knobs that a strategy has; returns those that were turned."""
    _begin(strategy, key)
    first, second, third = st.columns(3, gap="medium")
    knobs: dict[str, object] = {}
    with first:
        top = min(strategy.rerank.pool, DEEPEST) if strategy.preset == "reranked" else DEEPEST
        knobs["k"] = _slider("k", "k", 1, top, strategy.k, key, "How many hits are returned.")
        if strategy.preset == "reranked":
            knobs["pool"] = _slider(
                "Rerank pool",
                "pool",
                int(str(knobs["k"])),
                DEEPEST,
                strategy.rerank.pool,
                key,
                "How many candidates the reranker orders anew. Beyond what it has read, questions "
                "are left out until it has.",
            )
    if strategy.preset in ("hybrid", "reranked"):
        with second:
            _fusion(strategy, knobs, key)
    with third:
        knobs["minimum"] = st.number_input(
            "Minimum score",
            value=strategy.minimum,
            format="%0.4f",
            key=f"{key}_minimum",
            bind="query-params",
            help="Hits below it are left out. Leave empty for none.",
        )
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
        "How many of each list are fused.",
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


def _begin(strategy: StrategySettings, key: str) -> None:
    """Put the knobs back when another strategy is looked at; those of a link stay."""
    of = f"_{key}_of"
    if st.session_state.get(of, str(strategy)) != str(strategy):
        for name in _today(strategy):
            st.session_state.pop(f"{key}_{name}", None)
        st.session_state.pop(f"{key}_share", None)
    st.session_state[of] = str(strategy)


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
