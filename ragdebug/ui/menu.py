"""The menu of pages, with names and icons of our own.

Streamlit's own menu (switched off in the settings) names the start page after its file.
"""

from __future__ import annotations

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ragdebug.ui import state

PAGES = (
    (state.HOME, "Start", ":material/home:"),
    (state.CORPUS, "Corpus", ":material/folder_open:"),
    (state.CHUNKS, "Chunks", ":material/segment:"),
    (state.SEARCH, "Search", ":material/search:"),
    (state.QUESTIONS, "Questions", ":material/quiz:"),
    (state.RESULTS, "Results", ":material/monitoring:"),
    (state.TRACE, "Trace", ":material/route:"),
    (state.HEALTH, "Health", ":material/health_and_safety:"),
    (state.YOUR_SYSTEM, "Your system", ":material/hub:"),
)


def draw() -> None:
    """A link to every page; the one that is open stands out."""
    with st.container(gap="xxsmall", key="menu"):
        for path, name, icon in PAGES:
            try:
                st.page_link(path, label=name, icon=icon)
            except StreamlitAPIException:
                continue  # another script than the app's own, which has other pages
