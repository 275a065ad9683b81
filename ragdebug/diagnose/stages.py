"""The stages at which an answer can be lost, in the order in which they come."""

from __future__ import annotations

from collections.abc import Iterable

from ragdebug.settings import StrategySettings

STAGES = (
    "not_in_corpus",
    "lost_in_parsing",
    "filtered_out",
    "cut",
    "beyond_window",
    "not_retrieved",
    "lost_in_fusion",
    "lost_in_rerank",
    "below_k",
    "below_minimum_score",
    "over_budget",
    "delivered",
)
DELIVERED = STAGES[-1]

# What a place has passed when it was not lost there.
LABELS = {
    "not_in_corpus": "in corpus",
    "lost_in_parsing": "parsed",
    "filtered_out": "filter",
    "cut": "one chunk holds it",
    "beyond_window": "in window",
    "not_retrieved": "candidates",
    "lost_in_fusion": "fusion",
    "lost_in_rerank": "rerank",
    "below_k": "first k",
    "below_minimum_score": "minimum score",
    "over_budget": "token budget",
    "delivered": "delivered",
}


def stages_of(strategy: StrategySettings) -> tuple[str, ...]:
    """The stages that a strategy has, in order; the last one is `DELIVERED`."""
    has = {
        "filtered_out": bool(strategy.filter),
        "beyond_window": strategy.uses_vectors,
        "lost_in_fusion": strategy.preset in ("hybrid", "reranked"),
        "lost_in_rerank": strategy.preset == "reranked",
        "below_k": strategy.preset != "reranked",
        "below_minimum_score": strategy.minimum is not None,
        "over_budget": strategy.budget is not None,
    }
    return tuple(stage for stage in STAGES if has.get(stage, True))


def furthest(stages: Iterable[str]) -> str:
    """The stage of a need: that of its place that got furthest, since any place is enough."""
    return max(stages, key=STAGES.index)


def earliest(stages: Iterable[str]) -> str:
    """The stage of a question: that of its need that was lost first, since all are asked for."""
    return min(stages, key=STAGES.index)
