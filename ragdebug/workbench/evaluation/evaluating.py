"""Run strategies over the questions and keep what they found."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import metadata

import numpy as np

import ragdebug
from ragdebug.chunk import CHUNKER_VERSION
from ragdebug.errors import Cancelled, NothingToMeasure, RagDebugError
from ragdebug.model_files import info as model_info
from ragdebug.protocols import Progress, silent
from ragdebug.questions import LABELLED, NOT_ANSWERABLE, UNLABELLED, UNUSABLE
from ragdebug.runs import DEPTH, DONE, FAILED, STOPPED, Run
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    StrategySettings,
    fingerprint,
)
from ragdebug.workbench.evaluation.lists import (
    ScoredBefore,
    measuring,
    ranked_lists,
)
from ragdebug.workbench.evaluation.naming import short_text
from ragdebug.workbench.evaluation.pairs import score_all
from ragdebug.workbench.evaluation.preparing import (
    Embedded,
    Preparing,
    Row,
    cheapest_first,
    planned_run,
)
from ragdebug.workbench.evaluation.reports import EvaluationReport, PlannedRun

PACKAGES = ("bm25s", "faiss-cpu", "sentence-transformers", "torch", "tokenizers", "numpy")


class Evaluating(Preparing):
    """Use cases of running strategies over questions."""

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
        wanted = cheapest_first(strategies)
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
        memo = Embedded()
        runs: list[Run] = []
        waiting: list[PlannedRun] = []
        failed: list[tuple[str, str]] = []
        for strategy in wanted:
            questions, sampled = self._chosen(strategy, slice, sample, seed)
            if strategy.uses_vectors:
                self.build(strategy.chunking, strategy.embedder, progress, allow_download)
                self.build_approximate(strategy, progress)
            try:
                with self._asking_for_run(strategy):
                    row = self._row(strategy, questions, sampled, memo, progress)
            except Cancelled:
                raise
            except RagDebugError as e:
                if strategy.preset != "searcher" or len(wanted) == 1:
                    raise
                failed.append((str(strategy), str(e)))
                continue
            planned = planned_run(strategy, len(questions), sampled, row, 0)
            if planned.waits and not yes and not sampled:
                waiting.append(planned)
                continue
            if row.pairs is not None:
                self._ask_to_rerank(model_info(strategy.rerank.model), row.pairs)
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
            failed=tuple(failed),
        )

    # One strategy ---------------------------------------------------------------------------------

    def _run(self, row: Row, tag: str, seed: int, note: str, progress: Progress) -> Run:
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
            _at_hand(row)
            batches = ranked_lists(
                [row.questions[at].text for at in todo],
                None if row.vectors is None else row.vectors[todo],
                measuring(row.strategy),
                row.resources,
                self._tokens_in_context(row.resources.table),
                DEPTH,
                progress,
            )
            for batch in batches:
                some = todo[batch.at : batch.at + len(batch.spans)]
                for name, spent in batch.stages.items():
                    if name != "reranked":
                        seconds[name] = seconds.get(name, 0.0) + spent
                unknown = remembered or row.strategy.preset == "list"  # made on an earlier day
                took = np.full(len(some), np.nan) if unknown else batch.seconds + each
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

    def _score(self, row: Row, seconds: dict[str, float], progress: Progress) -> bool:
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

    def _new_run(self, row: Row, tag: str, seed: int, note: str) -> Run:
        strategy = row.strategy
        corpus = self.corpus().fingerprint
        questions = fingerprint(row.names)
        models = [model_info(strategy.embedder).fingerprint] if strategy.uses_vectors else []
        if strategy.preset == "reranked":
            models.append(model_info(strategy.rerank.model).fingerprint)
        packages = {"ragdebug": ragdebug.__version__, "chunker": str(CHUNKER_VERSION)}
        packages |= {name: metadata.version(name) for name in PACKAGES}
        if outside := self._outside_version(strategy):
            packages[strategy.title] = outside  # other content is another experiment
        same = [corpus, questions, str(strategy), models, packages, DEPTH, row.sampled, seed]
        if brought := self.brought(strategy.chunking):
            same.append(brought)
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


def _at_hand(row: Row) -> None:
    """Make or load the indexes of a row before any search is timed."""
    strategy = row.strategy
    if strategy.uses_bm25:
        row.resources.bm25(strategy.bm25)
    if strategy.uses_vectors:
        row.resources.dense(strategy.embedder, strategy.dense)
