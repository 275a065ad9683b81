"""What has to be known of a place to say where it was lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """One place under one strategy. Ranks start at 1, None where a list does not hold the place.

    A rank is the smallest r such that the first r chunks of a list hold the place together; for a
    question about whole documents it counts documents.

    Attributes:
        in_corpus: the place stands in the present text of an active document.
        seen: another reader, or a person, finds it in the file although the text has it not.
        allowed: the filter lets its document through.
        whole: one chunk holds it.
        read: the embedding model reads it in one of the chunks that hold it.
        parts: how many hits of another system's list hold some of it; not counted for others.
        candidate: the lists hold it within their depth.
        lists: rank in each list that goes into fusion, within its depth; empty without fusion.
        in_pool: it is among what the reranker scores.
        ranked: rank in the strategy's last list.
        admitted: the same after the minimum score.
        tokens: size of the context once it is in it, label counted; -1 when never, and where the
            strategy has no budget.
    """

    in_corpus: bool
    seen: bool = False
    allowed: bool = True
    whole: bool = False
    read: bool = True
    parts: int = 0
    candidate: bool = False
    lists: Mapping[str, int | None] = field(default_factory=dict)
    in_pool: bool = False
    ranked: int | None = None
    admitted: int | None = None
    tokens: int = -1
