"""How long chunks are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragdebug.figures.theme import Theme, layout, literal, title

if TYPE_CHECKING:
    import plotly.graph_objects as go


def size_histogram(
    sizes: Mapping[str, Sequence[int]],
    *,
    unit: str,
    window: int | None = None,
    theme: Theme | None = None,
    height: int = 240,
) -> go.Figure:
    """How long the chunks are, one outline a chunking, with what the model reads marked.

    Args:
        sizes: name of a chunking -> size of each chunk, in `unit`; at most two or three.
        unit: tokens or chars, for the axis.
        window: the most that the model reads, in `unit`; None when that is not known.
        theme: colours.
        height: in pixels.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    figure = go.Figure()
    every = [s for values in sizes.values() for s in values]
    top = max([*every, window or 0, 1])
    width = bin_width(top)
    for i, (name, values) in enumerate(sizes.items()):
        counts = [0] * (top // width + 1)
        for value in values:
            counts[min(value // width, len(counts) - 1)] += 1
        figure.add_bar(
            x=[b * width + width / 2 for b in range(len(counts))],
            y=counts,
            width=width * (0.92 if len(sizes) == 1 else 0.46),
            offset=None if len(sizes) == 1 else (-0.46 + 0.46 * (i % 2)) * width,
            name=literal(name),
            marker={
                "color": theme.palette[i],
                "pattern": {"shape": "" if i == 0 else "/", "size": 5, "solidity": 0.5},
            },
            customdata=[[b * width, b * width + width - 1] for b in range(len(counts))],
            hovertemplate=f"%{{customdata[0]}}–%{{customdata[1]}} {unit}: %{{y}} chunks"
            "<extra></extra>",
        )
    if window:
        figure.add_vline(x=window, line={"color": theme.warn, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            x=window,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="right" if window > 0.6 * top else "center",
            text=f"the model reads {window:,}",
            showarrow=False,
            font={"color": theme.warn, "size": 11.5},
        )
    figure.update_layout(
        layout(
            theme,
            height,
            xaxis={
                "title": title(f"{unit} in a chunk", theme),
                "range": [0, top * 1.03 + width / 2],
            },
            yaxis={"title": title("chunks", theme), "rangemode": "tozero"},
            bargap=0.08,
            barmode="overlay",
            showlegend=len(sizes) > 1,
        )
    )
    return figure


def bin_width(top: int, bins: int = 40) -> int:
    """A round width (1, 2 or 5 times a power of ten) that gives at most `bins` bins up to `top`."""
    width, power = 1, 1
    while top / width > bins:
        for step in (1, 2, 5):
            width = step * power
            if top / width <= bins:
                return width
        power *= 10
    return width
