"""Which word of a text is most like each word of a query, by the vectors of their tokens.

A model of sentences compares whole texts; that two words are alike is a hint, not a part of the
score.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.protocols import Vectors

Span = tuple[int, int]

# A word with what may stand inside it; each character alone where words are not set apart.
_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[^\W_]+(?:['’._\-/@+][^\W_]+)*"
)


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the query and the word of the text most like it.

    Attributes:
        query: span in the query.
        text: span in the text; its first occurrence where several are as like.
        similarity: cosine, -1 to 1.
    """

    query: Span
    text: Span
    similarity: float


def word_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The words of a piece of a text, as spans of the text."""
    return [m.span() for m in _WORD.finditer(text, start, len(text) if end is None else end)]


def best_words(
    query_words: Sequence[Span],
    query_vectors: Vectors,
    text_words: Sequence[Span],
    text_vectors: Vectors,
) -> tuple[WordMatch, ...]:
    """For each word of the query the most similar one of the text.

    Args:
        query_words: spans in the query.
        query_vectors: shape (words, d), any length; a row of zeros has no match.
        text_words: spans in the text.
        text_vectors: shape (words, d).
    """
    if not len(query_words) or not len(text_words):
        return ()
    similar = _unit(query_vectors) @ _unit(text_vectors).T
    best = similar.argmax(axis=1)
    return tuple(
        WordMatch(word, text_words[at], float(similar[i, at]))
        for i, (word, at) in enumerate(zip(query_words, best.tolist(), strict=True))
        if query_vectors[i].any()
    )


def of_words(words: Sequence[Span], tokens: NDArray[np.int64], vectors: Vectors) -> Vectors:
    """Vectors of words: the mean of their tokens' vectors.

    Args:
        words: spans, in order.
        tokens: shape (t, 2), span of each token, in order.
        vectors: shape (t, d), or fewer rows where the model stops reading earlier.

    Returns:
        Shape (words, d); zeros for a word without a token that was read.
    """
    made = np.zeros((len(words), vectors.shape[1] if vectors.ndim == 2 else 0), np.float32)
    tokens = tokens[: len(vectors)]
    for at, (start, end) in enumerate(words):
        inside = (tokens[:, 0] < end) & (tokens[:, 1] > start)
        if inside.any():
            made[at] = vectors[: len(tokens)][inside].mean(axis=0)
    return made


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    made: Vectors = vectors / np.maximum(lengths, 1e-12)
    return made
