"""The panel on the Search page: the selected hit, beside it the expected passage or another hit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.records import Hit, Place, ResultList
from ragdebug.ui import literal
from ragdebug.ui.explain import chosen, panel
from ragdebug.ui.explain.asked import Asked, Subject
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.filling import Filled

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

KEY = "search_explain"


def hit(
    wb: Workbench, filled: Filled, column: Column, selected: Hit, places: Sequence[Place]
) -> None:
    """Draw why a hit has its score in its list."""
    if column.strategy.is_outside:
        st.caption(outside(column.short))
        return
    result = filled.lists[column.name]
    first = Subject(f"#{selected.rank}", selected.row, selected.chunk)
    others = {s.title: s for s in [*expected(result), *_hits(result)] if s.row != first.row}
    with st.container(border=True, gap="small", key=KEY):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**Why this score in {column.short}**", width="content")
            asked = _asked(filled, column, places)
            kind = chosen.kind(asked, KEY)
            usual = chosen.EXPECTED if chosen.EXPECTED in others else chosen.NOTHING
            beside = chosen.beside([chosen.NOTHING, *others], usual, KEY)
        subjects = [first, others[beside]] if beside in others else [first]
        panel.draw(wb, asked, subjects, kind, KEY)


def outside(name: str) -> str:
    """What is said in place of an explanation, as Markdown."""
    return (
        f"How {literal.plain(name)} came to this score, only that system can tell; in a column that"
        " is searched here the same passage can be explained."
    )


def wanted(wb: Workbench, filled: Filled, places: Sequence[Place]) -> None:
    """Draw why the expected passage has its score, beside the last hit shown of a list."""
    columns = {
        c.name: c
        for c in filled.comparable
        if not c.strategy.is_outside and expected(filled.lists[c.name])
    }
    if not places or not columns:
        return
    with st.container(border=True, gap="small", key=KEY):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown("**Why the expected passage has its score in**", width="content")
            column = columns[chosen.list_of({n: c.short for n, c in columns.items()}, KEY)]
            asked = _asked(filled, column, places)
            kind = chosen.kind(asked, KEY)
        result = filled.lists[column.name]
        passage = expected(result)[0]
        hits = [s for s in _hits(result) if s.row != passage.row]
        panel.draw(wb, asked, [passage, *hits[-1:]], kind, KEY)


def expected(result: ResultList) -> list[Subject]:
    """The chunk that holds most of the expected passage, when one holds any."""
    chunks = result.expected.chunks if result.expected is not None else ()
    return [Subject(chosen.EXPECTED, c.row, c.chunk) for c in chunks[:1]]


def _hits(result: ResultList) -> list[Subject]:
    return [Subject(f"#{h.rank}", h.row, h.chunk) for h in result.hits]


def _asked(filled: Filled, column: Column, places: Sequence[Place]) -> Asked:
    result = filled.lists[column.name]
    return Asked(filled.query, column.strategy, result.trace, tuple(places))
