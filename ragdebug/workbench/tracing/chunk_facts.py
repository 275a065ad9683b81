"""What is known of one chunk that holds some of a place, and what a model reads of it."""

from __future__ import annotations

from collections.abc import Callable

from ragdebug.diagnose.holding import Held, read_share
from ragdebug.protocols import ModelInfo, TokenCounter
from ragdebug.records import Place, RankedList, Span
from ragdebug.table import ChunkTable
from ragdebug.workbench.tracing.reports import ChunkFacts
from ragdebug.workbench.tracing.standing import Standing


class Reads:
    """How far an embedding model reads each chunk of a table.

    Args:
        table: the chunks.
        model: its window counts; None where no vectors are used.
        counter: its tokenizer, asked for only where it is needed.
    """

    def __init__(
        self,
        table: ChunkTable,
        model: ModelInfo | None,
        counter: Callable[[str], TokenCounter],
    ) -> None:
        self._table = table
        self._model = model
        self._counter = counter
        self._known: dict[int, tuple[int, int]] = {}

    @property
    def limited(self) -> bool:
        """Whether there is a window at all."""
        return self.room is not None

    @property
    def room(self) -> int | None:
        """Tokens of a text that the model reads; None where nothing limits it."""
        if self._model is None or not self._model.window:
            return None
        return self._model.window - self._model.special_tokens

    def tokens(self, row: int) -> int:
        """Tokens of a chunk's index text; 0 without a model."""
        return self._of(row)[0]

    def read_to(self, row: int) -> int:
        """Position in the document up to which the model reads a chunk."""
        return self._of(row)[1]

    def share(self, row: int, place: Place, text: str) -> float:
        """Share of a place that the model reads in one chunk, 0 to 1."""
        first = int(self._table.spans[row, 0])
        return read_share(text, place.start, place.end, first, self.read_to(row))

    def _of(self, row: int) -> tuple[int, int]:
        if row not in self._known:
            self._known[row] = self._count(row)
        return self._known[row]

    def _count(self, row: int) -> tuple[int, int]:
        start, end = self._table.spans[row].tolist()
        if self._model is None:
            return 0, end
        index_text = self._table.index_text(row)
        counter = self._counter(self._model.name)
        tokens, room = counter.count(index_text), self.room
        if room is None or tokens <= room or start < 0:
            return tokens, end
        if self._table.given_text(row) is not None:  # other blanks than the document's
            read = int(counter.offsets(index_text)[room - 1, 1]) / len(index_text)
            return tokens, start + int((end - start) * read)
        inner_start, inner_end = self._table.index_spans[row].tolist()
        if inner_start < 0:
            inner_start, inner_end = start, end
        # The document's own text is the end of what is indexed.
        before = len(index_text) - (inner_end - inner_start)
        last = int(counter.offsets(index_text)[room - 1, 1])
        return tokens, min(end, max(start, inner_start + last - before))


def chunk_facts(
    row: int, held: Held, place: Place, text: str, standing: Standing, reads: Reads
) -> ChunkFacts:
    """One chunk with its ranks, scores and gaps in all lists of a strategy."""
    table, strategy = standing.resources.table, standing.strategy
    start, end = table.spans[row].tolist()
    coverage = held.share(row)
    ranks: dict[str, int | None] = {}
    scores: dict[str, float | None] = {}
    gap: dict[str, float | None] = {}
    last: dict[str, int] = {}
    for name, whole in standing.over_all.items():
        ranks[name], scores[name] = whole.rank(row), whole.score(row)
        admitted = standing.depth if standing.fused is not None else strategy.k
        gap[name] = _gap(whole.listed, admitted, ranks[name], scores[name])
        last[name] = min(admitted, len(whole.listed))
    fused = standing.fused
    if fused is not None:
        rank = fused.rank_of(row)
        ranks["fused"] = rank
        scores["fused"] = None if rank is None else float(fused.scores[rank - 1])
        admitted = strategy.rerank.pool if standing.reranked is not None else strategy.k
        gap["fused"] = _gap(fused, admitted, rank, scores["fused"])
        last["fused"] = min(admitted, len(fused))
        if rank is None:
            ranks["fused_whole"] = standing.fused_whole_rank(row)
    would = None
    made = standing.reranked
    if made is not None:
        pool = len(standing.pool)
        rank = made.rank_of(row)
        ranks["reranked"] = rank if rank is not None and rank <= pool else None
        if ranks["reranked"] is not None and rank is not None:
            would, scores["reranked"] = rank, float(made.scores[rank - 1])
        else:
            beside = standing.in_pool_too(row)
            would, scores["reranked"] = beside or (None, None)
        gap["reranked"] = _gap(made, strategy.k, would, scores["reranked"])
        last["reranked"] = min(strategy.k, pool)
    return ChunkFacts(
        id=table.chunk_id(row),
        row=row,
        span=Span(start, end),
        coverage=coverage,
        ranks=ranks,
        scores=scores,
        gap=gap,
        would_rank=would,
        tokens=reads.tokens(row),
        window=reads.room,
        read_to=reads.read_to(row),
        seen=coverage if place.region else reads.share(row, place, text),
        whole=row in held.whole,
        admitted=last,
    )


def _gap(listed: RankedList, admitted: int, rank: int | None, score: float | None) -> float | None:
    """Score of the last one admitted less that of a chunk; 0 when it is admitted itself."""
    if rank is not None and rank <= admitted:
        return 0.0
    last = min(admitted, len(listed))
    if score is None or not last:
        return None
    gap = float(listed.scores[last - 1]) - score
    return max(0.0, gap) if gap == gap else None  # of another system's list some have no score
