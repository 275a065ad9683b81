"""Another column: a search of this corpus, what another system returned, or what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.settings import OUTSIDE
from ragdebug.ui import literal
from ragdebug.ui.search import column_settings, paste_list
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search.columns import ColumnSpec

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST = 12  # lists and searchers that are offered; the others are behind the gear of a column
_TURN = "_search_add_turn"
_ICONS = {"list": ":material/list_alt:", "searcher": ":material/hub:"}


def popover(wb: Workbench, specs: Sequence[ColumnSpec]) -> None:
    """A button that offers what may become a column."""
    # Another key is another popover, which is closed: it would lie over what it opened.
    turn = st.session_state.get(_TURN, 0)
    full = len(specs) >= cols.MOST
    with (
        st.popover("Column", icon=":material/add:", key=f"search_add_{turn}"),
        st.container(gap="xxsmall"),
    ):
        st.button(
            "Another search",
            icon=":material/add:",
            type="tertiary",
            key="search_add_search",
            disabled=full,
            on_click=_add,
            args=(specs, "vector"),
            help="Its settings are behind the gear in its head."
            if not full
            else f"There are {cols.FEWEST} to {cols.MOST} columns.",
        )
        st.button(
            "Paste a list",
            icon=":material/content_paste:",
            type="tertiary",
            key="search_paste",
            on_click=_paste,
            help="What another system returned for this query, beside the others.",
        )
        there = {s.title for s in specs}
        for title in [t for t in column_settings.outside(wb) if t not in there][:MOST]:
            preset, _, name = title.partition(":")
            st.button(
                literal.plain(name, 40),
                icon=_ICONS[preset],
                type="tertiary",
                key=f"search_add_{title}",
                disabled=full,
                on_click=_add,
                args=(specs, title),
            )


def _add(specs: Sequence[ColumnSpec], title: str) -> None:
    preset, _, name = title.partition(":")
    made = ColumnSpec(preset, outside=name if preset in OUTSIDE else "")
    cols.write([*specs, made])
    _close()


def _paste() -> None:
    paste_list.ask()
    _close()


def _close() -> None:
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
