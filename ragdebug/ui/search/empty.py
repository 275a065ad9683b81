"""What to do while there is no query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal, start
from ragdebug.ui.search import past
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST = 6


def blank(wb: Workbench) -> None:
    """The last queries of this session to ask again, or some that fit the sample corpus."""
    newest: dict[str, past.Past] = {}
    for one in past.own(wb):
        newest.setdefault(one[0], one)
    before = list(newest.values())[:MOST]
    sample = any(d.source.startswith("handbook/billing") for d in wb.documents())
    if before:
        st.markdown("**Ask again**")
        with st.container(gap="xxsmall"):
            for i, (query, view) in enumerate(before):
                st.button(
                    literal.plain(query, 90), key=f"_again_{i}", type="tertiary",
                    icon=":material/history:", on_click=past.restore, args=(query, view),
                )  # fmt: skip
    elif sample:
        st.markdown("**Try one of these**")
        with st.container(gap="xxsmall"):
            for i, (query, kind) in enumerate(start.SAMPLE_QUERIES):
                st.button(
                    f"{literal.plain(query)} :gray[· {literal.plain(kind)}]", key=f"_try_{i}",
                    type="tertiary", icon=":material/search:", on_click=_ask, args=(query,),
                )  # fmt: skip
    else:
        st.caption(
            "Start with a question that was answered wrongly, then name the passage that should "
            "have been found."
        )


def _ask(query: str) -> None:
    st.session_state[Key.QUERY] = query
