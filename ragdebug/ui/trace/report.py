"""One question under one strategy: what happened, the path, the chunks, the text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.settings import PRESETS, StrategySettings
from ragdebug.ui import case_dialog, literal, state
from ragdebug.ui.health import beside
from ragdebug.ui.search.expected import ref_of
from ragdebug.ui.state import Key
from ragdebug.ui.trace import chunks, earlier, explain, path, remedies, text
from ragdebug.ui.trace.choose import Chosen
from ragdebug.ui.whatif import fixes
from ragdebug.workbench.tracing.reports import DELIVERED, UNKNOWN, NeedTrace, PlaceTrace, WhyReport
from ragdebug.workbench.tracing.sentences import said, unmeasured

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def draw(wb: Workbench, chosen: Chosen, report: WhyReport) -> None:
    """Draw the report; the place that decides is open at first."""
    need, trace = _open(report)
    with st.container(border=True, gap="small", key="trace_report"):
        _head(trace)
        if chosen.question.id and (why_not := unmeasured(need)):
            literal.note(why_not)
        for note in report.notes:
            literal.note(note)
        path.draw(trace.path, "trace_path")
        _links(chosen, trace)
        beside.strategies(
            wb,
            {str(chosen.strategy): chosen.strategy.title},
            "trace_health",
            report.wanted,
            report.returned,
        )
    left, right = st.columns([3, 2], gap="medium")
    with left:
        text.draw(wb, chosen, trace)
    with right:
        chunks.draw(trace, report)
    explain.draw(wb, chosen, trace, report)
    remedies.draw(wb, chosen)
    earlier.draw(wb, chosen, report)
    _case(wb, chosen)


def _case(wb: Workbench, chosen: Chosen) -> None:
    """The case file's dialog: this strategy, and the others with the same settings beside it."""
    question, own = chosen.question, chosen.strategy
    here = own
    if own.is_outside:  # beside it the usual searches of this corpus
        here = StrategySettings(k=own.k, filter=own.filter, budget=own.budget)
    others = {p: replace(here, preset=p) for p in PRESETS if p != own.preset}
    strategies = {own.title: own, **others}
    places = [p for n in question.usable_needs for p in n.places]
    case_dialog.show(
        wb,
        question.text,
        question if question.id else None,
        places,
        strategies,
        fixes.tried(wb, question.id, own),
    )


def _open(report: WhyReport) -> tuple[NeedTrace, PlaceTrace]:
    """The place that is looked at; several are chosen among."""
    places = [
        (f"need {at} · {_name(p)} · {_stage(need, p, report)}", need, p)
        for at, need in enumerate(report.needs, 1)
        for p in need.places
    ]
    decides = report.decides
    if len(places) == 1:
        return decides, decides.furthest
    first = next(i for i, (_, _, p) in enumerate(places) if p is decides.furthest)
    asked = state.url_value(Key.NEED, "", check=_number)
    at = first if asked is None or asked >= len(places) else asked
    st.session_state["_trace_place"] = at
    st.selectbox(
        "What answers it",
        range(len(places)),
        key="_trace_place",
        format_func=lambda i: literal.one_line(places[i][0], 120),
        on_change=lambda: state.put(Key.NEED, str(st.session_state["_trace_place"])),
        width=560,
        help="All needs are asked for, and of each need any place is enough. The question is lost "
        "where the need was that got least far, of those that Results measures.",
    )
    return places[at][1:]


def _stage(need: NeedTrace, trace: PlaceTrace, report: WhyReport) -> str:
    left_out = " · not measured" if report.question and not need.measured else ""
    return trace.stage.replace("_", " ") + left_out


def _number(text: str) -> int | None:
    return state.whole_number(0, 10**6)(text) if text else None


def _name(trace: PlaceTrace) -> str:
    place = trace.place
    where = f"{place.start:,}–{place.end:,}" if place.start >= 0 else "nowhere"
    return f"{place.source or 'no document'} {place.region or where}"


def _head(trace: PlaceTrace) -> None:
    step = next(s for s in trace.path if s.stage == trace.stage)
    delivered = trace.stage == DELIVERED
    lost = ":orange[:material/help:]" if step.status == UNKNOWN else ":red[:material/cancel:]"
    mark = ":green[:material/check_circle:]" if delivered else lost
    st.markdown(f"{mark} **{literal.plain(said(step), 600)}**")
    place = trace.place
    quote = f"  “{place.quote}”" if place.quote else ""
    literal.small(f"{_name(trace)}{quote}"[:600])


def _links(chosen: Chosen, trace: PlaceTrace) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        question = chosen.question
        refs = [ref_of(p) for n in question.usable_needs for p in n.places][:12]
        state.link_to_search("Search", question.text, refs)
        if question.id:
            state.link_to_question("Question", question.id)
        if trace.place.document and trace.place.start >= 0:
            state.link_to_document("Document", trace.place.document, trace.place.start)
        st.button(
            "Case file",
            icon=":material/description:",
            type="tertiary",
            key="trace_case",
            on_click=case_dialog.ask,
            help="Question, answer, lists and trace in one file that opens by itself.",
        )
