"""Why the passage has its score, beside the last one that was let in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui.explain import chosen as chosen_one
from ragdebug.ui.explain import panel
from ragdebug.ui.explain.asked import Asked, Subject
from ragdebug.ui.explain.on_search import outside
from ragdebug.ui.state import Key
from ragdebug.ui.trace.choose import Chosen
from ragdebug.workbench.tracing.reports import PlaceTrace, WhyReport

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

KEY = "trace_explain"


def draw(wb: Workbench, chosen: Chosen, trace: PlaceTrace, report: WhyReport) -> None:
    """Draw the explanations behind a switch: some of them read texts with a model."""
    if not trace.chunks:
        return
    if not st.toggle("Explain its scores", key=Key.EXPLAIN, bind="query-params"):
        return
    if chosen.strategy.is_outside:
        st.caption(outside(chosen.strategy.outside))
        return
    table = wb.chunk_table(chosen.strategy.chunking)
    wanted = trace.chunks[0].row
    subjects = [Subject("The passage", wanted, table.chunk(wanted))]
    last = next((row for row in reversed(report.rows) if row != wanted), None)
    if last is not None:
        rank = report.rows.index(last) + 1
        subjects.append(Subject(f"#{rank}", last, table.chunk(last)))
    asked = Asked(report.query, chosen.strategy, None, (trace.place,))
    with st.container(border=True, gap="small"):
        panel.draw(wb, asked, subjects, chosen_one.kind(asked, KEY), KEY)
