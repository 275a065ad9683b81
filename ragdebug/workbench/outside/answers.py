"""What another system answered to some queries, before its hits are placed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragdebug.model_files import well_formed
from ragdebug.pieces import GivenPiece
from ragdebug.settings import fingerprint
from ragdebug.store.result_lists import ReturnedList, ReturnedPiece


@dataclass(frozen=True, slots=True)
class ReturnedHit:
    """One hit: whatever of text, source, id, offsets and page was returned, and its score.

    `score` is NaN where none was returned. Halves of characters, which JSON can spell and nothing
    here can keep, become U+FFFD.
    """

    piece: GivenPiece
    score: float = math.nan

    def __post_init__(self) -> None:
        p = self.piece
        words = [p.text, p.source, p.id, *p.metadata, *p.metadata.values()]
        if any(well_formed(word) != word for word in words):
            said = {well_formed(k): well_formed(v) for k, v in p.metadata.items()}
            text, source, own = map(well_formed, words[:3])
            made = replace(p, text=text, source=source, id=own, metadata=said)
            object.__setattr__(self, "piece", made)


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "query", well_formed(self.query))
        object.__setattr__(self, "question", well_formed(self.question))


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
