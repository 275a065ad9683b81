"""Recall against k, and against tokens of context, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug import figures
from ragdebug.runs import BUDGETS, KS
from ragdebug.ui import literal, state
from ragdebug.ui.results import data, words
from ragdebug.ui.results.view import View
from ragdebug.ui.state import Key
from ragdebug.workbench.export import Cell

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import Curve

MOST_K = 50
BUDGET_STEPS = tuple(range(100, 4001, 100))
STEM = "recall"
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]}


def draw(view: View) -> None:
    """Both charts, or why there are none."""
    left, right = st.columns(2, gap="medium")
    with left:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            stem = _stem()
            head = st.container(width="content")
        curves = view.ask("curves", view.ids, stem, MOST_K, view.share, view.tag)
        if not any(c.n for c in curves):
            st.info(
                "No question of these runs is labelled, so there is nothing to measure by yet. "
                "“Without labels”, below, compares the lists as they are.",
                icon=":material/info:",
            )
            return
        with head:
            data.button(_rows(view, curves, "k"), f"{stem}_at_k")
        _chart(view, curves, f"{stem}@k", "k", KS)
    with right:
        budget = view.ask("budget_curves", view.ids, BUDGET_STEPS, view.share, view.tag)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown("**Recall at a token budget**", width="content")
            data.button(_rows(view, budget, "tokens"), "recall_at_budget")
        _chart(view, budget, "recall", f"tokens of context{_counted(view)}", BUDGETS)
    several = len({c.n for c in curves}) > 1
    literal.small(
        f"{_questions(curves)}. Bands are 95% intervals"
        + (
            f", drawn for the first {figures.MOST_BANDS}"
            if len(curves) > figures.MOST_BANDS
            else ""
        )
        + ". Overlapping bands do not mean that runs are alike: Compare, below, tests them"
        + (" on the questions they share." if several else ".")
    )


def _stem() -> str:
    chosen = st.segmented_control(
        "Measure of the curves",
        list(words.STEMS),
        default=STEM,
        required=True,
        key=Key.CURVE,
        bind="query-params",
        label_visibility="collapsed",
        help="  \n".join(f"**{a}** {b.partition(': ')[2]}" for a, b in words.STEMS.items()),
    )
    return state.one_of(*words.STEMS)(chosen or STEM)


def _questions(curves: Sequence[Curve]) -> str:
    counts = sorted({c.n for c in curves})
    if len(counts) == 1:
        return f"{counts[0]:,} question{'' if counts[0] == 1 else 's'}"
    return f"{counts[0]:,} to {counts[-1]:,} questions"


def _counted(view: View) -> str:
    names = {r.tokenizer for r in view.drawn if r.tokenizer}
    return f", counted by {names.pop()}" if len(names) == 1 else ""


def _chart(view: View, curves: Sequence[Curve], y: str, x: str, marks: Sequence[int]) -> None:
    colours = words.colours(view.drawn)
    lines = [
        figures.Line(
            view.names[c.run.id],
            c.x.tolist(),
            c.mean.tolist(),
            c.low.tolist(),
            c.high.tolist(),
            c.n,
            colours[c.run.id],
            c.pool,
        )
        for c in curves
        if c.n
    ]
    figure = figures.measure_curves(
        lines, x_title=x, y_title=y, marks=marks, theme=theme(), height=350
    )
    st.plotly_chart(figure, key=f"results_chart_{y}", theme=None, config=CONFIG)


def _rows(view: View, curves: Sequence[Curve], x: str) -> list[dict[str, Cell]]:
    return [
        {
            "run": c.run.id,
            "strategy": view.names[c.run.id],
            x: at,
            "mean": mean,
            "low": low,
            "high": high,
            "n": c.n,
        }
        for c in curves
        for at, mean, low, high in zip(
            c.x.tolist(), c.mean.tolist(), c.low.tolist(), c.high.tolist(), strict=True
        )
    ]


def theme() -> figures.Theme:
    """Colours of the session."""
    return figures.Theme(dark=st.context.theme.type == "dark")
