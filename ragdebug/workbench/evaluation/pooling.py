"""Hits of several runs, pooled for a judge who does not see which list they came from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragdebug.errors import RagDebugError
from ragdebug.questions import Question
from ragdebug.records import Place, Span
from ragdebug.settings import fingerprint
from ragdebug.workbench.evaluation.per_question import PerQuestion
from ragdebug.workbench.evaluation.reports import JudgeItem
from ragdebug.workbench.questions import Questions

MOST_RUNS = 8


class Pooling(Questions, PerQuestion):
    """Use cases of judging."""

    def judge_queue(self, runs: Sequence[str] = (), k: int = 5, seed: int = 0) -> list[JudgeItem]:
        """Hits that nobody has judged yet: most disputed questions first, each in random order.

        A question's dispute is the mean of its hits'. Passages that overlap by more than half of
        the shorter are one. What a label or a rejected place already covers is left out.

        Args:
            runs: ids; the newest ones of different strategies when none are given.
            k: only the first k of each run.
            seed: of the order; the same seed gives the same order.
        """
        chosen = list(runs) or self._newest()
        pools: dict[str, list[_Pooled]] = {}
        for run in chosen:
            results = self.results(run)
            for at, (question, _) in enumerate(results.questions):
                pool = pools.setdefault(question, [])
                first = int(results.spans.first[at])
                for i in range(first, min(first + k, int(results.spans.first[at + 1]))):
                    document, version, source = results.spans.documents[
                        int(results.spans.document[i])
                    ]
                    start, end = int(results.spans.start[i]), int(results.spans.end[i])
                    _pool(pool, run, Place(document, version, source, start, end))
        questions = {q.id: q for q in self.questions()}
        queue: list[tuple[float, str, list[JudgeItem]]] = []
        for question, pool in pools.items():
            if question in questions and not questions[question].not_answerable:
                one = questions[question]
                items = self._items(one, pool, len(chosen), seed)
                if items:
                    dispute = float(np.mean([i.dispute for i in items]))
                    queue.append((-dispute, one.text, items))
        queue.sort(key=lambda entry: entry[:2])
        return [item for _, _, items in queue for item in items]

    def _newest(self) -> list[str]:
        newest: dict[str, str] = {}
        for run in self.runs():
            if run.state == "done":
                newest.setdefault(run.strategy, run.id)
        return list(newest.values())[:MOST_RUNS]

    def _items(
        self, question: Question, pool: list[_Pooled], runs: int, seed: int
    ) -> list[JudgeItem]:
        judged = [*question.rejected, *(p for n in question.needs for p in n.places)]
        left = []
        for one in pool:
            try:
                version = self.info(one.place.document).version
            except RagDebugError:
                continue  # the document is gone
            if version == one.place.version and not any(_same(one.place, j) for j in judged):
                left.append(one)
        order = np.random.default_rng(int(fingerprint([seed, question.id]), 16) % 2**32)
        mixed = [left[i] for i in order.permutation(len(left)).tolist()]
        return [
            JudgeItem(question, one.place, 1 - len(one.runs) / runs, len(mixed) - at)
            for at, one in enumerate(mixed)
        ]


class _Pooled:
    """A passage and the runs that have it."""

    def __init__(self, place: Place, run: str) -> None:
        self.place = place
        self.runs = {run}


def _pool(pool: list[_Pooled], run: str, place: Place) -> None:
    for one in pool:
        if _same(one.place, place):
            one.runs.add(run)
            return
    pool.append(_Pooled(place, run))


def _same(a: Place, b: Place) -> bool:
    """Whether two places share more than half of the shorter."""
    if (a.document, a.version) != (b.document, b.version):
        return False
    return Span(a.start, a.end).mostly(Span(b.start, b.end))
