"""The query and what all columns share: k, filter, chunking, model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    ChunkingSettings,
    RerankSettings,
    StrategySettings,
)
from ragdebug.ui import chunking_form, filtering, literal
from ragdebug.ui.search import filling
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST_K = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """The query, and a strategy that holds what all columns share."""

    query: str
    base: StrategySettings


def query_row(wb: Workbench) -> tuple[str, int, tuple[tuple[str, str], ...]]:
    """Query, k and filter, in one row; Enter searches."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.form("search_query", border=False):
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                # As long as anybody likes: the widget would cut the rest off without a word.
                query = st.text_input(
                    "Query",
                    key=Key.QUERY,
                    bind="query-params",
                    placeholder="Ask what your users ask …",
                )
                st.form_submit_button(
                    "Search",
                    type="primary",
                    icon=":material/search:",
                    on_click=lambda: filling.search_again(
                        wb, str(st.session_state.get(Key.QUERY) or "").strip()
                    ),
                )
        k = st.number_input(
            "k",
            1,
            MOST_K,
            5,
            key=Key.TOP,
            bind="query-params",
            width=100,
            help="Hits in each list. A reranker's pool grows with it.",
        )
        pairs = st.multiselect(
            "Filter",
            filtering.choices(wb),
            key=Key.FILTER,
            bind="query-params",
            accept_new_options=True,
            placeholder="all documents",
            width=220,
            help=filtering.HELP,
        )
    return (query or "").strip(), int(k or 5), filtering.pairs(pairs)


def chunking(wb: Workbench, model: str) -> ChunkingSettings:
    """The chunking of all columns that have none of their own, behind a button that names it."""
    now = st.session_state.get("_search_chunking", str(ChunkingSettings()))
    with st.popover(
        literal.plain(short(now), 40),
        icon=":material/segment:",
        key="search_chunking_popover",
        help="How the documents are cut, in every column that has no chunking of its own.",
    ):
        made = chunking_form.draw(imported=[s.name for s in wb.piece_sets()])
        try:
            for warning in wb.check_chunking(made, model):
                literal.note(warning)
        except RagDebugError as error:
            literal.problem(error)
    if str(made) != now:
        st.session_state["_search_chunking"] = str(made)
        st.rerun()  # the button above was drawn before its own widgets had been read
    return made


def short(chunking_text: str) -> str:
    """A chunking as a person says it, the usual unit and label left out: ``structure 220/40``."""
    c = ChunkingSettings.parse(chunking_text)
    label = "" if c.label else ", no label"
    if c.is_imported:
        return c.name
    if c.strategy == "document":
        return f"whole documents{label}"
    overlap = f"{c.overlap} sentences" if c.overlap_unit else f"{c.overlap}"
    unit = "" if c.unit == "tokens" else f" {c.unit}"
    return f"{c.strategy} {c.size}/{overlap}{unit}{label}"


def model(wb: Workbench) -> str:
    """The embedding model of all columns that have none of their own."""
    known = [m.name for m in wb.models() if m.kind == "embedder"]
    given = st.session_state.get(Key.MODEL) or st.query_params.get(Key.MODEL)
    options = known if given in (None, "", *known) else [*known, str(given)]
    chosen = st.selectbox(
        "Model",
        options,
        index=options.index(DEFAULT_EMBEDDER) if DEFAULT_EMBEDDER in options else 0,
        key=Key.MODEL,
        bind="query-params",
        accept_new_options=True,
        label_visibility="collapsed",
        help="Embedding model: choose one, or type the name or folder of a sentence-transformers "
        "model. One that is not on this machine is fetched only when you agree.",
    )
    return str(chosen or DEFAULT_EMBEDDER)


def base(
    k: int, pairs: tuple[tuple[str, str], ...], cut: ChunkingSettings, embedder: str
) -> StrategySettings:
    """What all columns share."""
    return StrategySettings(
        preset="vector",
        chunking=cut,
        embedder=embedder,
        k=k,
        filter=pairs,
        rerank=RerankSettings(pool=max(RerankSettings().pool, k)),
    )
