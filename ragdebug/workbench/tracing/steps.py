"""The facts of each stage on a place's way, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ragdebug.diagnose.decide import window_decides
from ragdebug.diagnose.facts import PlaceFacts
from ragdebug.diagnose.holding import Held
from ragdebug.workbench.tracing.reports import ChunkFacts
from ragdebug.workbench.tracing.resolving import Resolved
from ragdebug.workbench.tracing.standing import Standing

Plain = dict[str, Any]


class _Known(NamedTuple):
    facts: PlaceFacts
    chunks: Sequence[ChunkFacts]
    held: Held | None
    resolved: Resolved
    standing: Standing
    more: Mapping[str, Any]


def step_facts(
    stage: str,
    facts: PlaceFacts,
    chunks: Sequence[ChunkFacts],
    held: Held | None,
    resolved: Resolved,
    standing: Standing,
    more: Mapping[str, Any],
) -> Plain:
    """What is known at one stage; ranks and scores are of the place, by the rule of the measures.

    Args:
        stage: one of `STAGES`.
        facts: of the place.
        chunks: those that hold some of it, best first.
        held: the place against the chunks; None when it stands nowhere.
        resolved: the place.
        standing: the strategy's lists.
        more: why it stands nowhere, and what second readers say.
    """
    if held is None and stage not in ("not_in_corpus", "lost_in_parsing"):
        return {}
    return _FACTS[stage](_Known(facts, chunks, held, resolved, standing, more))


def _in_corpus(x: _Known) -> Plain:
    place = x.resolved.place
    return {"source": place.source} | {k: x.more[k] for k in ("why", "label") if k in x.more}


def _parsed(x: _Known) -> Plain:
    names = ("reader", "source", "page", "reads", "pages_unknown", "not_read")
    return {k: x.more[k] for k in names if k in x.more}


def _filter(x: _Known) -> Plain:
    return {
        "filter": [list(pair) for pair in x.standing.strategy.filter],
        "allowed": x.standing.resources.allowed,
        "chunks": len(x.standing.resources.table),
    }


def _cut(x: _Known) -> Plain:
    held = x.held
    assert held is not None
    pieces = [
        {"chunk": c.id, "coverage": c.coverage, "rank": x.standing.ranked.rank_of(c.row)}
        for c in x.chunks
    ]
    return {"whole": len(held.whole), "pieces": pieces if not len(held.whole) else []}


def _window(x: _Known) -> Plain:
    best = x.chunks[0] if x.chunks else None
    if best is None or best.window is None:
        return {"window": None}
    return {
        "tokens": best.tokens,
        "window": best.window,
        "beyond": best.beyond,
        "read": max(c.seen for c in x.chunks),
        "decides": window_decides(x.standing.strategy),
    }


def _candidates(x: _Known) -> Plain:
    held, standing = x.held, x.standing
    assert held is not None
    if standing.returned is not None:
        return {
            "returned": len(standing.returned),
            "parts": len(held.rows),
            "share": max((held.share(row) for row in held.rows.tolist()), default=0.0),
            "rank": held.position(standing.ranked.rows),
            "who": standing.strategy.title,
        }
    ranks = {name: held.rank_by(whole.rank) for name, whole in standing.over_all.items()}
    missed = [
        name
        for name, rank in ranks.items()
        if rank is not None
        and rank <= standing.depth
        and held.position(standing.lists[name].rows) is None
    ]
    return {"ranks": ranks, "depth": standing.depth} | ({"missed": missed} if missed else {})


def _fusion(x: _Known) -> Plain:
    standing, fused, held = x.standing, x.standing.fused, x.held
    if fused is None or held is None:  # nothing was searched for
        return {}
    admitted = standing.strategy.k
    if standing.reranked is not None:
        admitted = standing.strategy.rerank.pool
    return _rank(held.position(fused.rows), fused.scores, admitted) | {"lists": dict(x.facts.lists)}


def _rerank(x: _Known) -> Plain:
    standing, made, fused = x.standing, x.standing.reranked, x.standing.fused
    held = x.held
    if made is None or fused is None or held is None:
        return {}
    rank = held.position(standing.pool)
    facts = _rank(rank, made.scores, standing.strategy.k)
    would = [c.would_rank for c in x.chunks if c.row in held.whole and c.would_rank is not None]
    return facts | {
        "before": held.position(fused.rows),
        "pool": len(standing.pool),
        "would_rank": rank or min(would, default=None),
    }


def _below_k(x: _Known) -> Plain:
    ranked = x.standing.ranked
    return _rank(x.facts.ranked, ranked.scores, x.standing.strategy.k)


def _minimum(x: _Known) -> Plain:
    ranked, rank = x.standing.ranked, x.facts.ranked
    score = float(ranked.scores[rank - 1]) if rank and rank <= len(ranked) else None
    return {"score": score, "minimum": x.standing.strategy.minimum}


def _budget(x: _Known) -> Plain:
    tokens = x.facts.tokens if x.facts.tokens >= 0 else None
    return {"tokens": tokens, "budget": x.standing.strategy.budget}


def _delivered(x: _Known) -> Plain:
    return {"rank": x.facts.admitted, "k": x.standing.strategy.k}


def _rank(rank: int | None, scores: Any, admitted: int) -> Plain:  # noqa: ANN401 - an array
    """Rank, how many are admitted, and by how much the place misses the last of them."""
    facts: Plain = {"rank": rank, "admitted": admitted}
    if rank is not None and rank > admitted and rank <= len(scores):
        facts["short"] = rank - admitted
        gap = float(scores[admitted - 1] - scores[rank - 1])
        facts["gap"] = gap if gap == gap else None
    return facts


_FACTS: Mapping[str, Callable[[_Known], Plain]] = MappingProxyType(
    {
        "not_in_corpus": _in_corpus,
        "lost_in_parsing": _parsed,
        "filtered_out": _filter,
        "cut": _cut,
        "beyond_window": _window,
        "not_retrieved": _candidates,
        "lost_in_fusion": _fusion,
        "lost_in_rerank": _rerank,
        "below_k": _below_k,
        "below_minimum_score": _minimum,
        "over_budget": _budget,
        "delivered": _delivered,
    }
)
