"""The panel on the Search page: the selected hit, beside it the expected passage or another hit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.records import Hit, Place, ResultList
from ragdebug.ui.explain import panel
from ragdebug.ui.explain.asked import Asked, Subject
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.filling import Filled

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

NOTHING = "nothing"


def hit(
    wb: Workbench, filled: Filled, column: Column, chosen: Hit, places: Sequence[Place]
) -> None:
    """Draw why a hit has its score in its list."""
    result = filled.lists[column.name]
    first = Subject(f"#{chosen.rank}", chosen.row, chosen.chunk)
    others = {s.title: s for s in [*expected(result), *_hits(result)] if s.row != first.row}
    with st.container(border=True, gap="small", key="search_explain"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**Why this score in {column.short}**", width="content")
            asked = _asked(filled, column, places)
            kind = panel.kind_of(asked, "search_explain")
            beside = _beside([NOTHING, *others], bool(expected(result)), column.name)
        subjects = [first] if beside == NOTHING else [first, others[beside]]
        panel.draw(wb, asked, subjects, kind, "search_explain")


def wanted(wb: Workbench, filled: Filled, places: Sequence[Place]) -> None:
    """Draw why the expected passage has its score, beside the last hit shown of a list."""
    columns = {c.short: c for c in filled.comparable if expected(filled.lists[c.name])}
    if not places or not columns:
        return
    with st.container(border=True, gap="small", key="search_explain"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown("**Why the expected passage has its score in**", width="content")
            name = st.segmented_control(
                "List",
                list(columns),
                default=next(iter(columns)),
                key="search_explain_list",
                label_visibility="collapsed",
                width="content",
            )
            column = columns[name or next(iter(columns))]
            asked = _asked(filled, column, places)
            kind = panel.kind_of(asked, "search_explain")
        result = filled.lists[column.name]
        passage = expected(result)[0]
        hits = [s for s in _hits(result) if s.row != passage.row]
        panel.draw(wb, asked, [passage, *hits[-1:]], kind, "search_explain")


def expected(result: ResultList) -> list[Subject]:
    """The chunk that holds most of the expected passage, when one holds any."""
    chunks = result.expected.chunks if result.expected is not None else ()
    return [Subject("Expected passage", c.row, c.chunk) for c in chunks[:1]]


def _hits(result: ResultList) -> list[Subject]:
    return [Subject(f"#{h.rank}", h.row, h.chunk) for h in result.hits]


def _asked(filled: Filled, column: Column, places: Sequence[Place]) -> Asked:
    result = filled.lists[column.name]
    return Asked(filled.query, column.strategy, result.trace, tuple(places))


def _beside(titles: Sequence[str], passage: bool, column: str) -> str:
    """What stands beside the hit: the expected passage at first, where there is one."""
    chosen = st.selectbox(
        "Beside it",
        titles,
        index=1 if passage and "Expected passage" in titles else 0,
        key=f"search_explain_beside_{column}_{int(passage)}",
        format_func=lambda title: f"beside it: {title}",
        label_visibility="collapsed",
        width=220,
    )
    return chosen if chosen in titles else NOTHING
