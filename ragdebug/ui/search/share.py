"""Take the view along: a link, or the lists as files."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from ragdebug.records import Place, SearchResult
from ragdebug.ui.search.filling import Filled
from ragdebug.workbench import export


def popover(filled: Filled | None, places: Sequence[Place]) -> None:
    """A button with both."""
    with st.popover("Share", icon=":material/ios_share:", key="search_share"):
        st.caption("Opens this query with these settings, columns and expected passage:")
        st.code(address(), language=None, wrap_lines=True)
        if filled is not None and filled.lists:
            _files(filled, places)


def address() -> str:
    """The whole address of the view that is drawn."""
    base = (st.context.url or "").split("?")[0]
    pairs = [(k, v) for k in st.query_params for v in st.query_params.get_all(k)]
    return f"{base}?{urlencode(pairs)}" if pairs else base


def _files(filled: Filled, places: Sequence[Place]) -> None:
    st.caption("All hits of all lists that are drawn:")
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            data=lambda: export.search_csv(filled.query, filled.lists),
            file_name="search.csv",
            mime="text/csv",
            icon=":material/table:",
            on_click="ignore",
            key="search_csv",
            help="Text that a spreadsheet would run as a formula starts with an apostrophe.",
        )
        st.download_button(
            "JSON",
            data=lambda: export.search_json(
                SearchResult(filled.query, filled.terms or (), filled.lists, tuple(places))
            ),
            file_name="search.json",
            mime="application/json",
            icon=":material/data_object:",
            on_click="ignore",
            key="search_json",
        )
