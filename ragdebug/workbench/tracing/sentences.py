"""Where an answer was lost, in words made from the facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ragdebug.counting import many
from ragdebug.workbench.tracing.reports import DELIVERED, ChunkFacts, NeedTrace, PathStep, WhyReport

NAMES = {"vector": "vector", "bm25": "BM25", "fused": "fused", "reranked": "reranked"}
NOWHERE = ("not_in_corpus", "lost_in_parsing")  # where labels that cannot be used may stand
Facts = Mapping[str, Any]


def sentence(report: WhyReport) -> str:
    """One sentence on the need that was lost first."""
    step = next((s for s in report.path if s.stage == report.stage), None)
    return "" if step is None else said(step)


def said(step: PathStep) -> str:
    """What one stage did to the passage that it lost, or that was delivered, in a sentence."""
    return _SENTENCES[step.stage](step.facts)


def unmeasured(need: NeedTrace) -> str:
    """Why Results leaves a need out, and what mends it; "" where it measures it."""
    if need.measured:
        return ""
    if need.stage in NOWHERE:
        return (
            "Not measured: its label stands nowhere. Mark on Questions where it stands, or load "
            "the document that has it."
        )
    return "Not measured: its label waits for a yes on Questions."


def short(step: PathStep) -> str:
    """What is known at one stage in a few words, "" where there is nothing to say."""
    words = _SHORT.get(step.stage)
    return "" if words is None else words(step.facts)


def ranks(found: Mapping[str, int | None], none: str = "not at all") -> str:
    """``vector 3 · BM25 not at all``."""
    return " · ".join(
        f"{NAMES.get(name, name)} {none if rank is None else f'{rank:,}'}"
        for name, rank in found.items()
    )


def short_of(chunk: ChunkFacts, name: str) -> str:
    """``in``, or by how much a chunk misses the last one that a list admits, and which that is.

    Such as ``0.0185 · last candidate (rank 50)``.
    """
    rank, gap, last = chunk.ranks.get(name), chunk.gap.get(name), chunk.admitted.get(name, 0)
    if rank is not None and rank <= last:
        return "in"
    if gap is None:
        return "\u2013"
    if name in ("vector", "bm25") and "fused" in chunk.ranks:
        which = "candidate"
    else:
        which = "in the pool" if name == "fused" and "reranked" in chunk.ranks else "shown"
    by = _score(gap) if gap else "level"
    if rank is None and name == "reranked" and not gap:
        by = "would be in"
    return f"{by} \u00b7 last {which} (rank {last:,})"


def _whole(value: float) -> str:
    return f"{value:.0%}"


def _score(value: float) -> str:
    return f"{value:.4g}"


def _not_in_corpus(f: Facts) -> str:
    return f"It is not in the corpus. {f.get('why', '')}".strip()


def _lost_in_parsing(f: Facts) -> str:
    page = f" on page {f['page']}" if "page" in f else ""
    source = f" in {f['source']}" if "source" in f else ""
    if f.get("page") in f.get("pages_unknown", {}).get(f.get("source"), []):
        return (
            f"Page {f['page']} of {f['source']} has no text layer: what stands on it cannot be "
            "known from its text, and is not searched."
        )
    return f"The parser lost it: {f.get('reader', 'another reader')} sees it{page}{source}, " \
        "the text that is searched does not have it."  # fmt: skip


def _filtered_out(f: Facts) -> str:
    return (
        f"The filter keeps its document out; {f['allowed']:,} of {f['chunks']:,} chunks are let "
        "through."
    )


def _cut(f: Facts) -> str:
    pieces = [p for p in f["pieces"] if p["coverage"] > 0][:3]
    if not pieces:
        return "No chunk holds it."
    held = [
        f"{_whole(p['coverage'])} "
        + ("did not come in" if p["rank"] is None else f"stands at rank {p['rank']:,}")
        for p in pieces
    ]
    return f"It is cut: no chunk holds it whole; {', '.join(held)}."


def _beyond_window(f: Facts) -> str:
    return (
        f"The model reads {f['window']:,} of the chunk's {f['tokens']:,} tokens, and "
        f"{_whole(f['read'])} of the passage."
    )


def _not_retrieved(f: Facts) -> str:
    if "returned" in f:
        return _below_returned(f)
    if not f.get("ranks"):
        return "Nothing was searched for."
    missed = " An exact search would have found it." if f.get("missed") else ""
    gives = "each list gives" if len(f["ranks"]) > 1 else "the list gives"
    return f"It is not among the candidates: {ranks(f['ranks'])}; {gives} {f['depth']:,}.{missed}"


def _below_returned(f: Facts) -> str:
    """What another system's list does not hold may stand below its end."""
    n = f["returned"]
    if not n:
        return f"{f['who']} returned nothing: whether it has the passage cannot be known."
    part = f" One holds {_whole(f['share'])} of it." if f["parts"] else ""
    return (
        f"It is not among the {many(n, 'hit')} that {f['who']} returned.{part}"
        " What stands below them cannot be known."
    )


