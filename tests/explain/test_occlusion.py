"""What a part is worth: whole score less the score without it, a few texts at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from ragdebug.explain import AT_ONCE, occlude, word_spans

WORDS = {"boat": 3.0, "green": 1.0, "tide": 0.5}


class Scorer:
    """Adds up what words are worth, each once, and remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.calls.append(list(texts))
        return np.array([sum(w for word, w in WORDS.items() if word in t) for t in texts])


def spans(text: str, *parts: str) -> list[tuple[int, int]]:
    return [(text.index(p), text.index(p) + len(p)) for p in parts]


def test_a_weight_is_what_the_score_loses_without_the_part() -> None:
    text = "A green boat. The tide comes. A boat leaves."
    parts = spans(text, "A green boat.", "The tide comes.", "A boat leaves.")
    *_, last = occlude(text, parts, Scorer())
    assert last.score == 4.5
    # The boat stands twice, so that leaving out one of its sentences costs nothing for it.
    assert [p.weight for p in last.parts] == [1.0, 0.5, 0.0]
    assert [(p.start, p.end) for p in last.parts] == parts
    assert last.heaviest == last.parts[0]


def test_no_call_is_larger_than_its_limit_and_each_brings_some_weights() -> None:
    text = " ".join(f"word{n}" for n in range(100))
    scorer = Scorer()
    found = list(occlude(text, word_spans(text), scorer))
    assert [len(call) for call in scorer.calls] == [32, 32, 32, 5]
    assert AT_ONCE == 32
    assert [o.done for o in found] == [31, 63, 95, 100]
    assert [sum(p.weight is not None for p in o.parts) for o in found] == [31, 63, 95, 100]
    assert [o.complete for o in found] == [False, False, False, True]


def test_nothing_more_is_computed_than_is_asked_for() -> None:
    text = " ".join(f"word{n}" for n in range(100))
    scorer = Scorer()
    next(occlude(text, word_spans(text), scorer))
    assert len(scorer.calls) == 1


def test_a_part_beyond_the_window_has_no_weight_and_never_comes_in() -> None:
    text = "A green thing. The tide. A boat leaves."
    parts = spans(text, "A green thing.", "The tide.", "A boat leaves.")
    scorer = Scorer()
    *_, last = occlude(text, parts, scorer, end=text.index(" A boat"))
    assert [p.weight for p in last.parts] == [4.5 - 0.5, 4.5 - 1.0, None]
    assert (last.done, last.total, last.complete) == (2, 2, True)
    assert not any("boat" in t for t in scorer.calls[0][1:])


def test_a_part_that_the_window_cuts_is_left_out_as_far_as_it_is_read() -> None:
    text = "A green boat."
    scorer = Scorer()
    *_, last = occlude(text, [(0, len(text))], scorer, end=7)
    assert scorer.calls == [[text, ""]]
    assert last.parts[0].weight == 4.0


def test_a_text_without_parts_still_has_its_score() -> None:
    (only,) = occlude("boat", [], Scorer())
    assert (only.score, only.parts, only.complete, only.heaviest) == (3.0, (), True, None)


def test_a_limit_below_two_is_refused() -> None:
    with pytest.raises(ValueError, match="2 or more"):
        next(occlude("boat", [], Scorer(), at_once=1))
