"""What a run needs before it starts: questions, indexes, embedded questions, a reranker's pairs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ragdebug.model_files import info as model_info
from ragdebug.pipeline import Resources
from ragdebug.protocols import Embedder, ModelInfo, Progress, Vectors, silent, text_hash
from ragdebug.questions import LABELLED, NOT_ANSWERABLE, Question
from ragdebug.settings import DEFAULT_RERANKER, StrategySettings, is_remote
from ragdebug.web.consent import may_send
from ragdebug.workbench.evaluation.pairs import Pairs, candidates, pairs_of
from ragdebug.workbench.evaluation.reading import Reading
from ragdebug.workbench.evaluation.reports import PlannedRun
from ragdebug.workbench.questions import Questions
from ragdebug.workbench.search import Search

EMBEDDED_AT_ONCE = 512
TIMED = 5  # questions that are embedded once more, alone, as a search does
WAIT_S = 120.0  # a longer row waits for a yes
COST = ("list", "bm25", "vector", "searcher", "hybrid", "reranked")  # cheapest first


@dataclass(slots=True)
class Embedded:
    """Questions embedded in one call of `evaluate`, for all of its strategies.

    Attributes:
        vectors: by model fingerprint and text.
        seconds: by model fingerprint, of embedding one question; where the model is here, the
            median of a few by themselves once it has run, so that no loading is in it.
    """

    vectors: dict[tuple[str, str], Vectors] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Row:
    """A strategy that is about to run."""

    strategy: StrategySettings
    questions: list[Question]
    resources: Resources
    vectors: Vectors | None
    embed_s: float  # seconds of embedding, a question
    pairs: Pairs | None
    sampled: int
    names: list[tuple[str, str]]  # id and version of each question


class Preparing(Questions, Search, Reading):
    """Use cases of planning an evaluation."""

    def plan_evaluation(
        self,
        strategies: Sequence[StrategySettings | str],
        *,
        slice: str = "",  # noqa: A002 - what the field calls it
        sample: int = 0,
        seed: int = 0,
        progress: Progress = silent,
    ) -> list[PlannedRun]:
        """What `evaluate` would do, and how long a reranker would take; cheapest first.

        Candidates are searched for where the index is whole, so that the passages can be counted.
        """
        memo = Embedded()
        rows = []
        for strategy in cheapest_first(strategies):
            questions, sampled = self._chosen(strategy, slice, sample, seed)
            new = 0
            if strategy.uses_vectors:
                new = self.plan(strategy.chunking, strategy.embedder, progress).new
            unasked = self._would_send(strategy, [q.text for q in questions])
            if (new or unasked) and strategy.preset == "reranked":
                # Not searched yet: at most as many passages as there are.
                table = self.chunk_table(strategy.chunking)
                most = min(len(table), len(questions) * strategy.rerank.pool)
                rate = model_info(strategy.rerank.model).texts_per_s
                estimate = most / rate + new / model_info(strategy.embedder).texts_per_s
                rows.append(
                    PlannedRun(
                        strategy, len(questions), most, estimate, new, sampled, estimate > WAIT_S
                    )
                )
                continue
            row = None
            if not new and not unasked and strategy.preset != "searcher":  # a plan asks nobody
                row = self._row(strategy, questions, sampled, memo, progress)
            rows.append(planned_run(strategy, len(questions), sampled, row, new))
        return rows

    def _of_slice(self, tag: str) -> list[Question]:
        return [q for q in self.questions() if not tag or tag in q.tags]

    def _chosen(
        self, strategy: StrategySettings, tag: str, sample: int, seed: int
    ) -> tuple[list[Question], int]:
        """The questions a strategy runs on, and how many of them were drawn (0: not drawn).

        A reranker, which is dear, reads only for questions that can be measured, if there are any.
        """
        questions = self._of_slice(tag)
        if strategy.preset != "reranked":
            return questions, 0
        judged = [q for q in questions if q.state in (LABELLED, NOT_ANSWERABLE)]
        questions = judged or questions
        if not 0 < sample < len(questions):
            return questions, 0
        drawn = np.random.default_rng(seed).choice(len(questions), sample, replace=False)
        return [questions[at] for at in sorted(drawn.tolist())], sample

    def _row(
        self,
        strategy: StrategySettings,
        questions: list[Question],
        sampled: int,
        memo: Embedded,
        progress: Progress,
    ) -> Row:
        """Everything a run needs: indexes, embedded questions, a reranker's pairs."""
        queries = [q.text for q in questions]
        resources = self._resources(strategy, progress, queries)
        if not strategy.is_outside:
            # Found once a row: to look it up by its fingerprint takes longer than a short search.
            resources.bm25 = cache(lambda s: self.indexes.bm25(resources.table, s, progress))
            # A part-built list would be measured as if its gaps were the strategy's fault.
            resources.dense = lambda name, s: self.indexes.complete(
                resources.table, name, s, progress
            )
        vectors, embed_s = None, 0.0
        if strategy.uses_vectors:
            vectors = self._embed_all(strategy.embedder, queries, memo, progress)
            embed_s = memo.seconds.get(model_info(strategy.embedder).fingerprint, 0.0)
        pairs = None
        if strategy.preset == "reranked" and strategy.rerank.model != "identity":
            rows = candidates(queries, vectors, strategy, resources, progress)
            model = model_info(strategy.rerank.model)
            pairs = pairs_of(queries, rows, resources, model, self.store.scores)
        names = [(q.id, q.version) for q in questions]
        return Row(strategy, questions, resources, vectors, embed_s, pairs, sampled, names)

    def _embed_all(
        self,
        embedder: str,
        queries: Sequence[str],
        memo: Embedded,
        progress: Progress,
    ) -> Vectors:
        """Shape (queries, dimension); each distinct text of a call of `evaluate` once."""
        from ragdebug.models import load_embedder

        model = model_info(embedder)
        self._recall_queries(model, queries, memo)
        new = [q for q in dict.fromkeys(queries) if (model.fingerprint, q) not in memo.vectors]
        if new:
            loaded = load_embedder(embedder)
            start = time.perf_counter()
            # What is paid for is kept after each round of requests.
            step = model.batch * model.parallel if model.remote else EMBEDDED_AT_ONCE
            for at in range(0, len(new), step):
                progress(at, len(new), "questions embedded")
                some = new[at : at + step]
                made = loaded.embed_queries(some)
                for text, vector in zip(some, made, strict=True):
                    memo.vectors[model.fingerprint, text] = vector
                if model.remote:
                    hashes = [text_hash(text) for text in some]
                    self.store.vectors.put(_asked_of(model), hashes, made)
            spent = (time.perf_counter() - start) / len(new)
            if not model.remote:
                spent = _seconds_warm(loaded, new[:TIMED])
            memo.seconds.setdefault(model.fingerprint, spent)
        memo.seconds.setdefault(model.fingerprint, 0.0)
        every = [memo.vectors[model.fingerprint, q] for q in queries]
        return np.stack(every) if every else np.zeros((0, model.dimension), np.float32)

    def _recall_queries(self, model: ModelInfo, queries: Sequence[str], memo: Embedded) -> None:
        """Take the vectors of questions that a model behind an address gave before.

        So each is sent once, and nothing at all where a page only looks again.
        """
        if model.remote:
            texts = list(dict.fromkeys(queries))
            hashes = [text_hash(text) for text in texts]
            at, vectors = self.store.vectors.get(_asked_of(model), hashes)
            for i, vector in zip(at.tolist(), vectors, strict=True):
                memo.vectors[model.fingerprint, texts[i]] = vector

    def _would_send(self, strategy: StrategySettings, queries: Sequence[str]) -> bool:
        """Whether to embed these questions would take a person's yes that is not there."""
        if not strategy.uses_vectors or not is_remote(strategy.embedder):
            return False
        if may_send(strategy.embedder):
            return False
        hashes = [text_hash(text) for text in dict.fromkeys(queries)]
        model = model_info(strategy.embedder)
        return not self.store.vectors.known(_asked_of(model), hashes).all()


