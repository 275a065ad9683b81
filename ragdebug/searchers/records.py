"""What a searcher answered, as far as it was understood."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ragdebug.pieces import GivenPiece

MOST_HITS = 100  # read of an answer, where no more were asked for; lists are measured that deep


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One hit. `score` is NaN where it has none."""

    piece: GivenPiece
    score: float = math.nan


@dataclass(frozen=True, slots=True)
class Understood:
    """The hits in an answer.

    Attributes:
        hits: in the order of the answer.
        returned: how many there were; -1 where they were not counted.
        where: path of the list of hits in the answer; "" when it is the answer itself.
        fields: role -> where in a hit it was found.
        unused: what else the hits hold.
        notes: what a person should know.
    """

    hits: tuple[FoundHit, ...]
    returned: int
    where: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        value: as it came, cut to the hits that are read.
        understood: its hits.
        elapsed_s: seconds until it was there.
        filtered: whether the searcher was told the filter.
    """

    value: Any
    understood: Understood
    elapsed_s: float
    filtered: bool


class Searcher(Protocol):
    """Somebody's own search, ready to be asked. Threads may share it."""

    def ask(self, query: str, k: int, pairs: Sequence[tuple[str, str]]) -> Reply:
        """Hits of a query, best first.

        Args:
            query: its text.
            k: how many are wanted.
            pairs: the filter, as (key, value).

        Raises:
            RagDebugError: there is no answer, or it is not understood.
        """
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...
