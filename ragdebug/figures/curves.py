"""A measure against k, or against tokens of context, one line a run with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdebug.figures.theme import Theme, layout, literal, title

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Lines are told apart by dash and mark, too: on paper, and by those who see colours differently.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star")
MOST_BANDS = 4  # more of them hide each other
_BAND = "1A"  # opacity of a band, two hex digits
_DARK_BAND = "2B"


@dataclass(frozen=True, slots=True)
class Line:
    """One run.

    Attributes:
        name: in the legend.
        x: ascending.
        mean: one a x; so `low` and `high`, the ends of the 95% interval.
        n: questions.
        colour: position in the palette.
        pool: x at which the reranked pool ends; None without one.
    """

    name: str
    x: Sequence[float]
    mean: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    n: int
    colour: int = 0
    pool: int | None = None


def measure_curves(
    lines: Sequence[Line],
    *,
    x_title: str,
    y_title: str,
    marks: Sequence[float] = (),
    upright: bool = True,
    theme: Theme | None = None,
    height: int = 340,
) -> go.Figure:
    """Means with their bands; dash and mark differ from line to line.

    Args:
        lines: the runs; bands are drawn for the first few only.
        x_title: what x counts.
        y_title: the measure.
        marks: x that get a mark on every line.
        upright: whether the measure runs from 0 to 1, so that the axis does as well.
        theme: colours.
        height: in pixels.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    figure = go.Figure()
    for i, line in enumerate(lines):
        colour = theme.palette[line.colour % len(theme.palette)]
        if i < MOST_BANDS:
            _band(figure, line, colour + (_DARK_BAND if theme.dark else _BAND))
    for i, line in enumerate(lines):
        _line(figure, line, i, marks, x_title, theme)
    _pools(figure, lines, theme)
    top = max((max(line.high, default=1.0) for line in lines), default=1.0)
    figure.update_layout(
        layout(
            theme,
            height,
            xaxis={"title": title(x_title, theme), "rangemode": "tozero"},
            yaxis={
                "title": title(y_title, theme),
                "range": [0, 1.02] if upright else [0, top * 1.05],
                "tickformat": ".1f" if upright else ",",
            },
            margin={"l": 52, "r": 16, "t": 16, "b": 44},
            legend={
                "orientation": "v", "x": 0.98, "y": 0.03, "xanchor": "right", "yanchor": "bottom",
                "bgcolor": theme.ground + "CC", "font": {"size": 11.5},
            },
            showlegend=True,
        )
    )  # fmt: skip
    return figure


def _band(figure: go.Figure, line: Line, fill: str) -> None:
    x = list(line.x)
    figure.add_scatter(
        x=[*x, *x[::-1]],
        y=[*line.high, *list(line.low)[::-1]],
        fill="toself",
        fillcolor=fill,
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
        legendgroup=line.name,
    )


def _line(
    figure: go.Figure, line: Line, i: int, marks: Sequence[float], x_title: str, theme: Theme
) -> None:
    colour = theme.palette[line.colour % len(theme.palette)]
    marked = set(marks)
    figure.add_scatter(
        x=list(line.x),
        y=list(line.mean),
        mode="lines+markers",
        name=literal(line.name),
        legendgroup=line.name,
        line={"color": colour, "width": 2.2, "dash": DASHES[i % len(DASHES)]},
        marker={
            "symbol": MARKS[i % len(MARKS)],
            "size": [8 if x in marked or len(line.x) == 1 else 0 for x in line.x],
            "color": colour,
            "line": {"width": 0},
        },
        customdata=[[low, high] for low, high in zip(line.low, line.high, strict=True)],
        hovertemplate=f"<b>{literal(line.name)}</b><br>{literal(x_title)} %{{x:,}}: %{{y:.3f}} "
        f"(%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}}), n {line.n:,}<extra></extra>",
    )


def _pools(figure: go.Figure, lines: Sequence[Line], theme: Theme) -> None:
    """Where the reranked pools end: beyond, the order is the one before reranking."""
    for pool in sorted({line.pool for line in lines if line.pool}):
        if pool >= max((max(line.x, default=0) for line in lines), default=0):
            continue
        figure.add_vline(x=pool, line={"color": theme.quiet, "width": 1.2, "dash": "dot"})
        figure.add_annotation(
            x=pool,
            y=1,
            yref="paper",
            xanchor="left",
            yanchor="top",
            xshift=4,
            text="reranked up to here",
            showarrow=False,
            font={"color": theme.quiet, "size": 11},
        )
