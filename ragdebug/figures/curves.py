"""A measure against k and against tokens of context, one line a run with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdebug.figures.theme import Theme, layout, literal, title

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Lines are told apart by dash and mark, too: on paper, and by those who see colours differently.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star")
# Opacity of a band, two hex digits, on light and dark ground: of a few, and of many, which lie on
# each other.
_FEW, _MANY = ("22", "33"), ("12", "1F")
_GAP = 0.09  # between panels, of the whole width


@dataclass(frozen=True, slots=True)
class Line:
    """One run.

    Attributes:
        name: in the legend; the same in each panel.
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


@dataclass(frozen=True, slots=True)
class Panel:
    """One of the charts that stand side by side.

    Attributes:
        lines: the runs, in the same order in each panel.
        x_title: what x counts.
        y_title: the measure; it runs from 0 to 1.
        marks: x that get a mark on every line.
    """

    lines: Sequence[Line]
    x_title: str
    y_title: str
    marks: Sequence[float] = ()


def measure_curves(
    panels: Sequence[Panel], *, theme: Theme | None = None, height: int = 380
) -> go.Figure:
    """Charts side by side with one legend; a click in it hides a run everywhere.

    Args:
        panels: from left to right.
        theme: colours.
        height: in pixels.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    figure = go.Figure()
    width = (1 - _GAP * (len(panels) - 1)) / max(1, len(panels))
    axes: dict[str, Any] = {}
    for at, panel in enumerate(panels):
        number = "" if at == 0 else str(at + 1)
        start = at * (width + _GAP)
        _panel(figure, panel, number, theme)
        axes[f"xaxis{number}"] = {
            "title": title(panel.x_title, theme),
            "rangemode": "tozero",
            "domain": [start, start + width],
            "anchor": f"y{number}",
        }
        axes[f"yaxis{number}"] = {
            "title": title(panel.y_title, theme),
            "range": [0, 1.02],
            "tickformat": ".1f",
            "anchor": f"x{number}",
        }
    figure.update_layout(
        layout(
            theme,
            height,
            **axes,
            margin={"l": 52, "r": 16, "t": 8, "b": 44},
            legend={
                "orientation": "h",
                "x": 0,
                "y": 1.03,
                "yanchor": "bottom",
                "itemwidth": 48,
                "font": {"size": 12},
            },
            showlegend=True,
        )
    )
    return figure


def _panel(figure: go.Figure, panel: Panel, number: str, theme: Theme) -> None:
    on = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    opacity = (_FEW if len(panel.lines) < 4 else _MANY)[theme.dark]
    for line in panel.lines:
        _band(figure, line, theme.palette[line.colour % len(theme.palette)] + opacity, on)
    for i, line in enumerate(panel.lines):
        _line(figure, line, i, panel, theme, on)
        if not number:
            _legend(figure, line, i, theme)
    _pools(figure, panel.lines, number, theme)


def _band(figure: go.Figure, line: Line, fill: str, on: dict[str, str]) -> None:
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
        legendgroup=literal(line.name),
        **on,
    )


def _line(
    figure: go.Figure, line: Line, i: int, panel: Panel, theme: Theme, on: dict[str, str]
) -> None:
    name, colour = literal(line.name), theme.palette[line.colour % len(theme.palette)]
    mark = {"symbol": MARKS[i % len(MARKS)], "size": 8, "color": colour}
    stroke = {"color": colour, "width": 2.2, "dash": DASHES[i % len(DASHES)]}
    figure.add_scatter(
        x=list(line.x),
        y=list(line.mean),
        mode="lines" if len(line.x) > 1 else "lines+markers",
        line=stroke,
        marker=mark,
        legendgroup=name,
        showlegend=False,
        customdata=[[low, high] for low, high in zip(line.low, line.high, strict=True)],
        hovertemplate=f"<b>{name}</b><br>{literal(panel.x_title)} %{{x:,}}: %{{y:.3f}} "
        f"(%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}}), n {line.n:,}<extra></extra>",
        **on,
    )
    marked = [(x, y) for x, y in zip(line.x, line.mean, strict=True) if x in set(panel.marks)]
    figure.add_scatter(
        x=[x for x, _ in marked],
        y=[y for _, y in marked],
        mode="markers",
        marker=mark,
        legendgroup=name,
        showlegend=False,
        hoverinfo="skip",
        **on,
    )


def _legend(figure: go.Figure, line: Line, i: int, theme: Theme) -> None:
    """An entry with dash and mark, as the line has them."""
    colour = theme.palette[line.colour % len(theme.palette)]
    figure.add_scatter(
        x=[None],
        y=[None],
        mode="lines+markers",
        name=literal(line.name),
        legendgroup=literal(line.name),
        line={"color": colour, "width": 2.2, "dash": DASHES[i % len(DASHES)]},
        marker={"symbol": MARKS[i % len(MARKS)], "size": 8, "color": colour},
    )


def _pools(figure: go.Figure, lines: Sequence[Line], number: str, theme: Theme) -> None:
    """Where reranked pools end: beyond, the order is the one before reranking."""
    furthest = max((max(line.x, default=0) for line in lines), default=0)
    for pool in sorted({line.pool for line in lines if line.pool and line.pool < furthest}):
        figure.add_shape(
            type="line",
            x0=pool,
            x1=pool,
            y0=0,
            y1=1,
            xref=f"x{number}",
            yref=f"y{number} domain",
            line={"color": theme.quiet, "width": 1.2, "dash": "dot"},
        )
        figure.add_annotation(
            x=pool,
            y=0,
            xref=f"x{number}",
            yref=f"y{number} domain",
            xanchor="left",
            yanchor="bottom",
            xshift=4,
            text="reranked up to here",
            showarrow=False,
            font={"color": theme.quiet, "size": 11},
        )
