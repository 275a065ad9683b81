"""The reranker that changes nothing, to compare others with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.protocols import ModelInfo


class Identity:
    """Scores every pair alike, so that the first order stands."""

    score_kind = "identity"

    def __init__(self, info: ModelInfo) -> None:
        self.info = info

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n,), all 0."""
        return np.zeros(len(texts))

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        """All 0."""
        return (np.zeros(len(asked)) for asked in wanted)

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        """Nothing is read, so nothing is too long: all 0."""
        return [0] * len(texts)
