"""Run strategies over the questions and keep what they found."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata

import numpy as np

import ragdebug
from ragdebug.chunk import CHUNKER_VERSION
from ragdebug.errors import Cancelled, NothingToMeasure, RagDebugError
from ragdebug.model_files import info as model_info
from ragdebug.pipeline import Resources
from ragdebug.protocols import Progress, Vectors, silent
from ragdebug.questions import LABELLED, NOT_ANSWERABLE, UNLABELLED, UNUSABLE, Question
from ragdebug.runs import DEPTH, DONE, FAILED, STOPPED, Run
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    StrategySettings,
    fingerprint,
)
from ragdebug.tokens import counter
from ragdebug.workbench.evaluation.lists import (
    ScoredBefore,
    TokensInContext,
    measuring,
    ranked_lists,
)
from ragdebug.workbench.evaluation.naming import short_text
from ragdebug.workbench.evaluation.pairs import Pairs, candidates, pairs_of, score_all
from ragdebug.workbench.evaluation.reading import Reading
from ragdebug.workbench.evaluation.reports import EvaluationReport, PlannedRun
from ragdebug.workbench.questions import Questions
from ragdebug.workbench.search import Search

EMBEDDED_AT_ONCE = 512
WAIT_S = 120.0  # a longer row waits for a yes
COST = ("bm25", "vector", "hybrid", "reranked")  # cheapest first
PACKAGES = ("bm25s", "faiss-cpu", "sentence-transformers", "torch", "tokenizers", "numpy")


@dataclass(slots=True)
class _Embedded:
    """Questions embedded in one call of `evaluate`, for all of its strategies.

    Attributes:
        vectors: by model fingerprint and text.
        seconds: by model fingerprint, of embedding one question.
    """

    vectors: dict[tuple[str, str], Vectors] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Row:
    """A strategy that is about to run."""

    strategy: StrategySettings
    questions: list[Question]
    resources: Resources
    vectors: Vectors | None
    embed_s: float  # seconds of embedding, a question
    pairs: Pairs | None
    sampled: int
    names: list[tuple[str, str]]  # id and version of each question


class Evaluating(Questions, Search, Reading):
    """Use cases of running strategies over questions."""

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
        memo = _Embedded()
        rows = []
        for strategy in _cheapest_first(strategies):
            questions, sampled = self._chosen(strategy, slice, sample, seed)
            new = 0
            if strategy.uses_vectors:
                new = self.plan(strategy.chunking, strategy.embedder, progress).new
            if new and strategy.preset == "reranked":
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
            row = self._row(strategy, questions, sampled, memo, progress) if not new else None
            rows.append(_planned(strategy, len(questions), sampled, row, new))
        return rows

    def evaluate(
        self,
        strategies: Sequence[StrategySettings | str],
        *,
        slice: str = "",  # noqa: A002
        sample: int = 0,
        seed: int = 0,
        yes: bool = False,
        note: str = "",
        progress: Progress = silent,
        on_run: Callable[[Run], None] | None = None,
        allow_download: bool = False,
    ) -> EvaluationReport:
        """Run strategies over the questions, cheapest first, and keep each run when it is done.

        A run that was stopped, of the same experiment, goes on where it was.

        Args:
            strategies: settings or text forms; see `StrategySettings.parse`.
            slice: only questions with this tag.
            sample: so many questions, drawn by `seed`, for reranked strategies; 0 for all.
            seed: of the sample.
            yes: also run what takes minutes; otherwise it is in `EvaluationReport.waiting`.
            note: kept with each run.
            progress: indexes, questions, passages.
            on_run: called with each run when it is done.
            allow_download: fetch hub models that are not on this machine.

        Raises:
            NothingToMeasure: there are no documents, or no questions (of that tag).
            Cancelled: from `progress`; what was finished is kept.
        """
        wanted = _cheapest_first(strategies)
        if allow_download:
            self.fetch_models(wanted)
        if not self._active():
            raise NothingToMeasure("There are no documents.", hint="Read some in first.")
        every = self._of_slice(slice)
        if not every:
            raise NothingToMeasure(
                f"No question has the tag {slice!r}." if slice else "There are no questions.",
                hint="Add questions on the Questions page, or with: ragdebug questions add",
            )
        memo = _Embedded()
        runs: list[Run] = []
        waiting: list[PlannedRun] = []
        for strategy in wanted:
            questions, sampled = self._chosen(strategy, slice, sample, seed)
            if strategy.uses_vectors:
                self.build(strategy.chunking, strategy.embedder, progress, allow_download)
            row = self._row(strategy, questions, sampled, memo, progress)
            planned = _planned(strategy, len(questions), sampled, row, 0)
            if planned.waits and not yes and not sampled:
                waiting.append(planned)
                continue
            run = self._run(row, slice, seed, note, progress)
            runs.append(run)
            if on_run is not None:
                on_run(run)
        states = [q.state for q in every]
        return EvaluationReport(
            tuple(runs),
            tuple(waiting),
            labelled=states.count(LABELLED),
            unlabelled=states.count(UNLABELLED),
            unanswerable=states.count(NOT_ANSWERABLE),
            unusable=tuple(
                (q.id, " ".join(self.label_warnings(q))) for q in every if q.state == UNUSABLE
            ),
        )

    # One strategy ---------------------------------------------------------------------------------

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
        memo: _Embedded,
        progress: Progress,
    ) -> _Row:
        """Everything a run needs: indexes, embedded questions, a reranker's pairs."""
        resources = self._resources(strategy, progress)
        resources.bm25 = lambda s: self.indexes.bm25(resources.table, s, progress)
        # A part-built list would be measured as if its gaps were the strategy's fault.
        resources.dense = lambda name, s: self.indexes.complete(resources.table, name, s)
        queries = [q.text for q in questions]
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
        return _Row(strategy, questions, resources, vectors, embed_s, pairs, sampled, names)

    def _embed_all(
        self,
        embedder: str,
        queries: Sequence[str],
        memo: _Embedded,
        progress: Progress,
    ) -> Vectors:
        """Shape (queries, dimension); each distinct text of a call of `evaluate` once."""
        from ragdebug.models import load_embedder

        model = model_info(embedder)
        new = [q for q in dict.fromkeys(queries) if (model.fingerprint, q) not in memo.vectors]
        if new:
            loaded = load_embedder(embedder)
            start = time.perf_counter()
            for at in range(0, len(new), EMBEDDED_AT_ONCE):
                progress(at, len(new), "questions embedded")
                some = new[at : at + EMBEDDED_AT_ONCE]
                for text, vector in zip(some, loaded.embed_queries(some), strict=True):
                    memo.vectors[model.fingerprint, text] = vector
            spent = (time.perf_counter() - start) / len(new)
            memo.seconds.setdefault(model.fingerprint, spent)
        made = [memo.vectors[model.fingerprint, q] for q in queries]
        return np.stack(made) if made else np.zeros((0, model.dimension), np.float32)

    def _run(self, row: _Row, tag: str, seed: int, note: str, progress: Progress) -> Run:
        """Search for all questions of a row, keeping what is found."""
        run = self._new_run(row, tag, seed, note)
        stopped = [r for r in self.store.runs.runs() if r.fingerprint == run.fingerprint]
        stopped = [r for r in stopped if r.state in (STOPPED, FAILED)]
        done: set[str] = set()
        if stopped:
            run = stopped[0]
            self.store.runs.resume(run.id)
            done = self.store.runs.done(run.id)
        else:
            self.store.runs.start(run)
        todo = [at for at, q in enumerate(row.questions) if q.id not in done]
        seconds: dict[str, float] = dict(run.seconds) if stopped else {}
        elapsed = run.elapsed_s if stopped else 0.0
        start = time.perf_counter()
        state, error = STOPPED, ""
        try:
            remembered = self._score(row, seconds, progress)
            each = row.embed_s + (seconds.get("rerank", 0.0) / max(1, len(row.questions)))
            if row.vectors is not None:
                seconds["embed"] = row.embed_s * len(row.questions)
            batches = ranked_lists(
                [row.questions[at].text for at in todo],
                None if row.vectors is None else row.vectors[todo],
                measuring(row.strategy),
                row.resources,
                self._tokens_in_context(row),
                DEPTH,
                progress,
            )
            for batch in batches:
                some = todo[batch.at : batch.at + len(batch.spans)]
                for name, spent in batch.stages.items():
                    if name != "reranked":
                        seconds[name] = seconds.get(name, 0.0) + spent
                took = np.full(len(some), np.nan) if remembered else batch.seconds + each
                self.store.runs.add(
                    run.id,
                    [row.names[at] for at in some],
                    batch.spans,
                    took,
                    batch.errors,
                )
            state = DONE
        except Cancelled:
            raise
        except RagDebugError as e:
            state, error = FAILED, str(e)
            raise
        finally:
            elapsed += time.perf_counter() - start
            self.store.runs.finish(run.id, state, elapsed, seconds, error)
        self.store.runs.save_measures(run.id, self.measures(run.id))
        return self.store.runs.run(run.id)

    def _score(self, row: _Row, seconds: dict[str, float], progress: Progress) -> bool:
        """Let the reranker score what is left; whether some of its scores were remembered."""
        if row.pairs is None:
            return False
        scorer = self._scorer(row.strategy.rerank.model)
        pairs = sum(len(asked) for asked in row.pairs.wanted.values())
        new = sum(len(asked) for asked in row.pairs.left().values())
        start = time.perf_counter()
        known = ScoredBefore(scorer, score_all(row.pairs, scorer, self.store.scores, progress))
        spent = time.perf_counter() - start
        row.resources.scorer = lambda _: known
        row.resources.scores = None
        if new == pairs:
            seconds["rerank"] = spent
        return new < pairs

    def _tokens_in_context(self, row: _Row) -> TokensInContext:
        table = row.resources.table
        return self._context_tokens.get(
            table.fingerprint, lambda: TokensInContext(table, counter(DEFAULT_EMBEDDER))
        )

    def _new_run(self, row: _Row, tag: str, seed: int, note: str) -> Run:
        strategy = row.strategy
        corpus = self.corpus().fingerprint
        questions = fingerprint(row.names)
        models = [model_info(strategy.embedder).fingerprint] if strategy.uses_vectors else []
        if strategy.preset == "reranked":
            models.append(model_info(strategy.rerank.model).fingerprint)
        packages = {"ragdebug": ragdebug.__version__, "chunker": str(CHUNKER_VERSION)}
        packages |= {name: metadata.version(name) for name in PACKAGES}
        same = [corpus, questions, str(strategy), models, packages, DEPTH, row.sampled, seed]
        return Run(
            id=secrets.token_hex(4),
            fingerprint=fingerprint(same),
            strategy=str(strategy),
            chunking=str(strategy.chunking),
            embedder=strategy.embedder if strategy.uses_vectors else "",
            corpus=corpus,
            questions=questions,
            slice=tag,
            sampled=row.sampled,
            seed=seed,
            asked=len(row.questions),
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            packages=packages,
            tokenizer=DEFAULT_EMBEDDER,
            note=note,
            label=short_text(strategy),
            taken_from=self.labels_taken_from(row.questions),
        )


def _cheapest_first(strategies: Sequence[StrategySettings | str]) -> list[StrategySettings]:
    parsed = [StrategySettings.parse(s) if isinstance(s, str) else s for s in strategies]
    return sorted(dict.fromkeys(parsed), key=lambda s: COST.index(s.preset))


def _planned(
    strategy: StrategySettings, questions: int, sampled: int, row: _Row | None, new: int
) -> PlannedRun:
    passages, estimate = 0, 0.0
    if row is not None and row.pairs is not None:
        model = model_info(strategy.rerank.model)
        once = strategy.rerank.model == DEFAULT_RERANKER
        left = row.pairs.left()
        passages = len(left) if once else sum(len(asked) for asked in left.values())
        estimate = row.pairs.estimate_s(model, once)
    if new:
        estimate += new / model_info(strategy.embedder).texts_per_s
    return PlannedRun(
        replace(strategy), questions, passages, estimate, new, sampled, estimate > WAIT_S
    )
