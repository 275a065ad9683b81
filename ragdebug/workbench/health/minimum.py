"""A minimum score that no hit reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ragdebug.counting import many
from ragdebug.questions import Question
from ragdebug.records import ResultList
from ragdebug.runs import RunResults
from ragdebug.settings import StrategySettings
from ragdebug.workbench.health.findings import (
    RESULTS,
    SEARCH,
    SERIOUS,
    Finding,
    Where,
    finding,
    graded,
)

SHOWN = 4


def highest(strategy: StrategySettings) -> tuple[float, str] | None:
    """The highest score a strategy can give, and what kind of score it is; None where unbounded."""
    if strategy.preset == "vector":
        return 1.0, "a cosine"
    if strategy.preset == "hybrid":
        weights = sum(strategy.fusion.weight(name) for name in ("vector", "bm25"))
        if strategy.fusion.method == "rrf":
            return weights / (strategy.fusion.k + 1), f"RRF with k {strategy.fusion.k:g}"
        return weights, "a weighted sum"
    return None


def of_settings(strategy: StrategySettings) -> list[Finding]:
    """A minimum above the highest score that there is."""
    top = highest(strategy)
    if strategy.minimum is None or top is None or strategy.minimum <= top[0] + 1e-12:
        return []
    made = finding(
        "minimum",
        SERIOUS,
        f"A minimum of {strategy.minimum:g} removes every hit: {top[1]} is never above "
        f"{top[0]:.4g}.",
        1,
        1,
        [Where(SEARCH, "The list with and without it", strategy=str(strategy))],
    )
    return [replace(made, strategies=(str(strategy),))]


def of_run(
    results: RunResults,
    strategy: StrategySettings,
    questions: Callable[[str], Question | None],
    would_find: Callable[[str], bool],
) -> list[Finding]:
    """Questions of a kept run that a minimum score leaves without any hit.

    Args:
        results: the run with its lists.
        strategy: the run's.
        questions: question by id, as it was asked.
        would_find: whether a query has any hit without the minimum.
    """
    if strategy.minimum is None:
        return []
    empty = np.flatnonzero(np.diff(results.spans.first) == 0).tolist()
    ids = [results.questions[at][0] for at in empty if not results.errors[at]]
    silent = [q for i in ids if (q := questions(i)) is not None and would_find(q.text)]
    if not silent:
        return []
    made = finding(
        "minimum",
        graded(len(silent) / len(results.questions), serious=0.9),
        f"In run {results.run.id} the minimum of {strategy.minimum:g} removed every hit of "
        f"{len(silent):,} of {many(len(results.questions), 'question')}.",
        len(silent),
        len(results.questions),
        [
            Where(RESULTS, results.run.label or results.run.id, run=results.run.id),
            *(Where(SEARCH, q.text, query=q.text, strategy=str(strategy)) for q in silent[:SHOWN]),
        ],
    )
    return [replace(made, strategies=(str(strategy),), runs=(results.run.id,))]


def of_list(result: ResultList) -> list[Finding]:
    """One search whose every candidate is below the minimum."""
    strategy = StrategySettings.parse(result.strategy) if result.strategy else None
    stages = result.trace.stages
    if strategy is None or strategy.minimum is None or result.hits or len(stages) < 2:
        return []
    scores = stages[-2].scores[np.isfinite(stages[-2].scores)]
    if not len(scores):
        return []
    made = finding(
        "minimum",
        SERIOUS,
        f"The minimum of {strategy.minimum:g} removed all {many(len(scores), 'candidate')}; the "
        f"best has {scores.max():.4g} ({stages[-2].score_kind}).",
        len(scores),
        len(scores),
    )
    return [replace(made, strategies=(result.strategy,))]
