"""Colours and frame that all figures share, and the escape of text from outside.

Text is escaped, since plotly reads a small HTML in it. Colours follow the app's theme files.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

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


def literal(text: str, limit: int = 60) -> str:
    """Text that plotly shows as it is, cut to `limit` characters."""
    flat = " ".join(text.split())
    short = flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
    return html.escape(short, quote=False).replace("$", "&#36;")


def layout(theme: Theme, height: int, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's own
    """Layout of a figure; `more` is laid over it, mappings key by key."""
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
        start = axis if name.startswith(("xaxis", "yaxis")) else base.get(name)
        base[name] = start | value if isinstance(start, dict) else value
    return base


def title(text: str, theme: Theme) -> dict[str, Any]:
    """Title of an axis."""
    return {"text": text, "standoff": 8, "font": {"size": 12.5, "color": theme.text}}
