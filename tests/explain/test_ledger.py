"""Shares of a fused score, and the smallest change that lets a row in, against fusing itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.explain import Change, Ranks, admissions, ledger
from ragdebug.fuse.run import fuse
from ragdebug.records import RankedList
from ragdebug.settings import FusionSettings


def ranked(name: str, rows: list[int], depth: int | None = None) -> RankedList:
    scores = np.linspace(1.0, 0.1, len(rows)) ** 2
    shown = len(rows) if depth is None else min(depth, len(rows))
    return RankedList(
        name, "cosine" if name == "vector" else "bm25",
        np.array(rows[:shown], np.int64), scores[:shown], shown if depth is None else depth, 99,
    )  # fmt: skip


def rank_by_fusing(
    lists: list[list[int]], row: int, settings: FusionSettings, depth: int
) -> int | None:
    cut = [ranked(n, rows, depth) for n, rows in zip(("vector", "bm25"), lists, strict=True)]
    fused, _ = fuse(cut, settings, depth=depth)
    return fused.rank_of(row)


def test_shares_are_reciprocal_ranks_and_add_up() -> None:
    lists = [ranked("vector", [4, 7, 1]), ranked("bm25", [7, 9])]
    settings = FusionSettings("rrf", 60, (("bm25", 2.0),))
    fused, shares = fuse(lists, settings, depth=9)
    made = ledger(7, lists, fused, shares[7], settings)
    vector, bm25 = made.entries
    assert (vector.rank, vector.weight, vector.unit, vector.share) == (2, 1.0, 1 / 62, 1 / 62)
    assert (bm25.rank, bm25.weight, bm25.unit, bm25.share) == (1, 2.0, 1 / 61, 2 / 61)
    assert made.score == pytest.approx(1 / 62 + 2 / 61)
    assert (made.rank, made.of) == (1, 4)


def test_a_list_that_does_not_hold_it_says_how_deep_it_went_and_where_it_stands_beyond() -> None:
    lists = [ranked("vector", [4, 7]), ranked("bm25", [9, 8], depth=2)]
    fused, shares = fuse(lists, FusionSettings(), depth=9)
    made = ledger(4, lists, fused, shares[4], FusionSettings(), {"bm25": 41})
    bm25 = made.entries[1]
    assert (bm25.rank, bm25.depth, bm25.share, bm25.far_rank, bm25.far_known) == (
        *(None, 2, 0.0),
        *(41, True),
    )
    assert not ledger(4, lists, fused, shares[4], FusionSettings()).entries[1].far_known


@pytest.mark.parametrize("method", ["rrf", "weighted"])
def test_a_unit_times_its_weight_is_the_share(method: str) -> None:
    lists = [ranked("vector", [4, 7, 1]), ranked("bm25", [7, 9, 4])]
    settings = FusionSettings(method, 10, (("vector", 0.3),))
    fused, shares = fuse(lists, settings, depth=9)
    for row, score in fused:
        made = ledger(row, lists, fused, shares[row], settings)
        assert made.score == pytest.approx(score, abs=1e-12)
        assert all(e.share == pytest.approx(e.weight * e.unit) for e in made.entries)


# The smallest change ------------------------------------------------------------------------------


def changes_of(
    lists: list[list[int]], row: int, settings: FusionSettings, depth: int, admitted: int
) -> dict[str, Change]:
    full = [ranked(n, rows) for n, rows in zip(("vector", "bm25"), lists, strict=True)]
    found = admissions(Ranks(full, depth), row, settings, admitted)
    return {c.list or c.knob: c for c in found}


def test_a_weight_that_lets_the_first_of_one_list_in() -> None:
    # Row 9 is first in BM25 alone, rows 1 and 2 stand in both lists.
    lists = [[1, 2, 3], [9, 1, 2]]
    settings = FusionSettings("rrf", 60)
    assert rank_by_fusing(lists, 9, settings, 3) == 3
    found = changes_of(lists, 9, settings, depth=3, admitted=1)
    # 1/61 w > 1/61 + 1/62 w, so w > 62 (1.00 + 61 is the first that is larger by hand).
    assert found["bm25"].after == pytest.approx(62.01)
    assert found["bm25"].rank == 1
    # The vector list would have to be worth less than 1/61 - 1/62 of 1/61 each.
    assert found["vector"].after == pytest.approx(0.01)


def test_a_larger_depth_lets_in_what_stands_just_beyond() -> None:
    lists = [[1, 2, 5], [3, 4, 5]]
    settings = FusionSettings("rrf", 60)
    assert rank_by_fusing(lists, 5, settings, 2) is None
    found = changes_of(lists, 5, settings, depth=2, admitted=1)
    assert (found["depth"].after, found["depth"].rank) == (3, 1)
    assert found["rrf_k"].after is None
    assert found["vector"].after is found["bm25"].after is None


def test_a_row_in_no_list_is_let_in_by_nothing() -> None:
    found = changes_of([[1, 2], [2, 3]], 8, FusionSettings(), depth=2, admitted=1)
    assert {c.after for c in found.values()} == {None}


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[list[int]], int, FusionSettings, int, int]:
    one = draw(st.permutations(range(9)))
    other = draw(st.permutations(range(4, 12)))
    settings = FusionSettings(
        draw(st.sampled_from(["rrf", "weighted"])),
        draw(st.integers(0, 80)),
        (("bm25", draw(st.sampled_from([0.5, 1.0, 3.0]))),),
    )
    depth = draw(st.integers(1, 8))
    lists = [list(one), list(other)]
    return lists, draw(st.integers(0, 11)), settings, depth, draw(st.integers(1, 4))


@given(cases())
def test_ranks_are_those_of_the_fusion(
    case: tuple[list[list[int]], int, FusionSettings, int, int],
) -> None:
    lists, row, settings, depth, _ = case
    full = [ranked(n, rows) for n, rows in zip(("vector", "bm25"), lists, strict=True)]
    weights = [settings.weight("vector"), settings.weight("bm25")]
    found = Ranks(full, 99).rank(row, settings, depth, weights)
    assert found == rank_by_fusing(lists, row, settings, depth)


@given(cases())
def test_a_named_change_lets_the_row_in_and_no_smaller_one_does(
    case: tuple[list[list[int]], int, FusionSettings, int, int],
) -> None:
    lists, row, settings, depth, admitted = case
    if (rank_by_fusing(lists, row, settings, depth) or 99) <= admitted:
        return
    found = changes_of(lists, row, settings, depth, admitted)

    def admits(changed: FusionSettings, at: int = depth) -> bool:
        return (rank_by_fusing(lists, row, changed, at) or 99) <= admitted

    def with_weight(name: str, weight: float) -> FusionSettings:
        given = {n: settings.weight(n) for n in ("vector", "bm25")} | {name: weight}
        return FusionSettings(settings.method, settings.k, tuple(given.items()))

    for name in ("vector", "bm25"):
        change = found[name]
        if change.after is not None:
            assert admits(with_weight(name, change.after))
        far = 99.0 if change.after is None else abs(change.after - change.before) - 0.021
        nearer = [w / 20 for w in range(1, 200) if abs(w / 20 - change.before) < far]
        assert not any(admits(with_weight(name, w)) for w in nearer)

    change = found["depth"]
    depths = [d for d in range(1, 10) if admits(settings, d)]
    assert change.after == min(depths, key=lambda d: (abs(d - depth), d), default=None)
    if settings.method == "rrf":
        ks = [k for k in range(200) if admits(FusionSettings("rrf", k, settings.weights))]
        best = min(ks, key=lambda k: (abs(k - settings.k), k), default=None)
        if best is not None:
            assert found["rrf_k"].after == best
        else:
            assert found["rrf_k"].after is None or found["rrf_k"].after >= 200
