"""Checks on kept runs; some search a few of their questions again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdebug.errors import RagDebugError
from ragdebug.pipeline import run as run_stages
from ragdebug.protocols import Progress
from ragdebug.runs import Run
from ragdebug.settings import StrategySettings
from ragdebug.workbench.evaluation import Evaluating
from ragdebug.workbench.health import minimum, reranker
from ragdebug.workbench.health.findings import Finding


class RunChecks(Evaluating):
    """What a run's lists tell about its own settings."""

    def _run_minimum(self, run: Run, progress: Progress) -> list[Finding]:
        strategy = StrategySettings.parse(run.strategy)
        if strategy.minimum is None:
            return []
        resources = self._resources(strategy, progress)
        mask = resources.mask

        def would_find(query: str) -> bool:
            if not resources.allowed:
                return False
            if strategy.uses_vectors:
                return True
            rows, _ = resources.bm25(strategy.bm25).search(query, 1, mask)
            return bool(len(rows))

        return minimum.of_run(self.results(run.id), strategy, self.asked(run.id).get, would_find)

    def _run_reranker(self, run: Run, progress: Progress) -> list[Finding]:
        strategy = StrategySettings.parse(run.strategy)
        if not reranker.gives_scores(strategy):
            return []
        if run.corpus != self.corpus().fingerprint:
            raise RagDebugError(
                f"Run {run.id} was made on another state of the corpus.", hint="Evaluate again."
            )
        resources = self._resources(strategy, progress)
        table = resources.table
        # A part-built list would have another order than the run had.
        resources.dense = lambda name, s: self.indexes.complete(table, name, s)
        without = replace(strategy, preset="hybrid", minimum=None)

        def before(queries: Sequence[str]) -> list[list[reranker.Place]]:
            lists = []
            for at, query in enumerate(queries):
                progress(at, len(queries), "questions searched again")
                fused = run_stages(query, without, resources).stage("fused")
                rows = fused.rows[: strategy.rerank.pool].tolist() if fused is not None else []
                lists.append(
                    [
                        (table.document(r).id, int(table.spans[r, 0]), int(table.spans[r, 1]))
                        for r in rows
                    ]
                )
            return lists

        return reranker.of_run(self.results(run.id), strategy, self.asked(run.id).get, before)
