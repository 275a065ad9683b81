"""All questions: how many each strategy loses at each stage, and which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from ragdebug.counting import many
from ragdebug.figures.stages import StageBar, stage_bars
from ragdebug.figures.theme import Theme
from ragdebug.protocols import Progress
from ragdebug.questions import Question
from ragdebug.settings import fingerprint
from ragdebug.ui import literal, state, tables
from ragdebug.ui.health import background
from ragdebug.ui.results import data, view
from ragdebug.ui.state import Key
from ragdebug.ui.trace.choose import Chosen
from ragdebug.workbench.tracing.reports import FAILED, LABELS, LostStages

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

EVERY = "all questions"
MOST = 400  # questions that are followed as soon as the page is drawn
NAME = "losses"
REASONS = 3  # why searches failed, that are said for a strategy
_COUNTED = "_trace_counted"  # keys that a person asked for, or that came by themselves
_NAMES = {
    FAILED: "search failed",
    "not_in_corpus": "not in corpus",
    "lost_in_parsing": "lost in parsing",
    "filtered_out": "filtered out",
    "cut": "cut",
    "beyond_window": "beyond window",
    "not_retrieved": "not retrieved",
    "lost_in_fusion": "lost in fusion",
    "lost_in_rerank": "lost in rerank",
    "below_k": "below k",
    "below_minimum_score": "below minimum",
    "over_budget": "over budget",
    "delivered": "delivered",
}
assert list(_NAMES) == [FAILED, *LABELS]


def draw(wb: Workbench, questions: Sequence[Question], chosen: Chosen | None) -> None:
    """Draw the bars, and under them the questions of the part that was clicked."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader("All questions", anchor=False, width="content")
        tag = _tag(questions)
    asked = _asked(wb, chosen)
    # Not the revision: a kept view or a name changes nothing here.
    known = [(q.id, q.version) for q in questions]
    key = fingerprint([asked, tag, wb.corpus().fingerprint, known])
    if key not in st.session_state.setdefault(_COUNTED, set()):
        # A reranker that has read nothing yet may need minutes.
        dear = any(a.startswith("reranked@") for a in asked)
        soon = len(questions) <= MOST and not dear
        if not soon and not st.button(
            f"Count where {len(questions):,} questions are lost",
            icon=":material/stacked_bar_chart:",
            key="trace_count",
        ):
            st.caption(
                "What a run has found is counted from it; only the rest is searched for again."
            )
            return
        st.session_state[_COUNTED].add(key)

    def make(progress: Progress) -> tuple[LostStages, ...]:
        return wb.lost_stages(asked, tag, progress=progress)

    found: Any = background.ask(NAME, key, make)
    if isinstance(found, background.Waiting):
        background.watch(NAME, key, "Following")
        return
    if isinstance(found, background.Failure):
        literal.problem(found.message, found.hint)
        return
    _bars(found, key)
    _questions(wb, found, questions, key)


def _asked(wb: Workbench, chosen: Chosen | None) -> list[str]:
    """The newest run of each strategy; the strategy that is traced where it has none."""
    runs = view.default(wb.runs())
    asked = [r.id for r in runs]
    if chosen is not None and str(chosen.strategy) not in {r.strategy for r in runs}:
        asked.insert(0, str(chosen.strategy))
    return asked


def _tag(questions: Sequence[Question]) -> str:
    tags = sorted({tag for q in questions for tag in q.tags})
    if not tags:
        return ""
    picked = st.selectbox(
        "Questions", [EVERY, *tags], key=Key.TAG, bind="query-params", width=220,
        label_visibility="collapsed",
    )  # fmt: skip
    return "" if picked in (None, EVERY) else str(picked)


# Bars ---------------------------------------------------------------------------------------------


