"""Passages through several result lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdebug.figures.theme import Theme, layout, literal

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, slots=True)
class Track:
    """One passage through the columns: its rank in each, None where it is not in the list."""

    name: str
    ranks: tuple[int | None, ...]
    wanted: bool = False


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
    for rank, ending in _ends(tracks, depth).items():
        wanted = ending[0].wanted
        text = literal(ending[0].name, 34)
        more = f" and {len(ending) - 1} more" if len(ending) > 1 else ""
        figure.add_annotation(
            x=len(columns) - 1,
            y=rank,
            xanchor="left",
            xshift=16,
            text=(f"<b>{text}</b>" if wanted else text) + more,
            showarrow=False,
            font={"color": theme.palette[1] if wanted else theme.text, "size": 11.5},
        )
    rows = list(range(1, below + 1))
    figure.update_layout(
        layout(
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


def _ends(tracks: Sequence[Track], depth: int) -> dict[int, list[Track]]:
    """Which tracks end at each rank of the last column, the wanted one first.

    Where columns are cut in different ways, two passages may stand at one rank.
    """
    made: dict[int, list[Track]] = {}
    for track in sorted(tracks, key=lambda t: not t.wanted):
        last = track.ranks[-1] if track.ranks else None
        if last is not None and last <= depth:
            made.setdefault(last, []).append(track)
    return made
