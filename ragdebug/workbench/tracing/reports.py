"""What tracing returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragdebug.diagnose.stages import DELIVERED, LABELS, STAGES
from ragdebug.records import Place, Span

__all__ = ["DELIVERED", "FAILED", "LABELS", "STAGES", "ChunkFacts", "LostStages", "NeedTrace",
           "PathStep", "PlaceTrace", "WhyReport"]  # fmt: skip

FAILED = "search_failed"  # where a question stands that could not be searched for

# How a place passed a stage.
OK, WARNING, UNKNOWN, LOST, LATER = "ok", "warning", "unknown", "lost", "later"


@dataclass(frozen=True, slots=True)
class PathStep:
    """One stage on the way of a place.

    Attributes:
        stage: one of `STAGES`.
        status: ``ok``; ``warning``, where something is odd and did not decide; ``unknown``, where
            nobody can tell; ``lost``; ``later``, after the stage that lost it.
        facts: what is known there: plain values, lists and mappings.
    """

    stage: str
    status: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What a place has passed there, in a word or two."""
        returned = self.stage == "not_retrieved" and "returned" in self.facts
        return "returned" if returned else LABELS[self.stage]


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """A chunk that holds some of a place.

    Attributes:
        id: of the chunk.
        row: in the chunk table.
        span: in the document.
        coverage: share of the place's non-blank characters inside it, 0 to 1.
        ranks: list name -> rank. ``vector`` and ``bm25`` over all allowed chunks; ``fused`` in what
            the lists gave within their depth; ``fused_whole`` if nothing limited them; ``reranked``
            in the pool. None where the list does not hold it.
        scores: list name -> score; in ``reranked`` also of a chunk that was not in the pool.
        gap: list name -> score of the last one admitted less its own, 0 when it is admitted itself.
        admitted: list name -> rank of the last one admitted.
        would_rank: where it would stand if it were in the reranker's pool; None without one.
        tokens: of its index text, by the embedding model's tokenizer; 0 without vectors.
        window: most tokens that the model reads of a text; None when it has no limit.
        read_to: position in the document up to which the model reads it.
        seen: share of the place's non-blank characters that the model reads in it, 0 to 1.
        whole: it holds the place alone, by the rule of the measures.
    """

    id: str
    row: int
    span: Span
    coverage: float
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    scores: Mapping[str, float | None] = field(default_factory=dict)
    gap: Mapping[str, float | None] = field(default_factory=dict)
    would_rank: int | None = None
    tokens: int = 0
    window: int | None = None
    read_to: int = 0
    seen: float = 0.0
    whole: bool = False
    admitted: Mapping[str, int] = field(default_factory=dict)

    @property
    def beyond(self) -> int:
        """Tokens that the model does not read."""
        return max(0, self.tokens - self.window) if self.window else 0


@dataclass(frozen=True, slots=True)
class PlaceTrace:
    """One place on its way through the stages.

    Attributes:
        place: where; for a quote that stands nowhere, start and end are -1.
        stage: where it was lost, or `DELIVERED`.
        chunks: those that hold some of it, best coverage first, at most 20.
        path: a step for each stage of the strategy.
        facts: reader, page, note and the like.
        total: how many chunks hold some of it.
    """

    place: Place
    stage: str
    chunks: tuple[ChunkFacts, ...] = ()
    path: tuple[PathStep, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    total: int = 0


@dataclass(frozen=True, slots=True)
class NeedTrace:
    """One need: lost at the stage of its place that got furthest.

    `measured` is false where its labels cannot be used, so that Results leaves it out; it then
    decides nothing, unless no need of the question can be measured.
    """

    grade: float
    stage: str
    places: tuple[PlaceTrace, ...]
    measured: bool = True

    @property
    def furthest(self) -> PlaceTrace:
        """The place that decides."""
        return next(p for p in self.places if p.stage == self.stage)


@dataclass(frozen=True, slots=True)
class WhyReport:
    """Where a question was lost under one strategy.

    Attributes:
        query: as it was asked.
        strategy: its text form.
        stage: that of the need that was lost first, of those in `deciding`; `DELIVERED` when all of
            them are delivered.
        path: of that need's place.
        needs: in the order of the question.
        question: its id; "" for a query that is no question.
        chunks: how many chunks there are, and `allowed` that the filter lets through.
        delivered: ids of the chunks that are delivered, best first; `rows` in the chunk table.
        notes: sentences.
        wanted: ids of the documents that answer, also where a passage of theirs stands nowhere.
        returned: ids of the documents of what is delivered, each once.
    """

    query: str
    strategy: str
    stage: str
    path: tuple[PathStep, ...]
    needs: tuple[NeedTrace, ...]
    question: str = ""
    chunks: int = 0
    allowed: int = 0
    delivered: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()

    @property
    def deciding(self) -> tuple[NeedTrace, ...]:
        """The needs that Results measures; all of them where it measures none."""
        return tuple(n for n in self.needs if n.measured) or self.needs

    @property
    def decides(self) -> NeedTrace:
        """The need that was lost first."""
        return next(n for n in self.deciding if n.stage == self.stage)

    @property
    def lost(self) -> bool:
        """Whether something was lost."""
        return self.stage != DELIVERED


@dataclass(frozen=True, slots=True)
class LostStages:
    """How many questions one strategy loses at each stage.

    Attributes:
        strategy: its text form.
        run: id of the kept run whose lists decided what is delivered; "" when none did.
        k: first k that count.
        stages: stage -> question ids, for each stage that the strategy has, in order.
        moved: lost by the run, delivered by a search now: the corpus or the labels changed.
        failed: (question id, why its search failed).
        waiting: ids of questions whose labels wait for a person's yes, and count nowhere.
        partial: ids of questions that stand where some of their needs do: the labels of the others
            cannot be measured with.
        notes: sentences.
    """

    strategy: str
    run: str
    k: int
    stages: Mapping[str, tuple[str, ...]]
    moved: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    waiting: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """Questions that stand at a stage."""
        return sum(len(ids) for ids in self.stages.values())

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """`stages`, with the questions whose search failed before them as `FAILED`."""
        return {FAILED: tuple(q for q, _ in self.failed), **self.stages}

    @property
    def reasons(self) -> dict[str, int]:
        """Why searches failed -> how many, the most frequent first."""
        return dict(Counter(message for _, message in self.failed).most_common())
