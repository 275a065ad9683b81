"""How well strategies answer the questions: measured, compared, followed over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from ragdebug.ui import frame, literal, start, state
from ragdebug.ui.components.printing import printing
from ragdebug.ui.health import beside
from ragdebug.ui.questions import doing
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
    report,
    running,
    share,
    silence,
    table,
    unique,
    view,
)

wb = frame.page("Results", icon=":material/monitoring:")
doing.outcome()
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
if not v.drawn:
    table.draw(v)
    removed.draw(wb)
    st.stop()
beside.strategies(wb, {r.strategy: v.names[r.id] for r in v.drawn}, "results_health")
charts.draw(v)
table.draw(v)
compared = compare.draw(v)
report.button(v)

# Drawn when chosen, and by itself: a click in it leaves the charts above as they are.
views: dict[str, tuple[Callable[..., None], tuple[Any, ...]]] = {
    "Questions": (questions.draw, (v, compared)),
    "History": (history.draw, (v,)),
    "Found by one only": (unique.draw, (v,)),
    "Not answerable": (silence.draw, (v,)),
    "Without labels": (overlap.draw, (v,)),
    "SQL": (console.draw, (v,)),
}
chosen = st.segmented_control(
    "More about these runs",
    list(views),
    default="Questions",
    required=True,
    key=state.Key.VIEW,
    bind="query-params",
    label_visibility="collapsed",
)
draw, given = views[chosen or "Questions"]
st.fragment(draw)(*given)
removed.draw(wb)
printing()
