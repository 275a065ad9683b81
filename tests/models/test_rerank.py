from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragdebug.errors import ModelError
from ragdebug.models.identity import Identity
from ragdebug.protocols import ModelInfo
from ragdebug.records import RankedList
from ragdebug.rerank import pool_size, rerank
from ragdebug.settings import RerankSettings

INFO = ModelInfo("toy", "reranker", "toy-1", window=10, special_tokens=3)


class Toy:
    """Scores texts by a table; keeps what it was asked."""

    score_kind = "cross-encoder"

    def __init__(self, table: dict[str, float], info: ModelInfo = INFO) -> None:
        self.info = info
        self.table = table
        self.asked: list[tuple[str, list[str]]] = []

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        self.asked.append((query, list(texts)))
        return np.array([self.table[text] for text in texts])

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        return [len(query.split()) + len(text.split()) + 3 for text in texts]


class Memory:
    """A score cache in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str, str], float] = {}

    def get(self, model: str, query: str, hashes: Sequence[str]) -> dict[str, float]:
        return {h: self.kept[model, query, h] for h in hashes if (model, query, h) in self.kept}

    def put(self, model: str, query: str, scores: dict[str, float]) -> None:
        self.kept.update({(model, query, h): s for h, s in scores.items()})


def first_stage(size: int) -> RankedList:
    """Rows 10, 11, 12, ... with falling scores."""
    rows = np.arange(10, 10 + size, dtype=np.int64)
    return RankedList("hybrid", "rrf", rows, np.linspace(1, 0.1, size), size, 99)


def run(
    table: dict[str, float], pool: int = 20, blend: bool = False
) -> tuple[RankedList, dict[int, tuple[str, ...]]]:
    settings = RerankSettings(model="toy", pool=pool, blend=blend)
    return rerank("q", first_stage(len(table)), list(table), Toy(table), settings)


def test_scores_that_a_sigmoid_would_make_equal_keep_their_order() -> None:
    made, _ = run({"a": 40.0, "b": 41.5, "c": 44.0, "d": 60.0})  # sigmoid: 1.0 each
    assert made.rows.tolist() == [13, 12, 11, 10]
    assert made.scores.tolist() == [60, 44, 41.5, 40]


def test_a_better_text_rises_from_below_k() -> None:
    table = {"a": 0.4, "b": 0.1, "c": 0.7, "d": 0.2, "e": 0.3, "f": 0.9}
    made, _ = run(table, pool=6)
    assert [list(table)[row - 10] for row in made.rows[:3]] == ["f", "c", "a"]
    assert made.depth == pool_size(made) == 6


def test_the_rest_follows_the_pool_in_its_old_order_without_scores() -> None:
    made, _ = run({"a": 1, "b": 3, "c": 2, "d": 9, "e": 8}, pool=3)
    assert made.rows.tolist() == [11, 12, 10, 13, 14]
    assert made.scores[:3].tolist() == [3, 2, 1]
    assert np.isnan(made.scores[3:]).all()
    assert (pool_size(made), made.depth, len(made)) == (3, 3, 5)


def test_texts_after_the_pool_are_not_read() -> None:
    scorer = Toy({"a": 1, "b": 2})
    made, _ = rerank("q", first_stage(5), ["a", "b"], scorer, RerankSettings(pool=2))
    assert made.rows.tolist() == [11, 10, 12, 13, 14]
    assert scorer.asked == [("q", ["a", "b"])]


def test_a_pool_larger_than_the_list_takes_all() -> None:
    made, _ = run({"a": 1, "b": 2}, pool=50)
    assert made.rows.tolist() == [11, 10]
    assert (made.depth, pool_size(made)) == (50, 2)


def test_equal_scores_keep_the_first_order() -> None:
    made, _ = run({"a": 1, "b": 2, "c": 1, "d": 2, "e": 2})
    assert made.rows.tolist() == [11, 13, 14, 10, 12]


def test_nothing_to_rerank_gives_an_empty_list() -> None:
    made, notes = run({})
    assert (len(made), notes) == (0, {})
    assert made.rows.dtype == np.int64


def test_kind_and_what_the_filter_allowed_are_kept() -> None:
    made, _ = run({"a": 1})
    assert (made.name, made.score_kind, made.allowed) == ("reranked", "cross-encoder", 99)
    assert made.elapsed_s >= 0


# Blend --------------------------------------------------------------------------------------------


def test_blending_adds_the_reciprocal_ranks_of_both_orders() -> None:
    # Old ranks 1 2 3, new ranks 3 1 2.
    made, _ = run({"a": 1, "b": 9, "c": 5}, blend=True)
    expected = {10: 1 / 61 + 1 / 63, 11: 1 / 62 + 1 / 61, 12: 1 / 63 + 1 / 62}
    assert made.rows.tolist() == [11, 10, 12]
    assert made.scores == pytest.approx([expected[11], expected[10], expected[12]], abs=1e-15)
    assert made.score_kind == "rrf"


def test_equal_sums_go_by_the_raw_score() -> None:
    # Old ranks 1 2, new ranks 2 1: both sums are 1/61 + 1/62.
    made, _ = run({"a": 1, "b": 9}, blend=True)
    assert made.rows.tolist() == [11, 10]
    assert made.scores[0] == made.scores[1]


def test_blending_still_tells_what_the_reranker_alone_said() -> None:
    _, notes = run({"a": 1, "b": 9}, blend=True)
    assert notes[11] == ("cross-encoder 9.0000, rank 1 by it alone",)
    assert notes[10] == ("cross-encoder 1.0000, rank 2 by it alone",)


# Notes --------------------------------------------------------------------------------------------


def test_a_pair_that_is_cut_says_so_on_its_row() -> None:
    table = {"short": 1.0, "w " * 7: 2.0, "w " * 6: 3.0}
    _, notes = run(table)
    assert notes == {11: ("cut: the model reads 10 of 11 tokens",)}


def test_a_model_without_a_window_cuts_nothing() -> None:
    scorer = Toy({"w " * 900: 1}, ModelInfo("toy", "reranker", "t"))
    _, notes = rerank("q", first_stage(1), ["w " * 900], scorer, RerankSettings())
    assert notes == {}


# Memory -------------------------------------------------------------------------------------------


def test_a_score_is_asked_for_once_per_question_and_text() -> None:
    scorer, cache = Toy({"a": 1, "b": 2, "c": 3}), Memory()
    for texts in (["a", "b"], ["b", "a"], ["c", "b"]):
        rerank("q", first_stage(2), texts, scorer, RerankSettings(), cache)
    assert scorer.asked == [("q", ["a", "b"]), ("q", ["c"])]
    rerank("other", first_stage(1), ["a"], scorer, RerankSettings(), cache)
    assert scorer.asked[-1] == ("other", ["a"])


def test_scores_of_another_model_are_not_taken() -> None:
    cache = Memory()
    rerank("q", first_stage(1), ["a"], Toy({"a": 1}), RerankSettings(), cache)
    other = Toy({"a": 7}, ModelInfo("toy", "reranker", "toy-2"))
    made, _ = rerank("q", first_stage(1), ["a"], other, RerankSettings(), cache)
    assert made.scores.tolist() == [7]


def test_the_same_text_twice_is_scored_once_and_ties() -> None:
    scorer = Toy({"same": 5, "a": 1})
    made, _ = rerank("q", first_stage(3), ["same", "a", "same"], scorer, RerankSettings())
    assert scorer.asked == [("q", ["same", "a"])]
    assert made.rows.tolist() == [10, 12, 11]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_a_score_that_is_no_number_is_refused_and_not_kept(bad: float) -> None:
    cache = Memory()
    with pytest.raises(ModelError, match="1 of 2"):
        scorer = Toy({"a": bad, "b": 1})
        rerank("q", first_stage(2), ["a", "b"], scorer, RerankSettings(), cache)
    assert not cache.kept


def test_too_few_texts_are_our_own_fault() -> None:
    with pytest.raises(ValueError, match="2 candidates"):
        rerank("q", first_stage(2), ["a"], Toy({"a": 1}), RerankSettings())


# Identity -----------------------------------------------------------------------------------------


def test_identity_keeps_order_scores_and_kind() -> None:
    before, cache = first_stage(5), Memory()
    settings = RerankSettings(model="identity", pool=3)
    made, notes = rerank("q", before, list("abc"), Identity(INFO), settings, cache)
    assert made.rows.tolist() == before.rows.tolist()
    assert made.scores[:3].tolist() == before.scores[:3].tolist()
    assert (made.score_kind, notes, cache.kept) == ("rrf", {}, {})


# Properties ---------------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1e-9, 7.0]), max_size=30),
    st.integers(1, 40),
    st.booleans(),
)
def test_no_row_is_lost_and_scores_never_rise(scores: list[float], pool: int, blend: bool) -> None:
    made, _ = run({f"t{i}": score for i, score in enumerate(scores)}, pool, blend)
    size = pool_size(made)
    assert sorted(made.rows.tolist()) == list(range(10, 10 + len(scores)))
    assert set(made.rows[:size].tolist()) == set(range(10, 10 + size))
    assert (np.diff(made.scores[:size]) <= 0).all()
    assert made.rows[size:].tolist() == list(range(10 + size, 10 + len(scores)))
