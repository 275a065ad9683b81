"""All figures, as pure functions from plain data to `plotly.graph_objects.Figure`.

The only code that imports plotly, and only when a figure is asked for; one family of charts a file.

    figures.size_histogram({"structure 220/40": sizes}, unit="tokens", window=256, theme=theme)
    figures.bump_chart([("vector", "Vector"), ...], [Track("Refunds", (2, 3, 1), wanted=True)])
    figures.measure_curves([Panel([Line("hybrid", ks, mean, low, high, n=60)], "k", "recall@k")])
    figures.Theme(dark=st.context.theme.type == "dark")
"""

from ragdebug.figures.bump import Track, bump_chart
from ragdebug.figures.curves import Line, Panel, measure_curves
from ragdebug.figures.history import Moment, measure_history
from ragdebug.figures.silence import silencing
from ragdebug.figures.simple import KINDS, two_columns
from ragdebug.figures.sizes import bin_width, size_histogram
from ragdebug.figures.theme import DARK, LIGHT, PRESETS, Theme, literal

__all__ = [
    "DARK",
    "KINDS",
    "LIGHT",
    "PRESETS",
    "Line",
    "Moment",
    "Panel",
    "Theme",
    "Track",
    "bin_width",
    "bump_chart",
    "literal",
    "measure_curves",
    "measure_history",
    "silencing",
    "size_histogram",
    "two_columns",
]
