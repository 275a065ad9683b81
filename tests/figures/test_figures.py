"""The figures, as data."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ragdebug import figures

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"


def test_figures_have_the_colours_of_the_app() -> None:
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    for name, dark in (("light", False), ("dark", True)):
        colours = theme[name]
        drawn = figures.Theme(dark=dark)
        assert list(drawn.palette) == colours["chartCategoricalColors"]
        assert drawn.ground == colours["backgroundColor"]
        assert drawn.text == colours["textColor"]
        assert drawn.warn == colours["redColor"]


def test_the_histogram_counts_every_chunk_once() -> None:
    sizes = [1, 1, 5, 9, 10, 250, 256]
    figure = figures.size_histogram({"a": sizes}, unit="tokens", window=256)
    assert sum(figure.data[0].y) == len(sizes)
    assert figure.layout.annotations[0].text == "the model reads 256"
    assert figure.layout.shapes[0].x0 == 256


def test_two_chunkings_share_bins_and_get_a_legend() -> None:
    figure = figures.size_histogram({"a": [10, 20], "b": [500]}, unit="chars")
    assert list(figure.data[0].x) == list(figure.data[1].x)
    assert figure.layout.showlegend


@pytest.mark.parametrize(
    ("top", "width"), [(1, 1), (40, 1), (41, 2), (100, 5), (256, 10), (8192, 500)]
)
def test_bins_have_round_widths(top: int, width: int) -> None:
    assert figures.bin_width(top) == width


def test_no_chunks_give_an_empty_histogram() -> None:
    assert sum(figures.size_histogram({"a": []}, unit="tokens").data[0].y) == 0


def test_a_passage_below_the_shown_depth_stands_on_the_last_row() -> None:
    columns = [("vector", "Vector"), ("bm25", "BM25"), ("hybrid", "Hybrid")]
    figure = figures.bump_chart(columns, [figures.Track("A", (1, 14, None))], depth=5)
    assert list(figure.data[0].y) == [1, 6, 6]
    assert [said for _, said in figure.data[0].customdata] == [
        "rank 1",
        "rank 14",
        "not in the list",
    ]


def test_the_wanted_passage_is_drawn_last_and_thickest() -> None:
    tracks = [figures.Track("A", (1,), wanted=True), figures.Track("B", (2,))]
    figure = figures.bump_chart([("vector", "Vector")], tracks)
    assert [trace.name for trace in figure.data] == ["B", "A"]
    assert figure.data[1].line.width > figure.data[0].line.width


def test_passages_that_end_at_one_rank_share_one_label_the_wanted_one_first() -> None:
    tracks = [
        figures.Track("first", (1, 2)),
        figures.Track("second", (2, 2)),
        figures.Track("below", (3, 9)),
        figures.Track("expected", (4, 2), wanted=True),
        figures.Track("alone", (5, 1)),
    ]
    figure = figures.bump_chart([("vector", "Vector"), ("bm25", "BM25")], tracks, depth=5)
    labels = {a.y: a.text for a in figure.layout.annotations}
    assert labels == {1: "alone", 2: "<b>expected</b> and 2 more"}


def test_text_from_outside_is_escaped() -> None:
    hostile = "<a href='javascript:x'>%{x}</a> $y$ & more"
    figure = figures.bump_chart([("vector", hostile)], [figures.Track(hostile, (1,))], depth=3)
    assert figure.data[0].name.startswith("&lt;a href")
    assert "$" not in figure.data[0].name
    assert "<a" not in figure.layout.xaxis.ticktext[0]
    assert "%{x}" not in figure.data[0].hovertemplate
