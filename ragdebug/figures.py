"""All figures, as pure functions from plain data to `plotly.graph_objects.Figure`.

The only module that imports plotly, and only when a figure is asked for. Text from outside is
escaped, since plotly reads a small HTML in it. Colours follow the app's theme files.

    figures.size_histogram({"structure 220/40": sizes}, unit="tokens", window=256, theme=theme)
    figures.bump_chart([("vector", "Vector"), ...], [Track("Refunds", (2, 3, 1), wanted=True)])
    figures.Theme(dark=st.context.theme.type == "dark")
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go

# The chart palettes of .streamlit/config.toml: vector, BM25, hybrid, reranked, then further lists.
LIGHT = ("#24507B", "#A04A22", "#288A61", "#B94CB8", "#B8821A", "#1E8FE0", "#758595")
DARK = ("#A7CFEC", "#D96B3A", "#2C9678", "#C463BD", "#E2C474", "#2BA5E8", "#8694A3")
PRESETS = ("vector", "bm25", "hybrid", "reranked")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a figure. The default is for light screens and for paper."""

    dark: bool = False

    @property
    def palette(self) -> tuple[str, ...]:
        """Series colours in order."""
        return DARK if self.dark else LIGHT

    @property
    def text(self) -> str:
        """Colour of text."""
        return "#E2E7EE" if self.dark else "#1C2530"

    @property
    def quiet(self) -> str:
        """Colour of axes and of what is in the background."""
        return "#7B8794" if self.dark else "#8792A0"

    @property
    def grid(self) -> str:
        """Colour of grid lines."""
        return "#2C3643" if self.dark else "#E3E8EE"

    @property
    def ground(self) -> str:
        """Colour behind everything."""
        return "#12171E" if self.dark else "#FFFFFF"

    @property
    def warn(self) -> str:
        """Colour of limits."""
        return "#F0857A" if self.dark else "#B83A2E"


@dataclass(frozen=True, slots=True)
class Track:
    """One passage through the columns: its rank in each, None where it is not in the list."""

    name: str
    ranks: tuple[int | None, ...]
    wanted: bool = False


def literal(text: str, limit: int = 60) -> str:
    """Text that plotly shows as it is, cut to `limit` characters."""
    flat = " ".join(text.split())
    short = flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
    return html.escape(short, quote=False).replace("$", "&#36;")


def _layout(theme: Theme, height: int, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's own
    axis = {
        "gridcolor": theme.grid,
        "linecolor": theme.quiet,
        "tickcolor": theme.quiet,
        "zeroline": False,
    }
    base: dict[str, Any] = {
        "template": "none",
        "height": height,
        "margin": {"l": 52, "r": 16, "t": 28, "b": 44},
        "font": {"color": theme.text, "size": 12.5, "family": "Source Sans, sans-serif"},
        "paper_bgcolor": theme.ground,
        "plot_bgcolor": theme.ground,
        "colorway": list(theme.palette),
        "hoverlabel": {
            "bgcolor": theme.ground,
            "bordercolor": theme.quiet,
            "font": {"color": theme.text},
        },
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "xaxis": dict(axis),
        "yaxis": dict(axis),
    }
    for name, value in more.items():
        base[name] = base[name] | value if isinstance(base.get(name), dict) else value
    return base


def _title(text: str, theme: Theme) -> dict[str, Any]:
    return {"text": text, "standoff": 8, "font": {"size": 12.5, "color": theme.text}}


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
        _layout(
            theme,
            height,
            xaxis={
                "title": _title(f"{unit} in a chunk", theme),
                "range": [0, top * 1.03 + width / 2],
            },
            yaxis={"title": _title("chunks", theme), "rangemode": "tozero"},
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


def bump_chart(
    columns: Sequence[tuple[str, str]],
    tracks: Sequence[Track],
    *,
    depth: int = 10,
    theme: Theme | None = None,
    height: int = 320,
) -> go.Figure:
    """The passages' ranks through the columns, the wanted one thick.

    A passage that is below `depth`, or not in a list at all, stands on the row "below" there.

    Args:
        columns: (name, title) from left to right; the four presets have their own colours.
        tracks: the passages; one rank a column.
        depth: ranks that have a row of their own.
        theme: colours.
        height: in pixels.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    below = depth + 1
    titles = [literal(title, 30) for _, title in columns]
    figure = go.Figure()
    for i, track in enumerate(sorted(tracks, key=lambda t: t.wanted)):
        place = [below if r is None or r > depth else r for r in track.ranks]
        said = ["not in the list" if r is None else f"rank {r:,}" for r in track.ranks]
        colour = theme.palette[1] if track.wanted else theme.quiet
        figure.add_scatter(
            x=list(range(len(columns))),
            y=place,
            mode="lines+markers+text" if track.wanted else "lines+markers",
            line={
                "color": colour,
                "width": 4.5 if track.wanted else 1.4,
                "dash": "solid" if track.wanted else ("solid", "dot", "dash", "dashdot")[i % 4],
                "shape": "spline",
                "smoothing": 0.6,
            },
            marker={
                "size": 20 if track.wanted else 15,
                "color": [colour if p < below else theme.ground for p in place],
                "line": {"color": colour, "width": 1.5},
            },
            text=[str(r) if r is not None and r <= depth else "" for r in track.ranks],
            textfont={"color": theme.ground if not theme.dark else "#12171E", "size": 11},
            textposition="middle center",
            name=literal(track.name),
            customdata=[[literal(track.name), text] for text in said],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
            opacity=1 if track.wanted else 0.75,
        )
        if place:
            figure.add_annotation(
                x=len(columns) - 1,
                y=place[-1],
                xanchor="left",
                xshift=16,
                text=f"<b>{literal(track.name, 34)}</b>"
                if track.wanted
                else literal(track.name, 34),
                showarrow=False,
                font={"color": colour if track.wanted else theme.text, "size": 11.5},
            ) if place[-1] < below else None
    rows = list(range(1, below + 1))
    figure.update_layout(
        _layout(
            theme,
            height,
            margin={"l": 52, "r": 230, "t": 36, "b": 12},
            xaxis={
                "tickvals": list(range(len(columns))),
                "ticktext": titles,
                "side": "top",
                "showgrid": True,
                "range": [-0.25, len(columns) - 0.75],
            },
            yaxis={
                "tickvals": rows,
                "ticktext": [str(r) for r in rows[:-1]] + ["below"],
                "range": [below + 0.6, 0.4],
                "showgrid": False,
            },
            showlegend=False,
        )
    )
    return figure
