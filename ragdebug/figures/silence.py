"""What a minimum score would silence, among questions with an answer here and those without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragdebug.figures.theme import Theme, layout, literal, title

if TYPE_CHECKING:
    import plotly.graph_objects as go


def silencing(
    answerable: Sequence[float],
    not_answerable: Sequence[float],
    *,
    score_kind: str,
    minimum: float | None = None,
    theme: Theme | None = None,
    height: int = 250,
) -> go.Figure:
    """Best score of each question, one mark a question in two rows; boxes show the quartiles.

    Args:
        answerable: best scores of questions that can be answered here.
        not_answerable: of those that cannot.
        score_kind: what the scores are.
        minimum: drawn as a line; what stands left of it would be silenced.
        theme: colours.
        height: in pixels.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    figure = go.Figure()
    for name, scores, colour, mark in (
        ("not answerable", not_answerable, theme.palette[1], "x-thin-open"),
        ("answerable", answerable, theme.palette[0], "circle-open"),
    ):
        figure.add_box(
            x=list(scores),
            name=f"{name} ({len(scores):,})",
            boxpoints="all" if len(scores) <= 1000 else "outliers",
            jitter=0.7,
            pointpos=0,
            line={"color": colour, "width": 1.4},
            fillcolor="rgba(0,0,0,0)",
            marker={"color": colour, "size": 7, "symbol": mark, "opacity": 0.75},
            hovertemplate="%{x:.4g}<extra></extra>",
        )
    if minimum is not None:
        figure.add_vline(x=minimum, line={"color": theme.warn, "width": 1.6, "dash": "dash"})
        figure.add_annotation(
            x=minimum,
            y=1,
            yref="paper",
            yanchor="bottom",
            text=f"minimum {minimum:.4g}",
            showarrow=False,
            font={"color": theme.warn, "size": 11.5},
        )
    figure.update_layout(
        layout(
            theme,
            height,
            xaxis={"title": title(f"best score, {literal(score_kind)}", theme)},
            yaxis={"showgrid": False},
            margin={"l": 130, "r": 16, "t": 26, "b": 44},
            showlegend=False,
        )
    )
    return figure
