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

HEALTH = state.HEALTH
_OPENED = "_health_opened"
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


def draw(where: Where, key: str) -> None:
    """A link to one place; `key` is unique on the page.

    A chunk of another chunking than the one in use is opened by a button: the settings of a session
    go before those of a link in it.
    """
    label, icon = literal.plain(where.label, 90), _ICONS[where.page]
    wanted = settings(where)
    if all(st.session_state.get(name) == value for name, value in wanted.items()):
        st.page_link(_PAGES[where.page], label=label, icon=icon, query_params=params(where))
        return
    st.button(label, icon=icon, type="tertiary", key=key, on_click=_open, args=(where, wanted))


def _open(where: Where, wanted: dict[str, str | int | bool]) -> None:
    st.session_state.update(wanted)
    st.session_state[_OPENED] = where


def follow() -> None:
    """Go where a button leads. Call once a run, after the widgets that hold its settings."""
    where = st.session_state.pop(_OPENED, None)
    if isinstance(where, Where):
        # What is bound to a widget must not stand in the URL here; the session has it by now.
        given = {k: v for k, v in params(where).items() if k not in settings(where)}
        st.switch_page(_PAGES[where.page], query_params=given)


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
    return {**found, **{name: _written(value) for name, value in settings(where).items()}}


def _written(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def workspace() -> dict[str, str]:
    """The open workspace, which no link may lose."""
    opened = state.peek(Key.WORKSPACE)
    return {Key.WORKSPACE: opened} if opened else {}


def settings(where: Where) -> dict[str, str | int | bool]:
    """A place's chunking and model, as the widgets of the Chunks page hold them."""
    found: dict[str, str | int | bool] = {}
    if where.chunking:
        c = ChunkingSettings.parse(where.chunking)
        found = {
            Key.CHUNKER: c.chooser,
            Key.SIZE: c.size,
            Key.OVERLAP: c.overlap,
            Key.UNIT: c.unit,
            Key.OVERLAP_UNIT: "sentences" if c.overlap_unit else "the same",
            Key.LABEL: c.label,
        }
    if where.page == "chunks" and where.model:
        found[Key.MODEL] = where.model
    return found


def beside(strategy: str, other: str = "") -> str:
    """Columns of Search: a strategy beside another one, or beside itself without its minimum."""
    try:
        one = StrategySettings.parse(strategy)
        two = StrategySettings.parse(other) if other else replace(one, minimum=None)
    except RagDebugError:
        return ""
    if str(one) == str(two):
        cut = ChunkingSettings() if one.is_outside else one.chunking
        two = StrategySettings(preset="bm25", chunking=cut)
    return f"{column(one)},{column(two)}"


def column(strategy: StrategySettings) -> ColumnSpec:
    """A strategy as a column that has its own chunking and model."""
    options = own_options(strategy)
    if strategy.uses_vectors and strategy.embedder != DEFAULT_EMBEDDER:
        options["model"] = strategy.embedder
    chunking = "" if strategy.is_outside else str(strategy.chunking)
    return ColumnSpec(strategy.preset, chunking, options, strategy.outside)


def name(strategy: str, model: str = "") -> str:
    """A strategy as a person says it, as Markdown: its preset and what is not the default.

    `model` is the one that goes without saying.
    """
    try:
        one = StrategySettings.parse(strategy)
    except RagDebugError:
        return literal.code(strategy, 60)
    parts = [one.title]
    if one.chunking != ChunkingSettings() and not one.is_outside:
        parts.append(str(one.chunking).removesuffix(":label").removesuffix(":tokens"))
    if one.uses_vectors and one.embedder != (model or DEFAULT_EMBEDDER):
        parts.append(one.embedder)
    if one.minimum is not None:
        parts.append(f"minimum {one.minimum:g}")
    if one.preset == "reranked" and one.rerank.model != DEFAULT_RERANKER:
        parts.append(one.rerank.model)
    return literal.code(" ".join(parts), 60)
