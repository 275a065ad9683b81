"""Why the right passage was missed: one question through the stages, and all of them at once."""

from __future__ import annotations

import streamlit as st

from ragdebug.errors import NotAgreed, RagDebugError
from ragdebug.ui import frame, indexing, literal, start, state
from ragdebug.ui.components.printing import printing
from ragdebug.ui.outside import parts
from ragdebug.ui.trace import choose, losses, report

wb = frame.page("Trace", icon=":material/route:")
if not wb.documents():
    start.first_steps(wb)
    st.stop()

known = choose.questions(wb)
chosen = choose.draw(wb, known)
if chosen is None:
    st.info(
        "Nothing to trace yet. Label a question, or search and say which passage you expect.",
        icon=":material/info:",
    )
    with st.container(horizontal=True, gap="small"):
        st.page_link(state.QUESTIONS, label="Questions", icon=":material/quiz:")
        st.page_link(state.SEARCH, label="Search", icon=":material/search:")
    st.stop()

settings = chosen.strategy
ready = not settings.uses_vectors or indexing.offer(wb, settings.chunking, settings.embedder)
if ready:
    try:
        with st.spinner("Following it …", show_time=False):
            found = wb.why(chosen.question, strategy=settings)
        report.draw(wb, chosen, found)
    except RagDebugError as error:
        literal.problem(error)
        if isinstance(error, NotAgreed):
            part = "searchers" if settings.is_outside else "models"
            st.page_link(
                state.YOUR_SYSTEM,
                label="Agree on Your system",
                icon=":material/hub:",
                query_params=state.shared_params({parts.PART: part}),
            )
    if known:
        losses.draw(wb, known, chosen)
    printing()
