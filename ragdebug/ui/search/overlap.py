"""The lists against each other: passages through the columns, shared hits, seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug import figures
from ragdebug.ui import literal
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.filling import Filled
from ragdebug.workbench.compare import ComparedHit, Comparison

if TYPE_CHECKING:
    import plotly.graph_objects as go

MOST_TRACKS = 12
DEPTH = 10
WIDE = 4
STAGES = {
    "vector": "vector",
    "bm25": "BM25",
    "fused": "fusion",
    "reranked": "rerank",
}


def draw(filled: Filled, comparison: Comparison | None) -> None:
    """Draw the comparison, once every column is there and two of them have lists."""
    columns = filled.comparable
    if comparison is None or not filled.complete or len(columns) < 2 or not any(comparison.hits):
        return
    # More columns than four need all the width: their titles would slant.
    wide = len(columns) > WIDE
    left, right = (st.container(), st.container()) if wide else st.columns([3, 2], gap="medium")
    with left:
        st.markdown("**Passages through the columns**")
        st.plotly_chart(
            _figure(filled, comparison),
            theme=None,
            key="search_bump",
            config={"displayModeBar": False},
        )
    overlap, seconds = right.columns(2, gap="medium") if wide else (right, right)
    with overlap:
        st.markdown("**Overlap of the lists**")
        literal.small(_shared(columns, comparison))
        st.dataframe(
            _pairs(columns, comparison),
            hide_index=True,
            height=248 if wide else "content",
            column_config={
                "shared": st.column_config.NumberColumn(width=70),
                "RBO": st.column_config.NumberColumn(
                    format="%.2f",
                    width=70,
                    help="Rank-biased overlap of the hits shown, p 0.9: 1 when the lists are the "
                    "same, 0 when they share nothing; the first ranks count most.",
                ),
            },
            key="search_overlap",
        )
    with seconds:
        st.markdown("**Time of each stage, ms**")
        st.dataframe(_seconds(filled), hide_index=True, height="content",
                     key="search_seconds")  # fmt: skip


def _shared(columns: Sequence[Column], comparison: Comparison) -> str:
    only = [f"only {c.short} {n}" for c, n in zip(columns, comparison.only, strict=True) if n]
    return " · ".join([f"shared by all {comparison.shared_by_all}", *only])


def _pairs(columns: Sequence[Column], comparison: Comparison) -> list[dict[str, Any]]:
    return [
        {
            "lists": f"{columns[o.first].short} · {columns[o.second].short}",
            "shared": o.shared,
            "RBO": o.rbo,
        }
        for o in comparison.overlaps
    ]


def _seconds(filled: Filled) -> list[dict[str, Any]]:
    rows = []
    for column in filled.comparable:
        result = filled.lists[column.name]
        row: dict[str, Any] = {"list": column.short}
        for stage in result.trace.stages:
            if stage.name in STAGES:
                row[STAGES[stage.name]] = f"{stage.elapsed_s * 1000:,.1f}"
        if result.elapsed_s or not column.strategy.is_outside:  # a list of an earlier day took none
            row["all"] = f"{result.elapsed_s * 1000:,.1f}"
        rows.append(row)
    used = [name for name in STAGES.values() if any(name in row for row in rows)]
    order = ["list", *used, "all"]
    return [{name: row.get(name, "") for name in order} for row in rows]


def _figure(filled: Filled, comparison: Comparison) -> go.Figure:
    dark = st.context.theme.type == "dark"
    key = (id(comparison), dark, tuple(c.short for c in filled.comparable))
    kept = st.session_state.get("_search_figure")
    if kept is not None and kept[0] == key:
        return kept[1]
    tracks = _tracks(filled, comparison)
    deepest = max((r for t in tracks for r in t.ranks if r is not None), default=1)
    depth = min(DEPTH, max(3, deepest))
    figure = figures.bump_chart(
        [(c.name, c.short) for c in filled.comparable],
        tracks,
        depth=depth,
        theme=figures.Theme(dark=dark),
        height=100 + 26 * depth,
    )
    st.session_state["_search_figure"] = (key, figure, comparison)
    return figure


def _tracks(filled: Filled, comparison: Comparison) -> list[figures.Track]:
    """The passages on top, and the expected one, which may stand far below."""
    tracks: list[figures.Track] = []
    lists = [filled.lists[c.name] for c in filled.comparable]
    wanted = any(r.expected is not None for r in lists)
    for hit in comparison.passages():
        if wanted and hit.found:
            continue  # it is the expected one, which has a line of its own
        if len(tracks) < MOST_TRACKS:
            tracks.append(figures.Track(_name(hit), tuple(s.rank for s in hit.standings)))
    if wanted:
        ranks = tuple(r.expected.rank if r.expected is not None else None for r in lists)
        tracks.append(figures.Track("expected", ranks, wanted=True))
    return tracks


def _name(hit: ComparedHit) -> str:
    chunk = hit.hit.chunk
    return chunk.section[-1] if chunk.section else chunk.source
