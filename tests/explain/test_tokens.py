"""Words of a query and the words of a text most like them."""

from __future__ import annotations

import numpy as np
import pytest

from ragdebug.explain import best_words, of_words, word_spans


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't pay KW-SEA-0113, ERR_4021!", ["Don't", "pay", "KW-SEA-0113", "ERR_4021"]),
        ("e.g. a@b.org (x)", ["e.g", "a@b.org", "x"]),
        ("北京 has 2", ["北", "京", "has", "2"]),
        ("… —", []),
    ],
)
def test_words_are_spans_of_the_text(text: str, words: list[str]) -> None:
    assert [text[a:b] for a, b in word_spans(text)] == words


def test_words_of_a_piece_count_in_the_whole_text() -> None:
    assert word_spans("one two three", 4, 7) == [(4, 7)]


def test_the_best_word_has_the_largest_cosine_whatever_the_lengths() -> None:
    query = np.array([[2.0, 0.0], [0.0, 1.0]], np.float32)
    text = np.array([[0.0, 9.0], [3.0, 4.0]], np.float32)
    first, second = best_words([(0, 1), (2, 3)], query, [(0, 4), (5, 9)], text)
    assert (first.query, first.text) == ((0, 1), (5, 9))
    assert first.similarity == pytest.approx(0.6)
    assert (second.query, second.text) == ((2, 3), (0, 4))
    assert second.similarity == pytest.approx(1.0)


def test_a_word_that_was_not_read_has_no_match() -> None:
    query = np.array([[0.0, 0.0]], np.float32)
    assert best_words([(0, 1)], query, [(0, 1)], np.ones((1, 2), np.float32)) == ()
    assert best_words([], np.zeros((0, 2), np.float32), [], np.zeros((0, 2), np.float32)) == ()


def test_a_word_of_several_tokens_has_the_mean_of_their_vectors() -> None:
    tokens = np.array([[0, 4], [4, 6], [7, 9]])
    vectors = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)  # the third token was not read
    made = of_words([(0, 6), (7, 9)], tokens, vectors)
    assert made.tolist() == [[0.5, 0.5], [0.0, 0.0]]
