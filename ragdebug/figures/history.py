"""A measure over runs made one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdebug.figures.curves import DASHES, MARKS
from ragdebug.figures.theme import Theme, layout, literal, title

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, slots=True)
class Moment:
    """One run of a series.

    Attributes:
        at: position on the axis: the runs of all series, counted from the oldest.
        said: what stands at that position.
        mean: so `low` and `high`, the 95% interval.
        note: shown on hovering.
        drop: below the one before, beyond noise.
    """

    at: int
    said: str
    mean: float
    low: float
    high: float
    note: str = ""
    drop: bool = False


def measure_history(
    series: Sequence[tuple[str, int, Sequence[Moment]]],
    *,
    y_title: str,
    upright: bool = True,
    theme: Theme | None = None,
    height: int = 320,
) -> go.Figure:
    """One line a strategy, an interval at each run, drops marked.

    Args:
        series: (name, position in the palette, its runs from the oldest).
        y_title: the measure.
        upright: whether the measure runs from 0 to 1.
        theme: colours.
        height: in pixels.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    figure = go.Figure()
    for i, (name, at, moments) in enumerate(series):
        colour = theme.palette[at % len(theme.palette)]
        figure.add_scatter(
            x=[m.at for m in moments],
            y=[m.mean for m in moments],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [m.high - m.mean for m in moments],
                "arrayminus": [m.mean - m.low for m in moments],
                "thickness": 1.2,
                "width": 4,
                "color": colour,
            },
            mode="lines+markers",
            name=literal(name),
            line={"color": colour, "width": 1.6, "dash": DASHES[i % len(DASHES)]},
            marker={"symbol": MARKS[i % len(MARKS)], "size": 9, "color": colour},
            customdata=[[literal(m.said), literal(m.note, 120), m.low, m.high] for m in moments],
            hovertemplate=f"<b>{literal(name)}</b> %{{customdata[0]}}<br>%{{y:.3f}} "
            "(%{customdata[2]:.3f} to %{customdata[3]:.3f})<br>%{customdata[1]}<extra></extra>",
        )
    drops = [(m.at, m.low) for _, _, moments in series for m in moments if m.drop]
    for x, low in drops:
        figure.add_annotation(
            x=x,
            y=low,
            yanchor="top",
            text="▼ drop",
            showarrow=False,
            font={"color": theme.warn, "size": 12},
        )
    said = {m.at: m.said for _, _, moments in series for m in moments}
    shown = sorted(said)[:: max(1, -(-len(said) // 12))]
    figure.update_layout(
        layout(
            theme,
            height,
            xaxis={
                "tickvals": shown,
                "ticktext": [literal(said[x], 24) for x in shown],
                "showgrid": False,
                "range": [min(said, default=0) - 0.5, max(said, default=0) + 0.5],
            },
            yaxis={
                "title": title(y_title, theme),
                **({"range": [0, 1.02], "tickformat": ".1f"} if upright else {}),
                "rangemode": "tozero",
            },
            margin={"l": 52, "r": 16, "t": 32, "b": 36},
            showlegend=True,
        )
    )
    return figure
