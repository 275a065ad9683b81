"""Search once for all labelled questions and hold what is needed to rank them again."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ragdebug.errors import Cancelled, NothingToMeasure, RagDebugError
from ragdebug.evidence import FOUND_SHARE
from ragdebug.model_files import info as model_info
from ragdebug.pipeline import Resources, run
from ragdebug.protocols import Progress, Vectors, silent
from ragdebug.questions import LABELLED, Question
from ragdebug.records import Rows, Scores
from ragdebug.retrieve.topk import no_rows
from ragdebug.runs import DEPTH, Interval
from ragdebug.settings import (
    DEFAULT_RERANKER,
    DEFAULT_WORKSPACE,
    StrategySettings,
    fingerprint,
)
from ragdebug.workbench import filters
from ragdebug.workbench.evaluation import Evaluating
from ragdebug.workbench.evaluation.lists import TOGETHER
from ragdebug.workbench.evaluation.pairs import Pairs, pairs_of, score_all
from ragdebug.workbench.evaluation.preparing import WAIT_S, Embedded
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.whatif.bands import band
from ragdebug.workbench.whatif.held import Held, Outcome
from ragdebug.workbench.whatif.lists import ABSENT, Lists, OneList
from ragdebug.workbench.whatif.ranking import list_depth, list_names
from ragdebug.workbench.whatif.reports import Cost
from ragdebug.workbench.whatif.targets import targets_of


@dataclass(frozen=True, slots=True)
class Asked:
    """Labelled questions, and a key that changes with what they ask for and how it is judged."""

    key: str
    questions: tuple[Question, ...]

    @classmethod
    def of(cls, questions: Sequence[Question]) -> Asked:
        """Those of some questions that are labelled."""
        some = tuple(q for q in questions if q.state == LABELLED)
        return cls(fingerprint([(q.id, q.version, q.tags) for q in some]), some)


class Holding(Evaluating):
    """Lists of all labelled questions, made once a strategy's chunking, model and analyzer."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._held_lists: Kept[Held] = Kept(8)
        self._single_lists: Kept[OneList] = Kept(16)
        self._asked_vectors: Kept[tuple[Vectors, float]] = Kept(4)
        self._outcomes: Kept[Outcome] = Kept(64)
        self._bands: Kept[Interval] = Kept(64)
        self._let_through: Kept[str] = Kept(8)
        self._pools: Kept[Pairs] = Kept(2)
        self._labelled: tuple[tuple[int, str], Asked] | None = None

    def _purged(self) -> None:
        super()._purged()
        self._held_lists.clear()  # with the questions and their quotes
        self._pools.clear()  # with texts
        self._labelled = None

    def _asked_questions(self) -> Asked:
        """The labelled questions as they stand now.

        Raises:
            NothingToMeasure: there are none.
        """
        now = (self.store.questions.revision(), self.corpus().fingerprint)
        known = self._labelled
        if known is None or known[0] != now:
            # The same key for the same questions, whatever else was saved in between.
            known = self._labelled = (now, Asked.of(self.questions()))
        if not known[1].questions:
            raise NothingToMeasure(
                "No question is labelled.", hint="Mark the passages that answer your questions."
            )
        return known[1]

    # Lists ----------------------------------------------------------------------------------------

    def _hold(
        self,
        strategy: StrategySettings,
        asked: Asked,
        found_share: float = FOUND_SHARE,
        progress: Progress = silent,
    ) -> Held:
        """Lists of the questions for this strategy and whatever only ranks them again.

        Raises:
            IndexIncomplete: vectors are missing; see `Holding._cost`.
        """
        keys = self._list_keys(strategy, asked)
        key = (*keys.values(), found_share)
        return self._held_lists.get(
            key, lambda: self._make(strategy, asked, keys, found_share, progress)
        )

    def _is_held(
        self, strategy: StrategySettings, asked: Asked, found_share: float = FOUND_SHARE
    ) -> bool:
        """Whether `_hold` has made these lists already."""
        key = (*self._list_keys(strategy, asked).values(), found_share)
        return self._held_lists.peek(key) is not None

    def _list_keys(self, strategy: StrategySettings, asked: Asked) -> dict[str, Hashable]:
        return {name: self._list_key(name, strategy, asked) for name in list_names(strategy)}

    def _list_key(self, name: str, strategy: StrategySettings, asked: Asked) -> Hashable:
        if strategy.is_outside:
            own: tuple[object, ...] = (self._outside_version(strategy), strategy.filter)
        elif name == "vector":
            own = (strategy.embedder, strategy.dense)
        else:
            own = (strategy.bm25,)
        corpus = self.corpus().fingerprint
        depth = _held_depth(name, strategy)
        return (name, asked.key, corpus, strategy.chunking, self._allowed(strategy), depth, *own)

    def _allowed(self, strategy: StrategySettings) -> str:
        """Stands for what may change under a strategy's name.

        The documents that its filter lets through, and the chunks that were brought in.
        """
        brought = self.brought(strategy.chunking)
        if not strategy.filter:
            return brought
        key = (self.store.documents.revision(), strategy.filter)
        return brought + self._let_through.get(
            key,
            lambda: fingerprint(
                [d.id for d in self._active() if filters.matches(d, strategy.filter)]
            ),
        )

    def _make(
        self,
        strategy: StrategySettings,
        asked: Asked,
        keys: Mapping[str, Hashable],
        found_share: float,
        progress: Progress,
    ) -> Held:
        resources = self._resources(strategy, progress, [q.text for q in asked.questions])
        make: dict[str, Callable[[], OneList]] = {
            strategy.preset: lambda: _returned_lists(strategy, asked, resources),
            "vector": lambda: self._vector_lists(strategy, asked, resources, progress),
            "bm25": lambda: self._bm25_lists(strategy, asked, resources, progress),
        }
        parts = {name: self._single_lists.get(key, make[name]) for name, key in keys.items()}
        lists = Lists.join(parts, len(asked.questions))
        table = resources.table
        targets = targets_of(asked.questions, table, lists, self._text, found_share)
        return Held(asked.questions, table, lists, targets, self._tokens_in_context(table))

    def _vector_lists(
        self, strategy: StrategySettings, asked: Asked, resources: Resources, progress: Progress
    ) -> OneList:
        index = self.indexes.complete(resources.table, strategy.embedder, strategy.dense, progress)
        vectors, embed_s = self._vectors_of(strategy.embedder, asked, progress)
        depth, made = _held_depth("vector", strategy), []
        start = time.perf_counter()
        for at in range(0, len(vectors), TOGETHER):
            progress(at, len(vectors), "questions searched")
            made += index.search_many(vectors[at : at + TOGETHER], depth, resources.mask)
        spent = (time.perf_counter() - start) / max(1, len(made))
        return _one_list(asked, made, embed_s + spent)

    def _vectors_of(self, embedder: str, asked: Asked, progress: Progress) -> tuple[Vectors, float]:
        """Vectors of the questions, and seconds of embedding one."""
        model = model_info(embedder).fingerprint

        def make() -> tuple[Vectors, float]:
            memo, texts = Embedded(), [q.text for q in asked.questions]
            vectors = self._embed_all(embedder, texts, memo, progress)
            return vectors, memo.seconds[model]

        return self._asked_vectors.get((model, asked.key), make)

    def _bm25_lists(
        self, strategy: StrategySettings, asked: Asked, resources: Resources, progress: Progress
    ) -> OneList:
        index = self.indexes.bm25(resources.table, strategy.bm25, progress)
        depth = _held_depth("bm25", strategy)
        made, seconds = [], []
        for at, question in enumerate(asked.questions):
            progress(at, len(asked.questions), "questions searched")
            start = time.perf_counter()
            made.append(index.search(question.text, depth, resources.mask))
            seconds.append(time.perf_counter() - start)
        return _one_list(asked, made, statistics.median(seconds or [0.0]))

    # Outcomes -------------------------------------------------------------------------------------

    def _outcome(
        self,
        strategy: StrategySettings,
        asked: Asked,
        found_share: float = FOUND_SHARE,
        progress: Progress = silent,
    ) -> tuple[Held, Outcome]:
        """What the strategy finds, by the scores that the reranker has given so far."""
        held = self._hold(strategy, asked, found_share, progress)
        corpus, allowed = self.corpus().fingerprint, self._allowed(strategy)
        key = (corpus, asked.key, strategy, allowed, found_share, self._outside_version(strategy))
        known = self._outcomes.peek(key)
        if known is not None:
            return held, known
        if reads(strategy):
            model = model_info(strategy.rerank.model).fingerprint
            made = held.outcome(strategy, model, lambda: self._scores_of(model, held))
        else:
            made = held.outcome(strategy)
        if not made.unscored.any():
            self._outcomes.get(key, lambda: made)
        return held, made

    def _scores_of(self, model: str, held: Held) -> Mapping[tuple[str, str], float]:
        return self.store.scores.get_many(model, sorted({q.text for q in held.questions}))

    def _interval(self, values: Scores) -> Interval:
        return self._bands.get(values.tobytes(), lambda: band(values))

    # What it takes --------------------------------------------------------------------------------

    def _cost(self, strategy: StrategySettings, asked: Asked, progress: Progress = silent) -> Cost:
        """What has to be computed before `_outcome` can tell all questions."""
        texts, passages, seconds = 0, 0, 0.0
        if strategy.uses_vectors:
            planned = self.plan(strategy.chunking, strategy.embedder, progress)
            texts = planned.new
            seconds += texts / model_info(strategy.embedder).texts_per_s
        if reads(strategy):
            model = model_info(strategy.rerank.model)
            once = strategy.rerank.model == DEFAULT_RERANKER  # reads a passage once for all
            if texts:
                most = len(asked.questions) * strategy.rerank.pool
                table = self.chunk_table(strategy.chunking, progress)
                passages = min(len(table), most) if once else most
                seconds += passages / model.texts_per_s
            else:
                pairs = self._pairs(strategy, asked, progress)
                left = pairs.left()
                passages = len(left) if once else sum(len(some) for some in left.values())
                seconds += pairs.estimate_s(model, once)
        return Cost(texts, passages, seconds, seconds > WAIT_S)

    def _compute(
        self,
        strategy: StrategySettings,
        asked: Asked,
        progress: Progress = silent,
        allow_download: bool = False,
    ) -> None:
        """Embed and rerank what is missing; it is remembered.

        Raises:
            Cancelled: from `progress`; what was done is kept.
        """
        if strategy.uses_vectors:
            self.build(strategy.chunking, strategy.embedder, progress, allow_download)
        if reads(strategy):
            pairs = self._pairs(strategy, asked, progress)
            if pairs.left():
                self._ask_to_rerank(model_info(strategy.rerank.model), pairs)
                scorer = self._scorer(strategy.rerank.model)
                score_all(pairs, scorer, self.store.scores, progress)
                self._hold(strategy, asked, progress=progress).forget_scores()
        self._hold(strategy, asked, progress=progress)

    def _pairs(self, strategy: StrategySettings, asked: Asked, progress: Progress) -> Pairs:
        """The passages in the reranker's pool of each question, and the scores that are known."""
        held = self._hold(strategy, asked, progress=progress)
        first = replace(strategy, preset="hybrid", minimum=None, budget=None)
        queries = [q.text for q in asked.questions]
        model = model_info(strategy.rerank.model)

        def make() -> Pairs:
            rank = held.ranked(first, most=strategy.rerank.pool).rank
            rows = [held.lists.rows[at][some].tolist() for at, some in enumerate(rank != ABSENT)]
            resources = self._resources(strategy, progress)
            return pairs_of(queries, rows, resources, model, self.store.scores)

        # A slider asks for the same passages again; only what is known of them changes.
        key = (asked.key, self.corpus().fingerprint, self._allowed(strategy), first)
        made = self._pools.get(key, make)
        return replace(made, known=self.store.scores.get_many(model.fingerprint, queries))