def _seconds_warm(model: Embedder, texts: Sequence[str]) -> float:
    """Median seconds of embedding one text alone, by a model that has run before."""
    seconds = []
    for text in texts:
        start = time.perf_counter()
        model.embed_queries([text])
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def _asked_of(model: ModelInfo) -> str:
    """Key of questions in the store of vectors; a prompt makes them other than passages."""
    return f"{model.fingerprint}-questions"


def cheapest_first(strategies: Sequence[StrategySettings | str]) -> list[StrategySettings]:
    """The strategies in the order in which their rows appear; each once."""
    parsed = [StrategySettings.parse(s) if isinstance(s, str) else s for s in strategies]
    return sorted(dict.fromkeys(parsed), key=lambda s: COST.index(s.preset))


def planned_run(
    strategy: StrategySettings, questions: int, sampled: int, row: Row | None, new: int
) -> PlannedRun:
    """What is known of a run before it starts; `new` texts have to be embedded first."""
    passages, estimate = 0, 0.0
    if row is not None and row.pairs is not None:
        model = model_info(strategy.rerank.model)
        once = strategy.rerank.model == DEFAULT_RERANKER
        left = row.pairs.left()
        passages = len(left) if once else sum(len(asked) for asked in left.values())
        estimate = row.pairs.estimate_s(model, once)
    if new:
        estimate += new / model_info(strategy.embedder).texts_per_s
    return PlannedRun(strategy, questions, passages, estimate, new, sampled, estimate > WAIT_S)
