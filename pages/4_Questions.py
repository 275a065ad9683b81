"""Real questions and what answers them: in, out, labelled by keys."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import frame
from ragdebug.ui.questions import (
    adding,
    alike,
    doing,
    head,
    listing,
    place,
    pool,
    queue,
    reading,
    removed,
)

wb = frame.page("Questions", icon=":material/quiz:")
way, opened = place.read()
questions = wb.questions()

doing.outcome()
if way == place.JUDGE:
    pool.draw(wb)
    st.stop()
if opened and way == place.NEXT:
    queue.draw(wb, opened, questions)
    st.stop()
if opened:
    reading.draw(wb, opened, questions, way)
    st.stop()

top = st.container()
adding.draw(wb, empty=not questions)
if questions:
    listing.draw(wb, questions)
    alike.draw(wb, questions)
with top:
    if questions:
        head.draw(wb, questions)  # after the list, whose questions can be exported alone
    else:
        adding.first_steps(wb)
removed.draw(wb)
