"""The drawer with one column's own settings.

Nothing changes until "Use these settings"; what is impossible is refused there, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import (
    DEFAULT_RERANKER,
    OPTIONS,
    PRESETS,
    VARIANTS,
    AnalyzerSettings,
    StrategySettings,
)
from ragdebug.ui import literal
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search.columns import Column, ColumnSpec

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_OPEN = "_search_settings_open"
_ROUND = "_search_settings_round"
Options = dict[str, str]


def ask(name: str) -> None:
    """Open the drawer of a column with this run. For callbacks."""
    st.session_state[_OPEN] = name
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def close() -> None:
    """Close it. For callbacks."""
    st.session_state[_OPEN] = ""


def show(wb: Workbench, specs: Sequence[ColumnSpec], drawn: Sequence[Column]) -> None:
    """Draw the drawer while it is open. Call once a run."""
    column = next((c for c in drawn if c.name == st.session_state.get(_OPEN)), None)
    if column is not None:
        _drawer(wb, specs, column)


@st.dialog("Column settings", position="right", icon=":material/tune:", on_dismiss=close)
def _drawer(wb: Workbench, specs: Sequence[ColumnSpec], column: Column) -> None:
    key = f"_col{st.session_state.get(_ROUND, 0)}_"
    now = column.strategy
    st.markdown(f"**{literal.plain(column.title)}**")
    _named(wb, specs, column, key)
    known = list(dict.fromkeys([*PRESETS, *outside(wb), now.title]))
    chosen = st.selectbox(
        "Strategy",
        known,
        index=known.index(now.title),
        format_func=lambda one: cols.TITLES.get(one, literal.one_line(one, 60)),
        key=f"{key}preset",
    )
    preset, _, name = chosen.partition(":")
    options: Options = {}
    chunking = ""
    if name:
        st.caption("Its hits come from another system: only a minimum score is applied here.")
    else:
        if preset == "reranked":
            options |= _rerank(now, key)
        if preset in ("hybrid", "reranked"):
            options |= _fusion(now, key)
        if preset != "vector":
            options |= _bm25(now, key)
        if preset != "bm25":
            options |= _dense(wb, column, key)
        chunking = _chunking(column, key)
    options |= _minimum(now, key)
    made = _made(preset, chunking, options, name)
    with st.container(horizontal=True):
        if st.button("Use these settings", type="primary", key=f"{key}use"):
            _use(specs, column, made)
        if st.button("Back to the defaults", key=f"{key}reset"):
            cols.change(
                specs,
                column.name,
                lambda at: [ColumnSpec(specs[at].preset, outside=specs[at].outside)],
            )
            close()
            st.rerun()
    st.divider()
    with st.container(horizontal=True):
        _change(
            specs, column, "Duplicate", ":material/content_copy:", key,
            lambda at: [specs[at], specs[at]], len(specs) >= cols.MOST,
        )  # fmt: skip
        _change(
            specs, column, "Remove", ":material/delete:", key,
            lambda at: [], len(specs) <= cols.FEWEST,
        )  # fmt: skip


def _named(wb: Workbench, specs: Sequence[ColumnSpec], column: Column, key: str) -> None:
    """Take a strategy that somebody gave a name to, instead of settings one by one."""
    known = wb.named_strategies()
    if not known:
        return
    name = st.selectbox(
        "Named strategy",
        list(known),
        index=None,
        placeholder="take one that was kept",
        format_func=lambda one: literal.one_line(one, 60),
        key=f"{key}named",
    )
    if name:
        made = known[name]
        options = cols.own_options(made)
        if made.uses_vectors and made.embedder != column.strategy.embedder:
            options["model"] = made.embedder
        chunking = "" if made.is_outside else str(made.chunking)
        _use(specs, column, ColumnSpec(made.preset, chunking, options, made.outside))


def outside(wb: Workbench) -> list[str]:
    """Searches of other systems that may be a column: searchers, then result lists."""
    searchers = [f"searcher:{row.settings.name}" for row in wb.searchers()]
    return [*searchers, *(f"list:{one.name}" for one in wb.result_lists())]


def _change(
    specs: Sequence[ColumnSpec],
    column: Column,
    label: str,
    icon: str,
    key: str,
    how: Callable[[int], list[ColumnSpec]],
    off: bool,
) -> None:
    why = f"There are {cols.FEWEST} to {cols.MOST} columns." if off else None
    if st.button(label, icon=icon, key=f"{key}{label}", disabled=off, help=why):
        cols.change(specs, column.name, how)
        close()
        st.rerun()


def _use(specs: Sequence[ColumnSpec], column: Column, made: ColumnSpec) -> None:
    try:
        cols.check(f"{made},bm25")  # reads it as a link would
        made.strategy(column.strategy)
    except RagDebugError as error:
        literal.problem(error)
        return
    cols.change(specs, column.name, lambda at: [made])
    close()
    st.rerun()


def _made(preset: str, chunking: str, options: Options, outside: str = "") -> ColumnSpec:
    """Only what is not the preset's default is a column's own."""
    usual = StrategySettings(preset=preset, outside=outside)
    own = {}
    for name, text in options.items():
        text = text.strip()
        default = OPTIONS[name][0](usual)
        if text and (name == "model" or text != default):
            own[name] = text
    return ColumnSpec(preset, chunking.strip(), own, outside)


# Groups of settings -------------------------------------------------------------------------------


def _number(label: str, key: str, now: str, help_: str = "", on: object = st) -> str:
    """A number as text, so that what is impossible is refused with its reason."""
    return st.text_input(label, now, key=key, help=help_ or None)


def _rerank(now: StrategySettings, key: str) -> Options:
    st.caption("RERANKER")
    kinds = (DEFAULT_RERANKER, "cross-encoder", "identity")
    model = now.rerank.model
    at = kinds.index(model) if model in kinds else 1
    kind = st.selectbox(
        "Reranker",
        kinds,
        index=at,
        key=f"{key}reranker",
        format_func={
            DEFAULT_RERANKER: "late interaction (untrained, comes along)",
            "cross-encoder": "a cross-encoder of yours",
            "identity": "none (keeps the order)",
        }.__getitem__,
    )
    name = kind
    if kind == "cross-encoder":
        name = st.text_input(
            "Cross-encoder",
            model if at == 1 else "",
            key=f"{key}cross",
            placeholder="name or folder, such as cross-encoder/ms-marco-MiniLM-L6-v2",
            help="A sentence-transformers CrossEncoder: a folder, or a name of the hub. One that "
            "is not on this machine is fetched only when you agree.",
        )
        if not name.strip():
            st.caption("Name a model, or the reranker stays what it was.")
            name = model
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        pool = _number("Candidates", f"{key}pool", str(now.rerank.pool), "Never fewer than k.")
    with right:
        blend = st.toggle(
            "Blend",
            now.rerank.blend,
            key=f"{key}blend",
            help="Fuse the reranker's order with the one before it by reciprocal ranks: "
            "on some corpora reranking alone hurts.",
        )
    return {"reranker": name, "pool": pool, "blend": "yes" if blend else "no"}


def _fusion(now: StrategySettings, key: str) -> Options:
    st.caption("FUSION")
    rrf = "reciprocal ranks (RRF)"
    method = st.segmented_control(
        "Method",
        [rrf, "weighted scores"],
        default=rrf if now.fusion.method == "rrf" else "weighted scores",
        required=True,
        key=f"{key}fusion",
        label_visibility="collapsed",
    )
    one, two, three, four = st.columns(4)
    with one:
        k = _number("RRF k", f"{key}rrf_k", f"{now.fusion.k:g}")
    with two:
        vector = _number("Vector ×", f"{key}w_v", f"{now.fusion.weight('vector'):g}")
    with three:
        bm25 = _number("BM25 ×", f"{key}w_b", f"{now.fusion.weight('bm25'):g}")
    with four:
        depth = _number("Depth", f"{key}depth", str(now.depth), "Hits that each list gives.")
    weights = "" if (vector, bm25) == ("1", "1") else f"vector:{vector},bm25:{bm25}"
    return {
        "fusion": "rrf" if method == rrf else "weighted",
        "rrf_k": k,
        "weights": weights,
        "depth": depth,
    }


def _bm25(now: StrategySettings, key: str) -> Options:
    st.caption("BM25")
    one, two, three = st.columns([2, 1, 1])
    with one:
        variant = st.selectbox(
            "Variant",
            VARIANTS,
            index=VARIANTS.index(now.bm25.variant),
            key=f"{key}variant",
            help="lucene: Elasticsearch, OpenSearch, Tantivy. okapi: rank-bm25, LangChain.",
        )
    with two:
        k1 = _number("k1", f"{key}k1", f"{now.bm25.k1:g}")
    with three:
        b = _number("b", f"{key}b", f"{now.bm25.b:g}")
    was = now.bm25.analyzer
    left, right = st.columns([1, 2])
    with left:
        language = st.text_input(
            "Language",
            was.language,
            key=f"{key}language",
            help="Of stop words and stems: auto, none, or a code such as de.",
        )
    with right:
        chosen = st.pills(
            "Analysis",
            ["stop words", "stems", "parts"],
            selection_mode="multi",
            default=[
                n
                for n, on in (
                    ("stop words", was.stop_words),
                    ("stems", was.stemming),
                    ("parts", was.parts),
                )
                if on
            ],
            key=f"{key}analysis",
            help="Drop stop words; reduce words to stems; find identifiers by their parts too.",
        )
    flags = {"stop words": "stop_words", "stems": "stemming", "parts": "parts"}
    off = [f"no_{flag}" for name, flag in flags.items() if name not in chosen]
    analyzer = "-".join([language.strip() or AnalyzerSettings().language, *off])
    return {"variant": variant, "k1": k1, "b": b, "analyzer": analyzer}


def _dense(wb: Workbench, column: Column, key: str) -> Options:
    st.caption("VECTORS")
    now = column.strategy
    same = "the same as the other columns"
    known = [m.name for m in wb.models() if m.kind == "embedder"]
    own = column.spec.options.get("model", "")
    options = [same, *known, *([own] if own and own not in known else [])]
    model = st.selectbox(
        "Model",
        options,
        index=options.index(own) if own else 0,
        key=f"{key}model",
        accept_new_options=True,
    )
    one, two, three = st.columns([2, 1, 1])
    with one:
        index = st.selectbox(
            "Index",
            ("exact", "hnsw"),
            index=("exact", "hnsw").index(now.dense.index),
            key=f"{key}index",
            format_func={"exact": "exact", "hnsw": "HNSW (approximate)"}.__getitem__,
        )
    result = {"model": "" if model in (same, None) else str(model), "index": index}
    if index == "hnsw":
        with two:
            result["hnsw_m"] = _number("M", f"{key}m", str(now.dense.hnsw_m))
        with three:
            result["ef_search"] = _number("efSearch", f"{key}ef", str(now.dense.ef_search))
    return result


def _chunking(column: Column, key: str) -> str:
    st.caption("CHUNKING AND CUT")
    return st.text_input(
        "Chunking of its own",
        column.spec.chunking,
        key=f"{key}chunking",
        placeholder="the same as the other columns",
        help="Such as fixed:200/0 or structure:120/20:tokens:nolabel.",
    )


def _minimum(now: StrategySettings, key: str) -> Options:
    text = _number(
        "Minimum score",
        f"{key}minimum",
        "" if now.minimum is None else f"{now.minimum:g}",
        "Applied last, to the score that is shown. Empty for none.",
    )
    return {"minimum": text.strip() or "none"}
