"""Links from a finding to the page that shows it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    ChunkingSettings,
    StrategySettings,
)
from ragdebug.ui import literal, state
from ragdebug.ui.search.columns import ColumnSpec, own_options
from ragdebug.ui.state import Key
from ragdebug.workbench.health import Where

HEALTH = "pages/7_Health.py"
_ICONS = {
    "corpus": ":material/article:",
    "chunks": ":material/segment:",
    "search": ":material/search:",
    "results": ":material/monitoring:",
}
_PAGES = {
    "corpus": state.CORPUS,
    "chunks": state.CHUNKS,
    "search": state.SEARCH,
    "results": state.RESULTS,
}


def draw(where: Where) -> None:
    """A link to one place."""
    st.page_link(
        _PAGES[where.page],
        label=literal.plain(where.label, 90),
        icon=_ICONS[where.page],
        query_params=params(where),
    )


def params(where: Where) -> dict[str, str]:
    """What the URL of a place holds."""
    if where.page == "search":
        return state.search_params(where.query, columns=beside(where.strategy))
    if where.page == "results":
        return workspace() | ({Key.RUNS: where.run} if where.run else {})
    if where.page == "corpus":
        return state.document_params(where.document, where.at)
    found = state.chunks_params(where.document, where.at)
    if where.chunk:
        found[Key.CHUNK] = where.chunk
    if where.model:
        found[Key.MODEL] = where.model
    return {**found, **(chunking_params(where.chunking) if where.chunking else {})}


def workspace() -> dict[str, str]:
    """The open workspace, which no link may lose."""
    opened = state.peek(Key.WORKSPACE)
    return {Key.WORKSPACE: opened} if opened else {}


def chunking_params(text: str) -> dict[str, str]:
    """A chunking as the widgets of `chunking_form` have it in the URL."""
    c = ChunkingSettings.parse(text)
    return {
        Key.CHUNKER: c.strategy,
        Key.SIZE: str(c.size),
        Key.OVERLAP: str(c.overlap),
        Key.UNIT: c.unit,
        Key.OVERLAP_UNIT: "sentences" if c.overlap_unit else "the same",
        Key.LABEL: "true" if c.label else "false",
    }


def beside(strategy: str, other: str = "") -> str:
    """Columns of Search: a strategy beside another one, or beside itself without its minimum."""
    try:
        one = StrategySettings.parse(strategy)
        two = StrategySettings.parse(other) if other else replace(one, minimum=None)
    except RagDebugError:
        return ""
    if str(one) == str(two):
        two = StrategySettings(preset="bm25", chunking=one.chunking)
    return f"{column(one)},{column(two)}"


def column(strategy: StrategySettings) -> ColumnSpec:
    """A strategy as a column that has its own chunking and model."""
    options = own_options(strategy)
    if strategy.uses_vectors and strategy.embedder != DEFAULT_EMBEDDER:
        options["model"] = strategy.embedder
    return ColumnSpec(strategy.preset, str(strategy.chunking), options)


def name(strategy: str, model: str = "") -> str:
    """A strategy as a person says it, as Markdown: its preset and what is not the default.

    `model` is the one that goes without saying.
    """
    try:
        one = StrategySettings.parse(strategy)
    except RagDebugError:
        return literal.code(strategy, 60)
    parts = [one.preset]
    if one.chunking != ChunkingSettings():
        parts.append(str(one.chunking).removesuffix(":label").removesuffix(":tokens"))
    if one.uses_vectors and one.embedder != (model or DEFAULT_EMBEDDER):
        parts.append(one.embedder)
    if one.minimum is not None:
        parts.append(f"minimum {one.minimum:g}")
    if one.preset == "reranked" and one.rerank.model != DEFAULT_RERANKER:
        parts.append(one.rerank.model)
    return literal.code(" ".join(parts), 60)
