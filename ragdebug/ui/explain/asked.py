"""What is explained: a query, a strategy, and one or two chunks of its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdebug.records import Chunk, Place, Trace
from ragdebug.settings import StrategySettings

if TYPE_CHECKING:
    from ragdebug.workbench.explanations import IndexedText

BM25, VECTOR, FUSION, RERANK = "BM25", "Vector", "Fusion", "Reranker"
KINDS = (RERANK, FUSION, VECTOR, BM25)
_KINDS = {
    "vector": (VECTOR,),
    "bm25": (BM25,),
    "hybrid": (FUSION, VECTOR, BM25),
    "reranked": KINDS,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A search whose hits are explained.

    Attributes:
        trace: of that search, so that nothing is searched again; None where there is none.
        places: of the expected passage.
    """

    query: str
    strategy: StrategySettings
    trace: Trace | None = None
    places: tuple[Place, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The explanations there are for this strategy, the most telling first."""
        return _KINDS[self.strategy.preset]


@dataclass(frozen=True, slots=True)
class Subject:
    """A chunk that is explained. `title` is a few words of our own, such as ``#3``."""

    title: str
    row: int
    chunk: Chunk


def evidence_in(asked: Asked, subject: Subject, indexed: IndexedText) -> list[tuple[int, int]]:
    """Where the expected passage stands in the text that is indexed for a chunk."""
    chunk = subject.chunk
    if indexed.text[indexed.body :] != chunk.text:
        return []  # it is found by another span than the one that is shown
    shift = indexed.body - chunk.start
    return [
        (max(p.start, chunk.start) + shift, min(p.end, chunk.end) + shift)
        for p in asked.places
        if (p.document, p.version) == (chunk.document, chunk.version)
        and not p.region
        and p.start < chunk.end
        and p.end > chunk.start
    ]
