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
    left, right = (c.container(horizontal=True, vertical_alignment="center", gap="small")
                   for c in st.columns(2, gap="medium"))  # fmt: skip
    with left:
        stem = _stem()
    curves = view.ask("curves", view.ids, stem, MOST_K, view.share, view.tag)
    if not any(c.n for c in curves):
        st.info(
            "No question of these runs is labelled, so there is nothing to measure by yet. "
            "“Without labels”, below, compares the lists as they are.",
            icon=":material/info:",
        )
        return
    budget = view.ask("budget_curves", view.ids, BUDGET_STEPS, view.share, view.tag)
    with left:
        data.button(_rows(view, curves, "k"), f"{stem}_at_k")
    with right:
        st.markdown("**Recall at a token budget**", width="content")
        data.button(_rows(view, budget, "tokens"), "recall_at_budget")
    figure = figures.measure_curves(
        [
            figures.Panel(_lines(view, curves), "k", f"{stem}@k", KS),
            figures.Panel(
                _lines(view, budget), f"tokens of context{_counted(view)}", "recall", BUDGETS
            ),
        ],
        theme=theme(),
    )
    st.plotly_chart(figure, key="results_curves", theme=None, config=CONFIG)
    _caption(view, curves)


def _caption(view: View, curves: Sequence[Curve]) -> None:
    counts = sorted({c.n for c in curves})
    some = f"{counts[0]:,} to " if len(counts) > 1 else ""
    taken = sorted({name for r in view.drawn for name in r.taken_from})
    if taken:
        literal.note(
            f"Labels were taken over from results of {', '.join(taken)}, which favours that "
            "strategy in these charts."
        )
    cut = "" if words.several_chunkings(view.drawn) else f" on {_chunking(view)}"
    literal.small(
        f"{some}{counts[-1]:,} question{'' if counts[-1] == 1 else 's'}{cut}. Bands are 95% "
        "intervals; that two of them overlap does not mean that runs are alike: Compare, below, "
        f"tests them{' on the questions they share' if some else ''}."
    )


def _chunking(view: View) -> str:
    return words.chunking(view.drawn[0])


def _stem() -> str:
    chosen = st.segmented_control(
        "Measure of the curves",
        list(words.STEMS),
        default=STEM,
        required=True,
        key=Key.CURVE,
        bind="query-params",
        label_visibility="collapsed",
        help="  \n".join(f"**{a}** {b}" for a, b in words.STEMS.items()),
    )
    return state.one_of(*words.STEMS)(chosen or STEM)


def _counted(view: View) -> str:
    names = {r.tokenizer for r in view.drawn if r.tokenizer}
    return f", counted by {names.pop()}" if len(names) == 1 else ""


def _lines(view: View, curves: Sequence[Curve]) -> list[figures.Line]:
    colours = words.colours(view.drawn)
    return [
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