def _bars(found: Sequence[LostStages], key: str) -> None:
    names = _names(found)
    bars = [
        StageBar(name, {stage: len(ids) for stage, ids in one.parts.items()})
        for name, one in zip(names, found, strict=True)
    ]
    figure = stage_bars(bars, _NAMES, theme=Theme(dark=st.context.theme.type == "dark"))
    st.plotly_chart(
        figure,
        key=f"trace_bars_{key[:10]}",
        theme=None,
        config={"displayModeBar": False},
        on_select="rerun",
        selection_mode="points",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        literal.small(f"Click a part to see its questions. {_shared(found)}")
        data.button(_rows(found), "lost_stages")
    for note, whose in _notes(names, found).items():
        every = len(whose) == len(found)
        literal.small(note if every else f"{', '.join(whose)}: {note}")


def _names(found: Sequence[LostStages]) -> list[str]:
    """What each bar is called: what all share is left out."""
    rests = {one.strategy.partition("@")[2] for one in found}
    names = []
    for one in found:
        preset, _, rest = one.strategy.partition("@")
        chunking, _, options = rest.partition("+")
        parts = [preset]
        if len(rests) > 1:
            parts += [chunking.removesuffix(":tokens:label"), options.replace("+", " ")]
        names.append(" ".join(p for p in parts if p))
    return [
        name if names.count(name) == 1 else f"{name} · {one.run or 'now'}"
        for name, one in zip(names, found, strict=True)
    ]


def _shared(found: Sequence[LostStages]) -> str:
    """What all bars have in common, and whose lists they are counted from."""
    rests = {one.strategy.partition("@")[2] for one in found}
    # What another system returned has no chunking to name.
    all_on = f"All on {next(iter(rests))}. " if len(rests) == 1 and any(rests) else ""
    runs = ", ".join(one.run for one in found if one.run)
    return all_on + (f"What was delivered is counted from the runs {runs}." if runs else "")


def _notes(names: Sequence[str], found: Sequence[LostStages]) -> dict[str, list[str]]:
    """Each note once, and the strategies that it is about."""
    notes: dict[str, list[str]] = {}
    for name, one in zip(names, found, strict=True):
        for note in _notes_of(one):
            notes.setdefault(note, []).append(name)
    return notes


def _notes_of(one: LostStages) -> list[str]:
    notes = list(one.notes)
    if n := len(one.moved):
        was, are = ("was", "is") if n == 1 else ("were", "are")
        notes.append(f"{n:,} {was} lost by the run and {are} found by a search now.")
    for why, n in list(one.reasons.items())[:REASONS]:
        notes.append(f"{many(n, 'search', 'searches')} failed: {why}")
    if (n := len(one.reasons) - REASONS) > 0:
        notes.append(f"{many(n, 'other reason')} for failed searches.")
    if n := len(one.waiting):
        notes.append(f"{n:,} wait{'s' if n == 1 else ''} for a yes to the labels.")
    if n := len(one.partial):
        notes.append(f"{n:,} {'is' if n == 1 else 'are'} measured on some of their labels.")
    return notes


def _rows(found: Sequence[LostStages]) -> list[dict[str, Any]]:
    rows = []
    for one in found:
        messages = dict(one.failed)
        rows += [
            {
                "strategy": one.strategy,
                "run": one.run,
                "question": q,
                "stage": stage,
                "message": messages[q] if stage == FAILED else "",
            }
            for stage, ids in one.parts.items()
            for q in ids
        ]
    return rows


# Questions ----------------------------------------------------------------------------------------


def _questions(
    wb: Workbench, found: Sequence[LostStages], questions: Sequence[Question], key: str
) -> None:
    part = _picked(found, key)
    if part is None:
        return
    one, stage = part
    by_id = {q.id: q for q in questions}
    shown = [by_id[q] for q in one.parts.get(stage, ()) if q in by_id]
    name = literal.plain(_names(found)[found.index(one)], 120)
    st.markdown(f"**{name}: {_NAMES[stage]}, {len(shown):,}**")
    columns = {"question": [literal.one_line(q.text, 160) for q in shown]}
    if stage == FAILED:
        messages = dict(one.failed)
        columns["message"] = [literal.one_line(messages[q.id], 300) for q in shown]
    columns |= {"tags": [", ".join(q.tags) for q in shown], "id": [q.id for q in shown]}
    event = st.dataframe(
        pd.DataFrame(columns),
        key=f"trace_questions_{fingerprint([key, one.strategy, stage])[:10]}",
        hide_index=True,
        height=tables.height(len(shown), 420),
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = event.selection.rows if event else []
    if rows and rows[0] < len(shown):
        state.put(Key.QUESTION, shown[rows[0]].id)
        state.put(Key.STRATEGY, one.strategy)
        state.put(Key.NEED, "")
        st.rerun()


def _picked(found: Sequence[LostStages], key: str) -> tuple[LostStages, str] | None:
    chart = st.session_state.get(f"trace_bars_{key[:10]}")
    points = chart["selection"]["points"] if chart else []
    if not points:
        return None
    at, stage = points[0]["customdata"]
    return (found[int(at)], str(stage)) if int(at) < len(found) and stage in _NAMES else None
