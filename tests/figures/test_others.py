"""History, silencing and simple charts, as data."""

from __future__ import annotations

import pytest

from ragdebug import figures
from ragdebug.figures import Moment


def test_a_history_has_a_point_and_an_interval_a_run_and_marks_a_drop() -> None:
    moments = [Moment(0, "first", 0.8, 0.7, 0.9), Moment(2, "third", 0.5, 0.4, 0.7, drop=True)]
    figure = figures.measure_history([("hybrid", 2, moments)], y_title="recall@5")
    assert list(figure.data[0].y) == [0.8, 0.5]
    assert [round(x, 6) for x in figure.data[0].error_y.array] == [0.1, 0.2]
    assert [round(x, 6) for x in figure.data[0].error_y.arrayminus] == [0.1, 0.1]
    assert [(a.x, a.text) for a in figure.layout.annotations] == [(2, "▼ drop")]
    assert list(figure.layout.xaxis.ticktext) == ["first", "third"]


def test_notes_in_a_history_are_escaped() -> None:
    moment = Moment(0, "now", 0.8, 0.7, 0.9, note="<a href=x>go</a>")
    figure = figures.measure_history([("<i>h</i>", 0, [moment])], y_title="recall@5")
    assert "<a" not in str(figure.data[0].customdata)
    assert figure.data[0].name == "&lt;i&gt;h&lt;/i&gt;"


def test_a_minimum_is_drawn_over_both_groups() -> None:
    figure = figures.silencing([0.5, 0.7], [0.2], score_kind="cosine", minimum=0.4)
    assert [list(t.x) for t in figure.data] == [[0.2], [0.5, 0.7]]
    assert figure.layout.shapes[0].x0 == 0.4
    assert not figures.silencing([0.5], [0.2], score_kind="cosine").layout.shapes


@pytest.mark.parametrize(("kind", "made"), [("bars", "bar"), ("line", "scatter")])
def test_two_columns_are_drawn_as_chosen(kind: str, made: str) -> None:
    figure = figures.two_columns(
        ["<b>x</b>", "y"], [1, None], kind=kind, x_title="<i>a</i>", y_title="b"
    )
    assert figure.data[0].type == made
    assert list(figure.data[0].x) == ["&lt;b&gt;x&lt;/b&gt;", "y"]
    assert list(figure.data[0].y) == [1, None]
    assert figure.layout.xaxis.title.text == "&lt;i&gt;a&lt;/i&gt;"
