"""The knobs that may have to be computed: filter, models, analyzer, how documents are cut."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.settings import (
    DEFAULT_RERANKER,
    OPTIONS,
    PRESETS,
    AnalyzerSettings,
    StrategySettings,
)
from ragdebug.ui import chunking_form, filtering, literal
from ragdebug.workbench.whatif.knobs import only_cuts

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

COSTLY = frozenset({"filter", "preset", "model", "reranker", "analyzer", "chunking", "pool"})
SEARCHED_ONLY = frozenset({"filter", "analyzer"})  # what needs no embedding
_FLAGS = {"stop words": "stop_words", "stems": "stemming", "parts": "parts"}


def today(strategy: StrategySettings, key: str) -> dict[str, object]:
    """Widget -> its value for the strategy as it is."""
    if strategy.is_outside:
        return {f"{key}_filter": _pairs(strategy)}
    analyzer = strategy.bm25.analyzer
    return {
        f"{key}_filter": _pairs(strategy),
        f"{key}_preset": strategy.preset,
        f"{key}_model": strategy.embedder,
        f"{key}_reranker": strategy.rerank.model,
        f"{key}_language": analyzer.language,
        f"{key}_analysis": _words(analyzer),
        **chunking_form.values(strategy.chunking, f"_{key}"),
    }


def draw(wb: Workbench, strategy: StrategySettings, key: str) -> dict[str, object]:
    """Draw the drawer; returns the knobs that were turned and mean something to the strategy."""
    if strategy.is_outside:
        return _of_outside(wb, strategy, key)
    opened = f"_{key}_open"
    if opened not in st.session_state:  # a link that turns one of them shows it
        st.session_state[opened] = any(name in st.query_params for name in today(strategy, key))
    with st.expander(
        "Filter, models, analyzer, chunking",
        expanded=st.session_state[opened],
        key=f"{key}_dear",
        icon=":material/tune:",
    ):
        first, second, third = st.columns(3, gap="medium")
        with first:
            knobs = _filter(wb, strategy, key)
            preset = _preset(strategy, key)
        if preset != strategy.preset:
            knobs["preset"] = preset
        with second:
            model, reranker = _models(wb, strategy, preset, key)
        if preset != "bm25" and model != strategy.embedder:
            knobs["model"] = model
        if preset == "reranked" and reranker != strategy.rerank.model:
            knobs["reranker"] = reranker
        with third:
            analyzer = _analyzer(wb, strategy, preset, key)
        if preset != "vector" and analyzer != str(strategy.bm25.analyzer):
            knobs["analyzer"] = analyzer
        chunking = chunking_form.draw(
            f"_{key}", strategy.chunking, imported=[s.name for s in wb.piece_sets()]
        )
        if chunking != strategy.chunking:
            knobs["chunking"] = str(chunking)
    return knobs


def _of_outside(wb: Workbench, strategy: StrategySettings, key: str) -> dict[str, object]:
    """Of another system's search the filter alone, and why."""
    with st.container(key=f"{key}_dear", gap="xsmall"):
        knobs = _filter(wb, strategy, key)
        literal.small(only_cuts(strategy))
    return knobs


def _filter(wb: Workbench, strategy: StrategySettings, key: str) -> dict[str, object]:
    now = _pairs(strategy)
    pairs = filtering.pairs(
        st.multiselect(
            "Filter",
            list(dict.fromkeys([*now, *filtering.choices(wb)])),
            default=now,
            key=f"{key}_filter",
            bind="query-params",
            accept_new_options=True,
            placeholder="all documents",
            help=filtering.HELP,
        )
    )
    if set(pairs) == set(strategy.filter):
        return {}
    return {"filter": OPTIONS["filter"][0](replace(strategy, filter=pairs))}


def _pairs(strategy: StrategySettings) -> list[str]:
    return [f"{name}={value}" for name, value in strategy.filter]


def _preset(strategy: StrategySettings, key: str) -> str:
    return str(
        st.selectbox(
            "Lists",
            PRESETS,
            index=PRESETS.index(strategy.preset),
            key=f"{key}_preset",
            bind="query-params",
            help="hybrid fuses vectors and BM25; reranked lets a second model read the first of "
            "them.",
        )
    )


def _models(wb: Workbench, strategy: StrategySettings, preset: str, key: str) -> tuple[str, str]:
    """The embedding model and the reranker."""
    known = wb.models()
    model = _model(
        "Embedding model",
        [strategy.embedder, *(m.name for m in known if m.kind == "embedder")],
        f"{key}_model",
        "Choose one, or type the name or folder of a sentence-transformers model.",
        off=preset == "bm25",
    )
    reranker = _model(
        "Reranker",
        [
            strategy.rerank.model,
            *(m.name for m in known if m.kind == "reranker" and m.name != DEFAULT_RERANKER),
            DEFAULT_RERANKER,
        ],
        f"{key}_reranker",
        "late-interaction is untrained and comes along; identity keeps the order. Or type the name "
        "or folder of a cross-encoder.",
        off=preset != "reranked",
    )
    return model, reranker


def _model(label: str, options: list[str], key: str, text: str, *, off: bool) -> str:
    """One of some models, the first at first, or one that is typed."""
    given = str(st.session_state.get(key) or st.query_params.get(key) or "")
    made = st.selectbox(
        label,
        list(dict.fromkeys([*options, *([given] if given else [])])),
        key=key,
        bind="query-params",
        accept_new_options=True,
        disabled=off,
        help=text,
    )
    return str(made or options[0])


def _analyzer(wb: Workbench, strategy: StrategySettings, preset: str, key: str) -> str:
    """Text form of how BM25 reads words."""
    now, off = strategy.bm25.analyzer, preset == "vector"
    own = f"{key}_language"
    given = str(st.session_state.get(own) or st.query_params.get(own) or "")
    there = sorted(wb.metadata_keys().get("language", {}))
    offered = [now.language, "auto", "none", *there, *([given] if given else [])]
    language = st.selectbox(
        "Language of BM25",
        list(dict.fromkeys(offered)),
        key=own,
        bind="query-params",
        accept_new_options=True,
        disabled=off,
        help="Of stop words and stems: auto is that of most of the corpus, none leaves words as "
        "they stand; or type a code such as de.",
    )
    chosen = st.pills(
        "Words of BM25",
        list(_FLAGS),
        selection_mode="multi",
        default=_words(now),
        key=f"{key}_analysis",
        bind="query-params",
        disabled=off,
        help="Drop stop words; reduce words to stems; find identifiers by their parts too.",
    )
    flags = {flag: name in chosen for name, flag in _FLAGS.items()}
    return str(AnalyzerSettings(language=str(language or now.language), **flags))


def _words(analyzer: AnalyzerSettings) -> list[str]:
    return [name for name, flag in _FLAGS.items() if getattr(analyzer, flag)]
