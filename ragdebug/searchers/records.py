"""What a searcher answered, as far as it was understood."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ragdebug.errors import AnswerNotUnderstood
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
        problem: why no hits could be made of it, None where they could.
    """

    value: Any
    understood: Understood
    elapsed_s: float
    problem: AnswerNotUnderstood | None = None

    @classmethod
    def of(cls, name: str, value: Any, elapsed_s: float, read: Callable[[], Understood]) -> Reply:  # noqa: ANN401
        """A reply with the hits that `read` makes of it, or with the reason why it makes none."""
        try:
            return cls(value, read(), elapsed_s)
        except AnswerNotUnderstood as e:
            message = f"{name}: {e.message[:1].lower()}{e.message[1:]}"
            problem = AnswerNotUnderstood(message, e.title, e.hint)
            return cls(value, Understood((), 0), elapsed_s, problem)


class Searcher(Protocol):
    """Somebody's own search, ready to be asked. Threads may share it.

    Attributes:
        stamp: changes when its code does; 0 where that is not known.
    """

    stamp: float

    @property
    def takes_filter(self) -> bool:
        """Whether it is told the filter, and so has the last word on it."""
        ...

    def ask(self, query: str, k: int, pairs: Sequence[tuple[str, str]]) -> Reply:
        """Hits of a query, best first.

        Args:
            query: its text.
            k: how many are wanted.
            pairs: the filter, as (key, value).

        Raises:
            RagDebugError: there is no answer; one that is not understood has a `problem`.
        """
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...
