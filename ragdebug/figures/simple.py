"""A chart of two columns of any table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragdebug.figures.theme import Theme, layout, literal, title

if TYPE_CHECKING:
    import plotly.graph_objects as go

KINDS = ("bars", "line", "points")


def two_columns(
    x: Sequence[Any],
    y: Sequence[Any],
    *,
    kind: str,
    x_title: str,
    y_title: str,
    theme: Theme | None = None,
    height: int = 320,
) -> go.Figure:
    """Bars, a line or points.

    Args:
        x: numbers, dates or texts.
        y: as many numbers; None is left out.
        kind: one of `KINDS`.
        x_title: name of the first column.
        y_title: name of the second.
        theme: colours.
        height: in pixels.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    shown = [literal(v, 40) if isinstance(v, str) else v for v in x]
    figure = go.Figure()
    if kind == "bars":
        figure.add_bar(x=shown, y=list(y), marker={"color": theme.palette[0]})
    else:
        figure.add_scatter(
            x=shown,
            y=list(y),
            mode="lines+markers" if kind == "line" else "markers",
            line={"color": theme.palette[0], "width": 2},
            marker={"color": theme.palette[0], "size": 7},
        )
    figure.update_traces(hovertemplate="%{x}: %{y:,}<extra></extra>")
    figure.update_layout(
        layout(
            theme,
            height,
            xaxis={"title": title(literal(x_title), theme), "automargin": True},
            yaxis={"title": title(literal(y_title), theme), "rangemode": "tozero"},
            showlegend=False,
        )
    )
    return figure
