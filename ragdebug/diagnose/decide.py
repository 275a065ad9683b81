"""The stage that lost a place: the first one of the strategy that applies to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ragdebug.diagnose.facts import PlaceFacts
from ragdebug.diagnose.stages import DELIVERED, stages_of
from ragdebug.settings import StrategySettings

Rule = Callable[[PlaceFacts, StrategySettings], bool]


def decide(facts: PlaceFacts, strategy: StrategySettings) -> str:
    """Where a place was lost; `DELIVERED` by the rule of the measures, whatever else is odd."""
    if _delivered(facts, strategy):
        return DELIVERED
    return next(s for s in stages_of(strategy) if applies(s, facts, strategy))


def applies(stage: str, facts: PlaceFacts, strategy: StrategySettings) -> bool:
    """Whether a stage alone would have lost the place; stages before it are not looked at."""
    return _RULES[stage](facts, strategy)


def window_decides(strategy: StrategySettings) -> bool:
    """Whether every list that counts reads through the model's window."""
    if strategy.preset == "vector":
        return True
    return strategy.preset != "bm25" and strategy.fusion.weight("bm25") == 0


def _within(rank: int | None, k: int) -> bool:
    return rank is not None and rank <= k


def _delivered(facts: PlaceFacts, strategy: StrategySettings) -> bool:
    return (
        facts.in_corpus
        and _within(facts.admitted, strategy.k)
        and (strategy.budget is None or 0 <= facts.tokens <= strategy.budget)
    )


def _cut(facts: PlaceFacts, strategy: StrategySettings) -> bool:
    """Of another system's chunks only those that it returned are known: two of them must hold it.

    One that holds a part, or none, says nothing of what stands below.
    """
    return not facts.whole and (facts.parts > 1 or not strategy.is_outside)


def _lost_in_fusion(facts: PlaceFacts, strategy: StrategySettings) -> bool:
    """Without a reranker: a list alone has it in the first k, the fused one does not."""
    if strategy.preset == "reranked":
        return not facts.in_pool
    alone = any(_within(rank, strategy.k) for rank in facts.lists.values())
    return alone and not _within(facts.ranked, strategy.k)


def _over_budget(facts: PlaceFacts, strategy: StrategySettings) -> bool:
    if strategy.budget is None or not _within(facts.admitted, strategy.k):
        return False
    return not 0 <= facts.tokens <= strategy.budget


_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "not_in_corpus": lambda f, s: not f.in_corpus and not f.seen,
        "lost_in_parsing": lambda f, s: not f.in_corpus and f.seen,
        "filtered_out": lambda f, s: not f.allowed,
        "cut": _cut,
        "beyond_window": lambda f, s: not f.read and window_decides(s),
        "not_retrieved": lambda f, s: not f.candidate,
        "lost_in_fusion": _lost_in_fusion,
        "lost_in_rerank": lambda f, s: not _within(f.ranked, s.k),
        "below_k": lambda f, s: not _within(f.ranked, s.k),
        "below_minimum_score": lambda f, s: _within(f.ranked, s.k) and not _within(f.admitted, s.k),
        "over_budget": _over_budget,
        "delivered": _delivered,
    }
)
