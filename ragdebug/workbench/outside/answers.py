"""What another system answered to some queries, before its hits are placed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ragdebug.pieces import GivenPiece
from ragdebug.settings import fingerprint
from ragdebug.store.result_lists import ReturnedList, ReturnedPiece


@dataclass(frozen=True, slots=True)
class ReturnedHit:
    """One hit: whatever of text, source, id, offsets and page was returned, and its score.

    `score` is NaN where none was returned.
    """

    piece: GivenPiece
    score: float = math.nan


@dataclass(frozen=True, slots=True)
class Answer:
    """What was returned for one query, best first.

    Attributes:
        query: its text; "" where only the question's id is known.
        question: id of the question it was asked for, "" when unknown.
        elapsed_s: seconds it took, NaN when unknown.
        error: why there is no answer, "" when there is one, even an empty one.
    """

    query: str
    hits: tuple[ReturnedHit, ...]
    question: str = ""
    elapsed_s: float = math.nan
    error: str = ""


def gather(answers: Sequence[Answer]) -> tuple[tuple[GivenPiece, ...], list[ReturnedList]]:
    """Every distinct piece once, in the order of first appearance, and the lists over them.

    The same piece twice in one list counts at its better rank.
    """
    at: dict[str, int] = {}
    pieces: list[GivenPiece] = []
    lists = []
    for answer in answers:
        hits: dict[int, ReturnedPiece] = {}
        for hit in answer.hits:
            p = hit.piece
            key = fingerprint([p.text, p.source, p.id, p.page, p.start, p.end])
            if key not in at:
                at[key] = len(pieces)
                pieces.append(p)
            hits.setdefault(at[key], ReturnedPiece(at[key], hit.score))
        lists.append(
            ReturnedList(answer.query, tuple(hits.values()), answer.question, answer.elapsed_s)
        )
    return tuple(pieces), lists
