"""What a part of a text is worth to a score: how far the score falls when the part is left out.

The weights do not add up to the score: what two sentences say twice is worth nothing in each.

Zeiler and Fergus: Visualizing and Understanding Convolutional Networks. ECCV 2014 (occlusion, there
of pictures); Li, Monroe, Jurafsky: Understanding Neural Networks through Representation Erasure.
2016 (of words).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

AT_ONCE = 32  # texts a call, so that the first weights are soon there

Score = Callable[[Sequence[str]], NDArray[np.float64]]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the text, as code points.

    `weight` is the score of the text less the score without the part; None while it is not known.
    """

    start: int
    end: int
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class Occlusion:
    """The weights so far.

    Attributes:
        score: of the whole text.
        parts: in the order given.
        done: how many of them are known.
        total: how many will be known: those that are read.
    """

    score: float
    parts: tuple[Part, ...]
    done: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether every weight is known that will be."""
        return self.done == self.total

    @property
    def heaviest(self) -> Part | None:
        """The known part of the largest weight, None when no part is known."""
        known = [p for p in self.parts if p.weight is not None]
        return max(known, key=lambda p: p.weight or 0.0) if known else None


def occlude(
    text: str,
    spans: Sequence[Span],
    score: Score,
    *,
    end: int | None = None,
    at_once: int = AT_ONCE,
) -> Iterator[Occlusion]:
    """Leave out one part after the other, in order.

    Args:
        text: what was scored.
        spans: its parts, in order; blanks around them stay in the text.
        score: gives a score for each of some texts.
        end: where the model stops reading. What stands beyond never comes in when a part is left
            out, and parts beyond get no weight.
        at_once: most texts of a call, 2 or more.

    Yields:
        After each call, all weights known so far; at least once.
    """
    if at_once < 2:
        raise ValueError(f"at_once is {at_once}; it must be 2 or more.")
    end = len(text) if end is None else end
    read = [(a, min(b, end)) for a, b in spans if a < end]
    without = [text[:a] + text[b:end] for a, b in read]
    first = np.asarray(score([text, *without[: at_once - 1]]), np.float64)
    whole = float(first[0])
    weights = (whole - first[1:]).tolist()
    yield _so_far(whole, spans, weights, len(read))
    while len(weights) < len(read):
        some = np.asarray(score(without[len(weights) : len(weights) + at_once]), np.float64)
        weights += (whole - some).tolist()
        yield _so_far(whole, spans, weights, len(read))


def _so_far(whole: float, spans: Sequence[Span], weights: Sequence[float], total: int) -> Occlusion:
    known = dict(enumerate(weights))
    parts = tuple(Part(a, b, known.get(i)) for i, (a, b) in enumerate(spans))
    return Occlusion(whole, parts, len(weights), total)
