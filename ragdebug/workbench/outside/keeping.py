"""Answers of a searcher with what is to be said of them, in memory and as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ragdebug.errors import RagDebugError
from ragdebug.pieces import GivenPiece
from ragdebug.searchers import Reply
from ragdebug.workbench.outside.answers import Answer, ReturnedHit


@dataclass(frozen=True, slots=True)
class Asked:
    """What came back for one query.

    Attributes:
        answer: its hits.
        notes: what to know about it.
        error: why there are none.
    """

    answer: Answer
    notes: tuple[str, ...] = ()
    error: RagDebugError | None = None

    @classmethod
    def of(cls, query: str, reply: Reply) -> Asked:
        """What a searcher replied."""
        hits = tuple(ReturnedHit(h.piece, h.score) for h in reply.understood.hits)
        return cls(Answer(query, hits, elapsed_s=reply.elapsed_s), reply.understood.notes)


def as_kept(one: Asked) -> dict[str, Any]:
    """An answer as JSON holds it."""
    hits = [
        {**asdict(h.piece), "metadata": dict(h.piece.metadata)}
        | {"score": h.score if math.isfinite(h.score) else None}
        for h in one.answer.hits
    ]
    return {"elapsed_s": one.answer.elapsed_s, "notes": list(one.notes), "hits": hits}


def from_kept(query: str, value: Mapping[str, Any]) -> Asked:
    """Read `as_kept`."""
    hits = []
    for hit in value["hits"]:
        score = hit.pop("score")
        hits.append(ReturnedHit(GivenPiece(**hit), math.nan if score is None else score))
    answer = Answer(query, tuple(hits), elapsed_s=value["elapsed_s"])
    return Asked(answer, tuple(value["notes"]))
