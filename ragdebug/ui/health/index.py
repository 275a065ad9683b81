"""The index check: the same queries by exact search and by HNSW, with M and efSearch to slide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.runs import Interval
from ragdebug.settings import DenseSettings, StrategySettings
from ragdebug.ui import indexing, literal, state, tables
from ragdebug.ui.health import background, links
from ragdebug.workbench.health import IndexCheck

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

NAME = "index"
M, EF = "hnsw_m", "ef_search"  # names in the URL
SAMPLE = 200
LARGEST_PX = 330
LINKED = 5
LOADING_S = 3.0
_ASKED = "_health_index_asked"


def draw(wb: Workbench, strategies: Sequence[StrategySettings]) -> None:
    """Draw the sliders and, once asked for, the comparison."""
    st.subheader("Index check", anchor=False)
    dense = [s for s in strategies if s.uses_vectors]
    if not dense:
        st.caption("None of the columns of Search uses vectors.")
        return
    st.caption(
        "Vector search here is exact. An engine that searches with HNSW is faster and misses some: "
        "the same queries are asked both ways."
    )
    one = _strategy(dense)
    left, right = st.columns(2, gap="medium")
    with left:
        m = st.slider(
            "M", 2, 64, DenseSettings().hnsw_m, step=2, key=M, bind="query-params",
            help="Links of each chunk in the index. More find more and take memory; another M "
            "builds another index.",
        )  # fmt: skip
    with right:
        ef = st.slider(
            "efSearch", 8, 512, DenseSettings().ef_search, step=8, key=EF, bind="query-params",
            help="Candidates kept in mind during a search. More find more and take longer.",
        )  # fmt: skip
    if not st.session_state.get(_ASKED):
        asked = st.button(
            "Compare", type="primary", icon=":material/compare_arrows:", key="health_compare"
        )
        if not asked:
            return
        st.session_state[_ASKED] = True
    # What embeds begins only when it is asked for.
    if not indexing.offer(wb, one.chunking, one.embedder):
        st.caption("The index check waits until every chunk has a vector.")
        return
    _compared(wb, one, int(m), int(ef))


def _strategy(dense: Sequence[StrategySettings]) -> StrategySettings:
    """The strategy whose vectors are looked at; a choice where there are several indexes."""
    by_name: dict[str, StrategySettings] = {}
    for one in dense:
        by_name.setdefault(f"{one.embedder} · {one.chunking}", one)
    if len(by_name) == 1:
        return next(iter(by_name.values()))
    chosen = st.selectbox("Index", list(by_name), key="_health_index", width=420)
    return by_name.get(chosen or "", dense[0])


def _compared(wb: Workbench, one: StrategySettings, m: int, ef: int) -> None:
    questions = tuple((q.id, q.version) for q in wb.questions())
    key = (str(wb.path), wb.corpus().fingerprint, hash(questions), str(one), m, ef)

    def make(progress: Progress) -> IndexCheck:
        return wb.index_check(one, SAMPLE, m, ef, progress=progress)

    made = background.ask(NAME, key, make)
    if isinstance(made, background.Waiting):
        loading = bool(wb.models_missing(one))
        background.watch(NAME, key, "Comparing", LOADING_S if loading else background.POLL_S)
        return
    if isinstance(made, background.Failure):
        literal.problem(made.message, made.hint)
        return
    _numbers(made)
    _costs(made, one)


def _numbers(check: IndexCheck) -> None:
    cells = st.columns(len(check.recall) + 2, gap="small")
    for cell, (k, recall) in zip(cells, check.recall.items(), strict=False):
        cell.metric(
            f"Recall at {k}",
            f"{recall.mean:.1%}",
            border=True,
            help=f"Share of the first {k} of exact search that HNSW has among its first {k}.",
        )
        cell.caption(_interval(recall))
    for cell, title, took in (
        (cells[-2], "Exact", check.exact_ms), (cells[-1], "HNSW", check.hnsw_ms),
    ):  # fmt: skip
        cell.metric(f"{title}, a search", f"{took:.2f} ms", border=True)
        cell.caption(f"median of {check.queries:,}")
    of = f", drawn of {check.total:,}" if check.queries < check.total else ""
    said = f"{check.queries:,} {check.kind}{of}, on {check.chunks:,} chunks."
    if check.kind != "questions":
        said += " There are no questions, so chunks ask for themselves: each finds itself first."
    if check.asked < check.ef_search:
        said += (
            f" A search for 20 hits never keeps fewer than {check.ef_search} candidates in mind."
        )
    if check.build_s:
        said += f" Building the index took {literal.duration(check.build_s)}."
    literal.small(said)


def _interval(recall: Interval) -> str:
    return f"95%: {recall.low:.1%} to {recall.high:.1%}, n {recall.n:,}"


def _costs(check: IndexCheck, one: StrategySettings) -> None:
    if not check.costs:
        st.markdown(
            f":green[:material/check_circle:] The first five hits are the same for all "
            f"{check.queries:,} {check.kind}."
        )
        return
    lost = ""
    if check.labelled:
        lost = (
            f" **{check.lost:,} of {check.labelled:,}** labelled ones lose an answer within the "
            f"first {check.k}."
        )
    st.markdown(
        f"**{len(check.costs):,} of {check.queries:,}** {check.kind} have other hits among the "
        f"first five.{lost}"
    )
    st.dataframe(
        [{"query": literal.one_line(c.query, 300), "of the first five": c.recall,
          "answers lost": c.lost} for c in check.costs],
        hide_index=True,
        height=tables.height(len(check.costs), LARGEST_PX),
        column_config={
            "of the first five": st.column_config.NumberColumn(format="percent", width=130),
            "answers lost": st.column_config.NumberColumn(width=110),
        },
        key="health_costs",
    )  # fmt: skip
    exact = StrategySettings("vector", one.chunking, one.embedder)
    hnsw = StrategySettings(
        "vector", one.chunking, one.embedder, DenseSettings("hnsw", check.m, check.asked)
    )
    columns = links.beside(str(exact), str(hnsw))
    literal.small("Both lists on Search:")
    with st.container(horizontal=True, gap="small"):
        for cost in check.costs[:LINKED]:
            st.page_link(
                state.SEARCH,
                label=literal.plain(cost.query, 50),
                icon=":material/search:",
                query_params=state.search_params(cost.query, columns=columns),
            )
