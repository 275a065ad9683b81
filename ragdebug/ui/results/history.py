"""A measure over all runs, with their notes; drops beyond noise are marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug import figures
from ragdebug.runs import DONE
from ragdebug.ui import literal
from ragdebug.ui.results import charts, data, words
from ragdebug.ui.results.view import View
from ragdebug.workbench.export import Cell

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import HistoryPoint

MOST_SERIES = 6


def draw(view: View) -> None:
    """Draw the chart, the drops in words, and the runs as a table."""
    found: dict[str, list[HistoryPoint]] = view.ask(
        "history_of", view.measure, view.share, view.tag, runs=view.runs
    )
    if not found:
        st.caption("No finished run can be measured by this.")
        return
    # The strategies with the most runs have a history; others are points.
    shown = sorted(found, key=lambda name: -len(found[name]))[:MOST_SERIES]
    order = {r.id: at for at, r in enumerate(reversed(view.runs)) if r.state == DONE}
    colours = words.colours([found[name][-1].run for name in shown])
    series = [
        (name, colours[found[name][-1].run.id], [_moment(p, order, view) for p in found[name]])
        for name in shown
    ]
    rows = _rows(view, found)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{literal.plain(view.measure)} over all runs**", width="content")
        data.button(rows, "history")
    figure = figures.measure_history(
        series, y_title=view.measure, upright=words.upright(view.measure), theme=charts.theme()
    )
    st.plotly_chart(figure, key="results_history", theme=None, config=charts.CONFIG)
    if len(found) > len(shown):
        st.caption(f"{len(shown)} of {len(found):,} strategies drawn; the data have them all.")
    drops = [(p.run, p.drop) for points in found.values() for p in points if p.drop]
    for run, sentence in drops:
        literal.note(f"{words.when(run)} · {run.label or run.strategy}: {sentence}")
    if not drops:
        st.caption(
            "No run is below the one before it of the same strategy beyond noise (p below 0.05, "
            "on the questions that both have)."
        )


def _moment(point: HistoryPoint, order: dict[str, int], view: View) -> figures.Moment:
    v = point.value
    note = f"n {v.n:,}" + (f" · {point.run.note}" if point.run.note else "")
    return figures.Moment(
        order[point.run.id], words.when(point.run)[5:], v.mean, v.low, v.high, note,
        drop=bool(point.drop),
    )  # fmt: skip


def _rows(view: View, found: dict[str, list[HistoryPoint]]) -> list[dict[str, Cell]]:
    return [
        {
            "made (UTC)": words.when(p.run),
            "run": p.run.id,
            "strategy": name,
            view.measure: p.value.mean,
            "low": p.value.low,
            "high": p.value.high,
            "n": p.value.n,
            "note": p.run.note,
            "drop": p.drop,
        }
        for name, points in found.items()
        for p in points
    ]