def _lost_in_fusion(f: Facts) -> str:
    rank = f.get("rank")
    place = "not at all" if rank is None else f"rank {rank:,}"
    return (
        f"Fusion lost it: {place} where {f['admitted']:,} go on; alone {ranks(f['lists'])}."
        f"{_missing(f, 'that goes on')}"
    )


def _lost_in_rerank(f: Facts) -> str:
    """It lost what stood better before; else it did not bring up what the candidates' order had."""
    rank, before = f["rank"], f.get("before")
    at = f"rank {rank:,} of {f['pool']:,}"
    if not before or before < rank:
        said = f"The reranker lost it: {at}" + (f", rank {before:,} before" if before else "")
    elif before == rank:
        said = f"The reranker did not bring it up: {at}, as before"
    else:
        said = f"The reranker did not bring it up far enough: {at}, rank {before:,} before"
    return f"{said}.{_missing(f)}"


def _below_k(f: Facts) -> str:
    k = f["admitted"]
    shown = "only the first is shown" if k == 1 else f"the first {k:,} are shown"
    return f"It stands at rank {f['rank']:,}, and {shown}.{_missing(f)}"


def _below_minimum(f: Facts) -> str:
    score = "without a score" if f["score"] is None else f"at {_score(f['score'])}"
    return f"It stands {score}, below the minimum score of {_score(f['minimum'])}."


def _over_budget(f: Facts) -> str:
    tokens = "more" if f["tokens"] is None else f"{f['tokens']:,}"
    return f"The context would need {tokens} tokens to hold it; the budget is {f['budget']:,}."


def _delivered(f: Facts) -> str:
    return f"It is delivered: rank {f['rank']:,} of {f['k']:,}."


def _missing(f: Facts, admitted: str = "shown") -> str:
    """By how much it misses the last one admitted."""
    if "short" not in f:
        return ""
    places = many(f["short"], "place")
    gap = f.get("gap")
    if gap == 0:
        return f" {places} short; its score ties with the last one {admitted}."
    # Lists of other systems need not fall; what scores higher is not short of anything.
    return f" {places}{f' and {_score(gap)}' if gap is not None and gap > 0 else ''} short."


_SENTENCES: Mapping[str, Callable[[Facts], str]] = MappingProxyType(
    {
        "not_in_corpus": _not_in_corpus,
        "lost_in_parsing": _lost_in_parsing,
        "filtered_out": _filtered_out,
        "cut": _cut,
        "beyond_window": _beyond_window,
        "not_retrieved": _not_retrieved,
        "lost_in_fusion": _lost_in_fusion,
        "lost_in_rerank": _lost_in_rerank,
        "below_k": _below_k,
        "below_minimum_score": _below_minimum,
        "over_budget": _over_budget,
        DELIVERED: _delivered,
    }
)


def _candidates(f: Facts) -> str:
    if "returned" in f:
        return f"#{f['rank']:,}" if f["rank"] else f"below {f['returned']:,}: cannot know"
    return ranks(f.get("ranks", {}), "\u2013")


def _rank(f: Facts) -> str:
    rank = f.get("rank")
    return "" if rank is None else f"#{rank:,}"


_SHORT: Mapping[str, Callable[[Facts], str]] = MappingProxyType(
    {
        "lost_in_parsing": lambda f: "cannot know" if "pages_unknown" in f else "",
        "filtered_out": lambda f: f"{f['allowed']:,} of {f['chunks']:,} chunks" if f else "",
        "cut": lambda f: (
            " | ".join(_whole(p["coverage"]) for p in f["pieces"][:3]) if f.get("pieces") else ""
        ),
        "beyond_window": lambda f: (
            f"reads {_whole(f['read'])}" if f.get("window") and f.get("beyond") else ""
        ),
        "not_retrieved": _candidates,
        "lost_in_fusion": _rank,
        "lost_in_rerank": _rank,
        "below_k": _rank,
        "below_minimum_score": lambda f: _score(f["score"]) if f.get("score") is not None else "",
        "over_budget": lambda f: (
            f"{f['tokens']:,} of {f['budget']:,}" if f.get("tokens") is not None else ""
        ),
        DELIVERED: _rank,
    }
)
