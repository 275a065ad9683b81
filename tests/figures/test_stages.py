"""Bars of what is lost at each stage."""

from __future__ import annotations

from ragdebug.figures.stages import FAILED, StageBar, stage_bars
from ragdebug.figures.theme import Theme

LABELS = {"cut": "cut", "below_k": "below k", "delivered": "delivered"}
BARS = [
    StageBar("hybrid <b>", {"cut": 2, "delivered": 8}),
    StageBar("bm25", {"cut": 0, "delivered": 10}),
]


def test_a_part_says_its_number_and_carries_its_strategy_and_stage() -> None:
    figure = stage_bars(BARS, LABELS)
    # A stage at which nothing was lost has no part.
    assert [trace.name for trace in figure.data] == ["cut", "delivered"]
    cut, delivered = figure.data
    assert list(cut.x) == [2, 0] and list(delivered.x) == [8, 10]
    assert list(cut.text) == ["2", ""]
    assert [list(c) for c in delivered.customdata] == [[0, "delivered"], [1, "delivered"]]
    assert figure.layout.barmode == "stack"


def test_the_first_strategy_stands_on_top_and_names_are_literal() -> None:
    axis = stage_bars(BARS, LABELS).layout.yaxis
    assert axis.autorange == "reversed"
    assert list(axis.ticktext) == ["hybrid &lt;b&gt;", "bm25"]


def test_a_stage_keeps_its_colour_whatever_else_is_lost() -> None:
    def colours(bars: list[StageBar], dark: bool) -> dict[str, str]:
        figure = stage_bars(bars, LABELS, theme=Theme(dark=dark))
        return {trace.name: trace.marker.color for trace in figure.data}

    for dark in (False, True):
        whole = colours([StageBar("a", {"cut": 1, "below_k": 1, "delivered": 1})], dark)
        assert len(set(whole.values())) == 3
        some = colours([StageBar("a", {"below_k": 1, "delivered": 1})], dark)
        assert some == {name: whole[name] for name in some}
    assert colours(BARS, False) != colours(BARS, True)


def test_failed_searches_have_a_part_and_leave_the_colours_of_the_stages() -> None:
    counts = {"cut": 1, "below_k": 1, "delivered": 1}
    alone = {t.name: t.marker.color for t in stage_bars([StageBar("a", counts)], LABELS).data}
    labels = {FAILED: "search failed", **LABELS}
    drawn = stage_bars([StageBar("a", {FAILED: 3, **counts})], labels).data
    assert [(t.name, list(t.x)) for t in drawn][0] == ("search failed", [3])
    colours = {t.name: t.marker.color for t in drawn}
    assert colours.pop("search failed") not in colours.values()
    assert colours == alone


def test_without_questions_there_are_no_parts() -> None:
    assert not stage_bars([StageBar("a", {})], LABELS).data
