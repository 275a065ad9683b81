"""Half of the evidence taken away, in any of the ways it can be lost, never raises a mean."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.questions import Question
from ragdebug.runs import MeasureTable
from tests.evaluate.lists import TEXTS, Span, measured, need, question

FILLER = "pot"  # holds no evidence in these tests
shares = st.sampled_from([0.5, 0.9, 1.0])


@st.composite
def tea_spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, 50))
    return "tea", start, start + draw(st.integers(2, 15))


lists = st.lists(st.lists(tea_spans(), max_size=6, unique=True), min_size=2, max_size=4)
# A need with an even number of places, so that half of them can go.
labelled = st.lists(
    st.lists(st.lists(tea_spans(), min_size=2, max_size=4), min_size=1, max_size=3),
    min_size=4,
    max_size=4,
)


def names(lists_: list[list[Span]]) -> list[str]:
    return [f"q{i}" for i in range(len(lists_))]


def questions(wanted: list[list[list[Span]]]) -> list[Question]:
    return [question(f"q{i}", *(need(*some) for some in ns)) for i, ns in enumerate(wanted)]


def never_higher(after: MeasureTable, before: MeasureTable) -> None:
    for name in before.names:
        if not name.startswith("tokens@"):
            assert after.column(name).mean() <= before.column(name).mean() + 1e-12, name


@given(labelled, lists, shares)
def test_every_second_hit_replaced_by_one_as_long_that_holds_none(
    wanted: list[list[list[Span]]], ranked: list[list[Span]], share: float
) -> None:
    asked = questions(wanted[: len(ranked)])
    emptied = [
        [hit if i % 2 else (FILLER, 3 * i, 3 * i + hit[2] - hit[1]) for i, hit in enumerate(some)]
        for some in ranked
    ]
    before = measured(asked, dict(zip(names(ranked), ranked, strict=True)), share)
    after = measured(asked, dict(zip(names(ranked), emptied, strict=True)), share)
    never_higher(after, before)


@given(labelled, lists, shares)
def test_half_of_the_places_of_every_need_forgotten(
    wanted: list[list[list[Span]]], ranked: list[list[Span]], share: float
) -> None:
    runs = dict(zip(names(ranked), ranked, strict=True))
    half = [[some[: (len(some) + 1) // 2] for some in ns] for ns in wanted]
    before = measured(questions(wanted[: len(ranked)]), runs, share)
    after = measured(questions(half[: len(ranked)]), runs, share)
    never_higher(after, before)


@given(labelled, lists, shares)
def test_every_second_list_lost(
    wanted: list[list[list[Span]]], ranked: list[list[Span]], share: float
) -> None:
    asked = questions(wanted[: len(ranked)])
    lost = [some if i % 2 else [] for i, some in enumerate(ranked)]
    before = measured(asked, dict(zip(names(ranked), ranked, strict=True)), share)
    after = measured(asked, dict(zip(names(ranked), lost, strict=True)), share)
    never_higher(after, before)
    assert len(after.questions) == len(before.questions)


@given(labelled, lists, shares)
def test_the_second_half_of_every_list_cut_off(
    wanted: list[list[list[Span]]], ranked: list[list[Span]], share: float
) -> None:
    # What is asked of the length of the list that there is may rise: shorter lists hold less
    # besides the evidence.
    asked = questions(wanted[: len(ranked)])
    cut = [some[: (len(some) + 1) // 2] for some in ranked]
    before = measured(asked, dict(zip(names(ranked), ranked, strict=True)), share)
    after = measured(asked, dict(zip(names(ranked), cut, strict=True)), share)
    for name in before.names:
        if name.partition("@")[0] in ("hit", "recall", "rr", "ndcg", "ap", "p", "coverage"):
            assert np.all(after.column(name) <= before.column(name) + 1e-12), name


def test_the_filler_holds_no_evidence() -> None:
    assert len(TEXTS[FILLER]) > 3 * 6 + 15
