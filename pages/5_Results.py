"""How well strategies answer the questions: measured, compared, followed over time."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import frame, literal, start, state
from ragdebug.ui.results import (
    charts,
    compare,
    console,
    empty,
    evaluate,
    history,
    overlap,
    questions,
    removed,
    running,
    share,
    silence,
    table,
    unique,
    view,
)

wb = frame.page("Results", icon=":material/monitoring:")
runs = wb.runs()
if not wb.documents() and not runs:
    start.first_steps(wb)
    st.stop()

asked = wb.questions()
if asked:
    empty.labels(asked)
    evaluate.draw(wb, runs, asked)
    running.draw(wb, runs)
else:
    empty.questions(wb)
if not runs:
    removed.undo(wb)
    removed.draw(wb)
    st.stop()

v = view.read(wb, runs)
literal.small(f"{v.measure}: {wb.measure_definition(v.measure)}")
share.draw(v)
if v.drawn:
    charts.draw(v)
table.draw(v)
compared = compare.draw(v)

views = {
    "questions": ("Questions, worst first", lambda: questions.draw(v, compared)),
    "history": ("History", lambda: history.draw(v)),
    "unique": ("Found by one only", lambda: unique.draw(v)),
    "silence": ("Not answerable", lambda: silence.draw(v)),
    "overlap": ("Without labels", lambda: overlap.draw(v)),
    "sql": ("SQL", lambda: console.draw(v)),
}
chosen = st.segmented_control(
    "More about these runs",
    list(views),
    format_func=lambda name: views[name][0],
    default="questions",
    required=True,
    key=state.Key.VIEW,
    bind="query-params",
    label_visibility="collapsed",
)
views[chosen or "questions"][1]()
removed.draw(wb)
