"""Which documents a check looks at: all, or some drawn at random where that would take long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragdebug.counting import many
from ragdebug.records import DocumentInfo


@dataclass(frozen=True, slots=True)
class Sample:
    """Documents that are looked at, by source; `total` is how many there are."""

    documents: tuple[DocumentInfo, ...]
    total: int

    @property
    def whole(self) -> bool:
        """Whether every document is in it."""
        return len(self.documents) == self.total

    @property
    def said(self) -> str:
        """`` Looked at in 300 of 12,000 documents, drawn at random.``; "" for all of them."""
        if self.whole:
            return ""
        looked = len(self.documents)
        return f" Looked at in {looked:,} of {many(self.total, 'document')}, drawn at random."


def draw(infos: Sequence[DocumentInfo], chars: int, seed: int = 0) -> Sample:
    """Documents of together about `chars` characters; the same ones for the same corpus.

    Whole documents, since reading one costs the same for a chunk of it as for all of them.
    """
    order = np.random.default_rng(seed).permutation(len(infos)).tolist()
    if sum(d.chars for d in infos) <= chars:
        return Sample(tuple(infos), len(infos))
    drawn: list[int] = []
    left = chars
    for at in order:
        if infos[at].chars <= left:
            drawn.append(at)
            left -= infos[at].chars
        if left < chars // 100:
            break
    drawn = drawn or [min(order, key=lambda at: infos[at].chars)]
    return Sample(tuple(infos[at] for at in sorted(drawn)), len(infos))
