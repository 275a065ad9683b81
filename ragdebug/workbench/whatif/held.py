"""Lists, evidence, tokens and known rerank scores of one set of questions, kept in memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.questions import Question
from ragdebug.records import Rows, Scores
from ragdebug.runs import DEPTH
from ragdebug.settings import StrategySettings
from ragdebug.table import ChunkTable
from ragdebug.workbench.whatif.lists import ABSENT, Lists
from ragdebug.workbench.whatif.ranking import Ranked, rank_all
from ragdebug.workbench.whatif.targets import Targets

REFRESH_S = 2.0  # how often missing rerank scores are looked for again
Ints = NDArray[np.int64]
KnownScores = Callable[[], Mapping[tuple[str, str], float]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a strategy finds, need by need and question by question.

    Attributes:
        found: shape (w,), rank at which each need of `Targets` is found, 0 when never; of the
            document where documents are asked for.
        tokens: shape (w,), size of the context that has it, -1 for never; empty where no budget
            asks for it.
        delivered: shape (n,), share of each question's needs that are found within k and budget;
            NaN where it cannot be told: no usable need, or passages in the pool that the reranker
            has not scored.
        unscored: shape (n,), how many passages those are.
    """

    found: Ints
    tokens: Ints
    delivered: NDArray[np.float64]
    unscored: Ints


class Held:
    """Everything that is needed to rank the questions again without searching.

    Args:
        questions: labelled ones.
        table: the chunks of the lists.
        lists: deep enough for what is asked of them.
        targets: the evidence of the questions on the lists' rows.
        tokens_of: rows of the table -> tokens in a context.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        table: ChunkTable,
        lists: Lists,
        targets: Targets,
        tokens_of: Callable[[Rows], NDArray[np.int32]],
    ) -> None:
        self.questions = tuple(questions)
        self.ids = tuple(q.id for q in questions)
        self.position = {id_: at for at, id_ in enumerate(self.ids)}
        self.table = table
        self.lists = lists
        self.targets = targets
        self._tokens_of = tokens_of
        self._tokens: NDArray[np.int32] | None = None
        self._scores: dict[str, tuple[float, Scores]] = {}
        self._lock = threading.Lock()

    def tagged(self, tag: str) -> NDArray[np.bool_]:
        """Shape (n,): which questions have a tag; all of them for ""."""
        return np.array([not tag or tag in q.tags for q in self.questions], np.bool_)

    def outcome(
        self, strategy: StrategySettings, model: str = "", known: KnownScores | None = None
    ) -> Outcome:
        """What the strategy finds.

        Args:
            strategy: one whose lists these are.
            model: fingerprint of its reranker.
            known: that reranker's scores so far, by question and hash of the passage.
        """
        ranked = self.ranked(strategy, model, known)
        chunk = self.targets.best_chunk(ranked.rank)
        found = self._by_document(chunk, ranked.rank)
        inside = (found > 0) & (found <= strategy.k)
        tokens = np.zeros(0, np.int64)
        if strategy.budget is not None:
            tokens = self._tokens_until(chunk, ranked.rank)
            inside &= (tokens >= 0) & (tokens <= strategy.budget)
        n, of = len(self.ids), self.targets.need_question
        needs = np.bincount(of, minlength=n)
        delivered = np.full(n, np.nan)
        np.divide(np.bincount(of[inside], minlength=n), needs, out=delivered, where=needs > 0)
        delivered[ranked.unscored > 0] = np.nan
        return Outcome(found, tokens, delivered, ranked.unscored)

    def ranked(
        self,
        strategy: StrategySettings,
        model: str = "",
        known: KnownScores | None = None,
        most: int = DEPTH,
    ) -> Ranked:
        """`rank_all` with the scores that are known by now."""
        if strategy.preset != "reranked" or known is None:
            return rank_all(self.lists, strategy, most=most)
        ranked = rank_all(self.lists, strategy, self._raw(model, known), most)
        if ranked.unscored.any() and self._is_old(model):
            with self._lock:
                self._scores.pop(model, None)
            ranked = rank_all(self.lists, strategy, self._raw(model, known), most)
        return ranked

    def forget_scores(self) -> None:
        """Look up rerank scores again when they are needed next."""
        with self._lock:
            self._scores.clear()

    # Rerank scores --------------------------------------------------------------------------------

    def _is_old(self, model: str) -> bool:
        return time.monotonic() - self._scores[model][0] > REFRESH_S

    def _raw(self, model: str, known: KnownScores) -> Scores:
        """Shape (n, u): a reranker's scores, NaN where it has none."""
        with self._lock:
            if model not in self._scores:
                self._scores[model] = (time.monotonic(), self._laid_out(known()))
            return self._scores[model][1]

    def _laid_out(self, known: Mapping[tuple[str, str], float]) -> Scores:
        raw = np.full(self.lists.rows.shape, np.nan)
        hashes: dict[int, str] = {}
        asked = {query for query, _ in known}
        for at, question in enumerate(self.questions):
            if question.text not in asked:
                continue
            for entry, row in enumerate(self.lists.rows[at, : self.lists.count[at]].tolist()):
                if row not in hashes:
                    hashes[row] = self.table.hash(row)
                raw[at, entry] = known.get((question.text, hashes[row]), np.nan)
        return raw

    # Ranks and tokens -----------------------------------------------------------------------------

    def _by_document(self, chunk: Ints, rank: NDArray[np.int32]) -> Ints:
        """Rank of each need, 0 for never; questions about documents count documents."""
        found = np.where(chunk == ABSENT, 0, chunk)
        some = np.flatnonzero(self.targets.by_document)
        if not len(some):
            return found
        # Documents in the first r chunks: each counts where its best chunk stands.
        new = np.zeros((len(self.ids), DEPTH + 1), np.int64)
        for at in some.tolist():
            count = self.lists.count[at]
            document = self.table.document_of[self.lists.rows[at, :count]]
            best: dict[int, int] = {}
            for one, r in zip(document.tolist(), rank[at, :count].tolist(), strict=True):
                best[one] = min(best.get(one, ABSENT), r)
            new[at, [r for r in best.values() if r != ABSENT]] = 1
        documents = np.cumsum(new, axis=1)[self.targets.need_question, found]
        return np.where(self.targets.by_document[self.targets.need_question], documents, found)

    def _tokens_until(self, chunk: Ints, rank: NDArray[np.int32]) -> Ints:
        """Tokens of the first r chunks, where r completes each need; -1 for never."""
        at, entry = np.nonzero(rank != ABSENT)
        by_rank = np.zeros((len(self.ids), DEPTH + 1), np.int64)
        by_rank[at, rank[at, entry]] = self._in_context()[at, entry]
        first = np.where(chunk == ABSENT, 0, chunk)
        sums = np.cumsum(by_rank, axis=1)[self.targets.need_question, first]
        return np.where(chunk == ABSENT, -1, sums)

    def _in_context(self) -> NDArray[np.int32]:
        """Shape (n, u): tokens of each row."""
        if self._tokens is None:
            rows = self.lists.rows
            made = np.zeros(rows.shape, np.int32)
            made[rows >= 0] = self._tokens_of(rows[rows >= 0])
            self._tokens = made
        return self._tokens
