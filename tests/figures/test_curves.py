"""Measures against k and against tokens, as data."""

from __future__ import annotations

from typing import Any

from ragdebug import figures
from ragdebug.figures import Line, Panel


def line(name: str, colour: int = 0, pool: int | None = None) -> Line:
    return Line(
        name, [1, 2, 3], [0.2, 0.5, 0.6], [0.1, 0.4, 0.5], [0.3, 0.6, 0.7], 60, colour, pool
    )


def named(figure: Any) -> list[str]:
    return [t.name for t in figure.data if t.showlegend is not False]


def test_a_band_goes_forth_along_the_upper_ends_and_back_along_the_lower_ones() -> None:
    figure = figures.measure_curves([Panel([line("hybrid")], "k", "recall@k")])
    band = figure.data[0]
    assert list(band.x) == [1, 2, 3, 3, 2, 1]
    assert list(band.y) == [0.3, 0.6, 0.7, 0.5, 0.4, 0.1]


def test_lines_differ_in_dash_and_mark_not_in_colour_alone() -> None:
    lines = [line("a", 0), line("b", 0), line("c", 0)]
    figure = figures.measure_curves([Panel(lines, "k", "recall@k")])
    entries = [t for t in figure.data if t.showlegend is not False]
    assert len({t.line.dash for t in entries}) == 3
    assert len({t.marker.symbol for t in entries}) == 3


def test_two_panels_share_one_legend_and_stand_side_by_side() -> None:
    panel = Panel([line("a"), line("b")], "k", "recall@k")
    figure = figures.measure_curves([panel, panel])
    assert named(figure) == ["a", "b"]
    assert {t.xaxis for t in figure.data if t.legendgroup == "a"} >= {"x", "x2"}
    assert figure.layout.xaxis.domain[1] < figure.layout.xaxis2.domain[0]


def test_the_end_of_the_reranked_pool_is_marked_where_the_lists_go_on() -> None:
    figure = figures.measure_curves([Panel([line("a", pool=2)], "k", "recall@k")])
    assert figure.layout.shapes[0].x0 == 2
    assert figure.layout.annotations[0].text == "reranked up to here"
    figure = figures.measure_curves([Panel([line("a", pool=3)], "k", "recall@k")])
    assert not figure.layout.shapes


def test_every_line_has_its_marks_where_asked() -> None:
    figure = figures.measure_curves([Panel([line("a")], "k", "recall@k", marks=(1, 3, 5))])
    marks = next(t for t in figure.data if t.mode == "markers")
    assert list(marks.x) == [1, 3]
    assert list(marks.y) == [0.2, 0.6]


def test_names_are_escaped() -> None:
    figure = figures.measure_curves([Panel([line("<b>x</b> $y$")], "k", "recall@k")])
    assert named(figure) == ["&lt;b&gt;x&lt;/b&gt; &#36;y&#36;"]
    assert "<b>x</b>" not in str([t.hovertemplate for t in figure.data])
