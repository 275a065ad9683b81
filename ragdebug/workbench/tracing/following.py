"""One place through the stages of a strategy: its facts, its chunks, its path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.diagnose.decide import applies, decide
from ragdebug.diagnose.facts import PlaceFacts
from ragdebug.diagnose.holding import Held, HeldDocument, HeldPassage
from ragdebug.diagnose.stages import stages_of
from ragdebug.evidence import Coverage
from ragdebug.records import Place, Rows
from ragdebug.workbench.tracing.chunk_facts import Reads, chunk_facts
from ragdebug.workbench.tracing.reports import (
    LATER,
    LOST,
    OK,
    UNKNOWN,
    WARNING,
    ChunkFacts,
    PathStep,
    PlaceTrace,
)
from ragdebug.workbench.tracing.resolving import Resolved
from ragdebug.workbench.tracing.standing import Standing
from ragdebug.workbench.tracing.steps import step_facts

MOST_CHUNKS = 20


class Following:
    """Follows places of one query under one strategy.

    Args:
        standing: its lists.
        text_of: canonical text of (document, version).
        reads: what the embedding model reads of a chunk.
        tokens_of: rows -> tokens in a context, label counted.
        allows: whether the filter lets a document through.
        found_share: what counts as found.
    """

    def __init__(
        self,
        standing: Standing,
        text_of: Callable[[str, str], str],
        reads: Reads,
        tokens_of: Callable[[Rows], NDArray[np.int32]],
        allows: Callable[[str], bool],
        found_share: float,
    ) -> None:
        self.standing = standing
        self._text_of = text_of
        self._reads = reads
        self._tokens_of = tokens_of
        self._allows = allows
        self._found_share = found_share

    def stage(self, resolved: Resolved, by_document: bool, seen: bool = False) -> str:
        """Where a place was lost, without the rest."""
        facts, _ = self._facts(resolved, by_document, seen)
        return decide(facts, self.standing.strategy)

    def trace(self, resolved: Resolved, by_document: bool, more: dict[str, Any]) -> PlaceTrace:
        """A place with its chunks and its path.

        Args:
            resolved: the place.
            by_document: any chunk of its document will do.
            more: what second readers say of a place that stands nowhere.
        """
        facts, held = self._facts(resolved, by_document, "reader" in more)
        strategy = self.standing.strategy
        stage = decide(facts, strategy)
        chunks: tuple[ChunkFacts, ...] = ()
        if held is not None:
            text = self._text_of(resolved.place.document, resolved.place.version)
            best = sorted(held.rows.tolist(), key=lambda row: (-held.share(row), row))
            chunks = tuple(
                chunk_facts(row, held, resolved.place, text, self.standing, self._reads)
                for row in best[:MOST_CHUNKS]
            )
        known = {**resolved.facts, **more}
        steps = []
        gone = False
        for one in stages_of(strategy):
            if one == "delivered" and stage != "delivered":
                break
            status = self._status(one, stage, facts, gone, known)
            gone = gone or one == stage
            given = step_facts(one, facts, chunks, held, resolved, self.standing, known)
            steps.append(PathStep(one, status, given))
        total = 0 if held is None else len(held.rows)
        return PlaceTrace(resolved.place, stage, chunks, tuple(steps), known, total)

    def _status(
        self, one: str, stage: str, facts: PlaceFacts, gone: bool, known: dict[str, Any]
    ) -> str:
        strategy = self.standing.strategy
        if stage == "delivered":
            odd = one != stage and applies(one, facts, strategy)
            return WARNING if odd or (one == "beyond_window" and not facts.read) else OK
        if one == stage:
            below = one == "not_retrieved" and strategy.is_outside
            return UNKNOWN if below else LOST  # it may stand below what was returned
        if gone:
            unknown = one == "lost_in_parsing" and "pages_unknown" in known
            return UNKNOWN if unknown else LATER
        if one == "cut" and not facts.whole:
            return UNKNOWN  # a chunk that was not returned may hold it
        return WARNING if one == "beyond_window" and not facts.read else OK

    def _facts(
        self, resolved: Resolved, by_document: bool, seen: bool
    ) -> tuple[PlaceFacts, Held | None]:
        if not resolved.standing:
            return PlaceFacts(in_corpus=False, seen=seen or resolved.seen), None
        at, place = self.standing, resolved.place
        held = self._held(place, by_document)
        lists = {}
        if at.fused is not None:
            lists = {
                name: held.rank(x.rows)
                for name, x in at.lists.items()
                if at.strategy.fusion.weight(name) > 0
            }
        position = held.position(at.whole)
        tokens = -1
        # Without a budget nobody asks, and counting reads every text before the place.
        if position is not None and at.strategy.budget is not None:
            tokens = int(self._tokens_of(at.whole[:position]).sum())
        return PlaceFacts(
            in_corpus=True,
            allowed=self._allows(place.document) and self._some_allowed(held),
            whole=len(held.whole) > 0,
            read=by_document or self._is_read(place, held),
            parts=len(held.rows) if at.returned is not None else 0,
            candidate=held.position(at.candidates) is not None,
            lists=lists,
            in_pool=held.position(at.pool) is not None,
            ranked=held.rank(at.ranked.rows),
            admitted=held.rank(at.whole),
            tokens=tokens,
        ), held

    def _some_allowed(self, held: Held) -> bool:
        """Whether the filter lets a chunk through that holds some of it; chunks may have tags."""
        mask = self.standing.resources.mask
        return mask is None or not len(held.rows) or bool(mask[held.rows].any())

    def _held(self, place: Place, by_document: bool) -> Held:
        table, among = self.standing.resources.table, self.standing.returned
        if by_document:
            return HeldDocument(table, place.document, among)
        text = self._text_of(place.document, place.version)
        return HeldPassage(Coverage(table, place, text, self._found_share), among)

    def _is_read(self, place: Place, held: Held) -> bool:
        """Whether the model reads the place in one of the chunks that hold it."""
        rows: Sequence[int] = held.whole.tolist()
        if not self._reads.limited or not rows:
            return True
        text = self._text_of(place.document, place.version)
        if place.region:
            return True
        return any(self._reads.share(row, place, text) >= self._found_share - 1e-9 for row in rows)
