from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ragdebug.models import late_interaction
from ragdebug.models.late_interaction import LateInteraction, maxsim
from ragdebug.protocols import ModelInfo, Vectors

INFO = ModelInfo("late-interaction", "reranker", "f", window=8, special_tokens=2)
EAST, NORTH, BETWEEN = [1.0, 0.0], [0.0, 1.0], [0.6, 0.8]
WORDS = {"east": EAST, "north": NORTH, "between": BETWEEN}


class Words:
    """A token model of three words; counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def token_vectors(self, texts: Sequence[str]) -> list[Vectors]:
        self.asked.append(list(texts))
        return [rows(*text.split()) for text in texts]

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def rows(*words: str) -> Vectors:
    return np.array([WORDS[w] for w in words], np.float32).reshape(-1, 2)


def test_each_query_token_takes_its_best_partner() -> None:
    # east: max(1, 0.6) = 1; north: max(0, 0.8) = 0.8
    assert maxsim(rows("east", "north"), rows("east", "between")) == pytest.approx((1 + 0.8) / 2)


def test_the_mean_keeps_scores_of_short_and_long_queries_comparable() -> None:
    text = rows("between")
    assert maxsim(rows("east"), text) == pytest.approx(0.6)
    assert maxsim(rows("east", "east", "east"), text) == pytest.approx(0.6)


def test_a_text_without_tokens_is_last_and_a_query_without_any_says_nothing() -> None:
    assert maxsim(rows("east"), rows()) == -1
    assert maxsim(rows(), rows("east")) == 0
    assert maxsim(rows(), rows()) == 0


def test_scores_come_in_the_order_of_the_texts() -> None:
    scorer = LateInteraction(INFO, Words())
    scores = scorer.score("east", ["north", "east north", "", "between"])
    assert scores.dtype == np.float64
    assert scores == pytest.approx([0, 1, -1, 0.6])
    assert scorer.score_kind == "maxsim"
    assert scorer.score("east", []).shape == (0,)


def test_texts_seen_before_are_not_read_again() -> None:
    model = Words()
    scorer = LateInteraction(INFO, model)
    scorer.score("east", ["north", "between", "north"])
    scorer.score("north", ["between", "east", "north"])
    assert model.asked == [["east"], ["north", "between"], ["north"], ["east"]]


def test_what_is_remembered_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_interaction, "REMEMBERED_TOKENS", 3)
    model = Words()
    scorer = LateInteraction(INFO, model)
    texts = ["north", "north east", "east between", "east"]
    first = scorer.score("east", texts)
    assert scorer._tokens <= 3
    assert sum(len(v) for v in scorer._known.values()) == scorer._tokens
    assert scorer.score("east", texts) == pytest.approx(first)


def test_a_text_longer_than_the_window_shows_in_its_length() -> None:
    scorer = LateInteraction(INFO, Words())
    assert scorer.lengths("east", ["north", "north " * 10]) == [3, 12]


def test_a_query_longer_than_the_window_shows_too() -> None:
    assert LateInteraction(INFO, Words()).lengths("east " * 9, ["north"]) == [11]
