"""Curves as plain SVG, so that a report needs no script to show them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from ragdebug.workbench.casefile.markup import Html, el
from ragdebug.workbench.evaluation.reports import Curve

WIDTH, HEIGHT = 520, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 14, 40
COLOURS = 6

Point = tuple[float, float]


def chart(curves: Sequence[Curve], x_title: str, y_title: str) -> Html:
    """Lines with their 95% bands, 0 to 1, one colour a run in the order given.

    Args:
        curves: of a measure from 0 to 1.
        x_title: what runs to the right.
        y_title: what runs up.
    """
    most = max((float(c.x[-1]) for c in curves if len(c.x)), default=1.0)
    least = min((float(c.x[0]) for c in curves if len(c.x)), default=0.0)
    room = max(most - least, 1.0)

    def at(x: float, y: float) -> Point:
        return (
            LEFT + (x - least) / room * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - min(max(y, 0.0), 1.0) * (HEIGHT - TOP - BOTTOM),
        )

    grid = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        (x1, y), (x2, _) = at(least, share), at(most, share)
        grid += [
            el("line", x1=_n(x1), y1=_n(y), x2=_n(x2), y2=_n(y), class_="axis"),
            el("text", f"{share:g}", x=LEFT - 8, y=_n(y + 4), text_anchor="end"),
        ]
    for x, anchor in ((least, "start"), ((least + most) / 2, "middle"), (most, "end")):
        below = HEIGHT - BOTTOM + 16
        grid.append(el("text", f"{x:,.0f}", x=_n(at(x, 0)[0]), y=below, text_anchor=anchor))
    drawn: list[Html] = []
    for number, curve in enumerate(curves):
        drawn += _curve(curve, number % COLOURS, at)
    return el(
        "svg",
        el("title", f"{y_title} against {x_title}"),
        grid,
        drawn,
        el("text", x_title, x=(LEFT + WIDTH) // 2, y=HEIGHT - 6, text_anchor="middle"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
    )


def _curve(curve: Curve, colour: int, place: Callable[[float, float], Point]) -> Iterable[Html]:
    rows = [
        (x, low, mean, high)
        for x, low, mean, high in zip(
            curve.x.tolist(), curve.low.tolist(), curve.mean.tolist(), curve.high.tolist(),
            strict=True,
        )
        if math.isfinite(mean)
    ]  # fmt: skip
    band = [place(x, high) for x, _, _, high in rows if math.isfinite(high)]
    band += [place(x, low) for x, low, _, _ in reversed(rows) if math.isfinite(low)]
    if band:
        yield el("polygon", points=_points(band), class_=f"band s{colour}")
    yield el(
        "polyline",
        points=_points([place(x, mean) for x, _, mean, _ in rows]),
        class_=f"curve s{colour}",
    )


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return f"{value:.1f}"
