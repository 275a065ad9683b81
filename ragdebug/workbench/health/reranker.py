"""A reranker that leaves the order as it was: time spent for nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ragdebug.counting import many
from ragdebug.questions import Question
from ragdebug.records import ResultList
from ragdebug.runs import RunResults
from ragdebug.settings import StrategySettings
from ragdebug.workbench.health.findings import (
    NOTE,
    RESULTS,
    SEARCH,
    WARNING,
    Finding,
    Where,
    finding,
)

SAMPLE = 20  # questions of a run that are searched again, without the reranker
Place = tuple[str, int, int]  # document, start, end


def gives_scores(strategy: StrategySettings) -> bool:
    """Whether a strategy has a reranker that reads texts."""
    return strategy.preset == "reranked" and strategy.rerank.model != "identity"


def of_settings(strategy: StrategySettings) -> list[Finding]:
    """The reranker that keeps the order, by its name."""
    if strategy.preset != "reranked" or strategy.rerank.model != "identity":
        return []
    made = finding(
        "reranker",
        NOTE,
        "The reranker identity keeps the order of its candidates.",
        1,
        1,
        [Where(SEARCH, "Its list", strategy=str(strategy))],
    )
    return [replace(made, strategies=(str(strategy),))]


def of_run(
    results: RunResults,
    strategy: StrategySettings,
    questions: Callable[[str], Question | None],
    before: Callable[[Sequence[str]], list[list[Place]]],
    seed: int = 0,
) -> list[Finding]:
    """A kept run against the order that its candidates had.

    Args:
        results: the run with its lists.
        strategy: the run's; reranked.
        questions: question by id, as it was asked.
        before: for some queries the fused lists, as deep as the pool.
        seed: of the questions that are drawn.
    """
    spans = results.spans
    asked = [at for at in range(len(spans)) if spans.first[at + 1] - spans.first[at] > 1]
    if len(asked) > SAMPLE:
        drawn = np.random.default_rng(seed).choice(len(asked), SAMPLE, replace=False)
        asked = [asked[at] for at in sorted(drawn.tolist())]
    known = [(at, q) for at in asked if (q := questions(results.questions[at][0])) is not None]
    if not known:
        return []
    fused = before([q.text for _, q in known])
    changed = sum(
        _places(results, at, strategy.k) != there[: strategy.k]
        for (at, _), there in zip(known, fused, strict=True)
    )
    if changed:
        return []
    drawn_of = f", drawn of {len(results.questions):,}" if len(asked) == SAMPLE else ""
    made = finding(
        "reranker",
        WARNING,
        f"In run {results.run.id} {strategy.rerank.model} changed {_first(strategy.k)} of "
        f"none of {many(len(known), 'question')}{drawn_of}.",
        len(known),
        len(known),
        [Where(RESULTS, results.run.label or results.run.id, run=results.run.id)],
    )
    return [replace(made, strategies=(str(strategy),), runs=(results.run.id,))]


def _first(k: int) -> str:
    return "the first hit" if k == 1 else f"the first {k:,} hits"


def _places(results: RunResults, question: int, most: int) -> list[Place]:
    spans = results.spans
    first, end = spans.first[question : question + 2].tolist()
    rows = range(first, min(end, first + most))
    return [
        (spans.documents[spans.document[r]][0], int(spans.start[r]), int(spans.end[r]))
        for r in rows
    ]


def of_list(result: ResultList) -> list[Finding]:
    """One search whose pool came out of the reranker as it went in."""
    trace = result.trace
    reranked = trace.stage("reranked")
    if reranked is None or len(trace.stages) < 3:
        return []
    before = trace.stages[-3].rows
    pool = int(trace.extras.get("pool", 0))
    if pool < 2 or not np.array_equal(before[:pool], reranked.rows[:pool]):
        return []
    made = finding(
        "reranker",
        NOTE,
        f"The reranker left all {pool:,} candidates in the order they had.",
        pool,
        pool,
    )
    return [replace(made, strategies=(result.strategy,))]