def _held_depth(name: str, strategy: StrategySettings) -> int:
    """How deep a list is held. An HNSW list may differ when it is made deeper, so it is not."""
    depth = list_depth(strategy)
    return depth if name == "vector" and strategy.dense.index == "hnsw" else max(depth, DEPTH)


def reads(strategy: StrategySettings) -> bool:
    """Whether a reranker has to read passages."""
    return strategy.preset == "reranked" and strategy.rerank.model != "identity"


def _returned_lists(strategy: StrategySettings, asked: Asked, resources: Resources) -> OneList:
    """What another system returned for each question; nothing where it has no answer."""
    made: list[tuple[Rows, Scores]] = []
    seconds = 0.0
    for question in asked.questions:
        try:
            trace = run(question.text, replace(strategy, minimum=None), resources)
        except Cancelled:
            raise
        except RagDebugError:  # such a search finds nothing, as in a run
            made.append(no_rows())
            continue
        made.append((trace.stages[0].rows, trace.stages[0].scores))
        seconds += trace.elapsed_s
    return _one_list(asked, made, seconds / max(1, len(made)))


def _one_list(asked: Asked, made: Sequence[tuple[Rows, Scores]], seconds: float) -> OneList:
    """Lists of the questions; a blank one finds nothing, as in a search."""
    found = [
        (rows, scores) if q.text.strip() else no_rows()
        for q, (rows, scores) in zip(asked.questions, made, strict=True)
    ]
    rows = [np.asarray(rows, np.int64) for rows, _ in found]
    return OneList(rows, [np.asarray(scores, np.float64) for _, scores in found], seconds)
