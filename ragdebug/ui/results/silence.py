"""Questions that nothing here answers: their best scores, and what a minimum would silence."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from ragdebug import figures
from ragdebug.ui import literal
from ragdebug.ui.results import charts, data, pick
from ragdebug.ui.results.view import View
from ragdebug.workbench.export import Cell

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import TopScores

_RUN = "run_scores"


def draw(view: View) -> None:
    """Draw both groups, the slider, and what it would cost."""
    run = pick.run("Run", view.ids, _RUN, view.names, view.ids[0])
    scores: TopScores = view.ask("top_scores", run)
    kind = scores.score_kind or "score"
    if scores.note:
        st.info(scores.note, icon=":material/info:")
        return
    if not len(scores.not_answerable):
        st.info(
            "No question of this run is marked as not answerable here. A few of them show whether "
            "a minimum score can keep wrong answers away.",
            icon=":material/info:",
        )
        return
    # One place for each minimum that changes a count, and one above all scores.
    steps = scores.steps
    at = st.slider(
        "Minimum score, from the lowest to the highest that occurs",
        0,
        max(1, len(steps)),
        _start(scores),
        key=f"_results_minimum_{run}",
        format=" ",
    )
    n, m = len(scores.answerable), len(scores.not_answerable)
    if at < len(steps):
        step = steps[at]
        minimum, lost, kept_away = step.minimum, step.answerable, step.not_answerable
        said = f"A minimum of **{minimum:.4g}** ({literal.plain(kind)})"
    else:
        minimum, lost, kept_away = None, n, m
        said = "A minimum above all of them"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f"{said} silences **{kept_away:,} of {m:,}** questions that nothing here answers, and "
            f"**{lost:,} of {n:,}** that have an answer.",
            width="content",
        )
        data.button(_rows(scores), "silencing")
    figure = figures.silencing(
        _finite(scores.answerable), _finite(scores.not_answerable), score_kind=kind,
        minimum=minimum, theme=charts.theme(),
    )  # fmt: skip
    st.plotly_chart(figure, key="results_silence", theme=None, config=charts.CONFIG)
    empty = sum(not np.isfinite(s) for s in (*scores.answerable, *scores.not_answerable))
    without = f" {empty:,} questions got no hit at all and are silent anyway." if empty else ""
    if n:
        literal.small(
            f"Of an answerable and a not answerable question, the answerable one has the higher "
            f"best score in {scores.auc:.0%} of all pairs; at 50% a minimum score tells nothing. "
            f"Scores of different strategies cannot be compared.{without}"
        )


def _start(scores: TopScores) -> int:
    """The minimum that is shown first: where the middle not answerable question is silenced."""
    middle = (len(scores.not_answerable) + 1) // 2
    return bisect_left([s.not_answerable for s in scores.steps], middle)


def _finite(values: np.typing.NDArray[np.float64]) -> list[float]:
    return [v for v in values.tolist() if np.isfinite(v)]


def _rows(scores: TopScores) -> list[dict[str, Cell]]:
    return [
        {
            "minimum": s.minimum,
            "answerable silenced": s.answerable,
            "not answerable silenced": s.not_answerable,
            "of answerable": len(scores.answerable),
            "of not answerable": len(scores.not_answerable),
        }
        for s in scores.steps
    ]
