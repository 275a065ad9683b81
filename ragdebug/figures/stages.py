"""How many questions are lost at each stage, a bar a strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdebug.figures.theme import Theme, layout, literal, title

if TYPE_CHECKING:
    import plotly.graph_objects as go

BAR_PX = 46
# Light and dark: from what never had a chance to what nearly came in.
_LOST = (
    ("#5B2A86", "#B58BE0"), ("#8B4BB8", "#9A6BD0"), ("#B94CB8", "#C463BD"), ("#A02C2C", "#F0857A"),
    ("#C8553D", "#E0694F"), ("#D9822B", "#D96B3A"), ("#B8821A", "#E2C474"), ("#7A7A1E", "#B9B94A"),
    ("#4E7F8C", "#6FA8B5"), ("#1E8FE0", "#2BA5E8"), ("#24507B", "#A7CFEC"),
)  # fmt: skip
_DELIVERED = ("#288A61", "#2C9678")
FAILED = "search_failed"
_FAILED = ("#8A8F98", "#70767F")  # not a stage, and no colour of one


@dataclass(frozen=True, slots=True)
class StageBar:
    """One strategy: how many questions stand at each stage."""

    name: str
    counts: Mapping[str, int]


def stage_bars(
    bars: Sequence[StageBar], labels: Mapping[str, str], *, theme: Theme | None = None
) -> go.Figure:
    """Stacked bars. Each part carries its strategy's place and its stage in `customdata`.

    Args:
        bars: from top to bottom.
        labels: stage -> what it is called, in the order of the stages; the last is delivery.
            `FAILED` among them is drawn in grey.
        theme: colours.
    """
    import plotly.graph_objects as go

    theme = theme or Theme()
    figure = go.Figure()
    names = [literal(bar.name, 60) for bar in bars]
    stages = [s for s in labels if any(bar.counts.get(s) for bar in bars)]
    for stage in stages:
        counts = [bar.counts.get(stage, 0) for bar in bars]
        figure.add_bar(
            y=list(range(len(bars))),
            x=counts,
            orientation="h",
            name=literal(labels[stage]),
            marker={"color": _colour(stage, list(labels), theme), "line": _edge(theme)},
            text=[f"{n:,}" if n else "" for n in counts],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            customdata=[[at, stage] for at in range(len(bars))],
            hovertemplate=f"{literal(labels[stage])}: %{{x:,}}<extra></extra>",
        )
    figure.update_layout(
        layout(
            theme,
            90 + BAR_PX * max(1, len(bars)),
            barmode="stack",
            bargap=0.25,
            margin={"l": 8},
            xaxis={"title": title("questions", theme), "rangemode": "tozero"},
            yaxis={
                "tickmode": "array",
                "tickvals": list(range(len(bars))),
                "ticktext": names,
                "autorange": "reversed",
                "automargin": True,
                "showgrid": False,
            },
            legend={"traceorder": "normal"},
        )
    )
    return figure


def _colour(stage: str, stages: Sequence[str], theme: Theme) -> str:
    if stage == FAILED:
        return _FAILED[theme.dark]
    stages = [s for s in stages if s != FAILED]
    at = stages.index(stage)
    pair = _DELIVERED if at == len(stages) - 1 else _LOST[at % len(_LOST)]
    return pair[theme.dark]


def _edge(theme: Theme) -> dict[str, Any]:
    """A thin line between the parts, since neighbours may be of like colour."""
    return {"color": theme.ground, "width": 1.5}
