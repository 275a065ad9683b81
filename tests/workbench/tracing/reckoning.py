"""Where a passage is lost, reckoned the long way: whole lists, sets of characters, one if a stage.

Nothing of the tracing code is used; the lists come from searches so deep that nothing is cut.
"""

from __future__ import annotations

import math

from ragdebug import Workbench
from ragdebug.records import Chunk, Place
from ragdebug.settings import StrategySettings
from ragdebug.workbench import filters

ALL = 1000


def _list(wb: Workbench, query: str, one: StrategySettings, preset: str) -> list[Chunk]:
    deep = StrategySettings.parse(
        f"{preset}@{one.chunking}+model={one.embedder}+k={ALL}+depth={ALL}"
    )
    found = wb.search(query, [deep], filter=one.filter, remember=False).lists[preset]
    assert not found.error
    return [hit.chunk for hit in found.hits]


def _solid(wb: Workbench, place: Place) -> set[int]:
    text = wb.document(place.document, place.version).text
    return {i for i in range(place.start, place.end) if not text[i].isspace()}


def _holds(wb: Workbench, chunks: list[Chunk], place: Place, share: float) -> bool:
    wanted, got = _solid(wb, place), set[int]()
    for chunk in chunks:
        if chunk.document == place.document:
            got |= wanted & set(range(chunk.start, chunk.end))
    return len(got) >= math.ceil(share * len(wanted) - 1e-9)


def reckon(wb: Workbench, query: str, place: Place, text: str, share: float = 0.9) -> str:
    """The stage of one place; `text` is a strategy of RRF and a reranker by length."""
    one = StrategySettings.parse(text)
    active = {d.id: d for d in wb._active()}
    if place.document not in active or active[place.document].version != place.version:
        return "not_in_corpus"
    depth = max(one.depth, one.k)
    vector = _list(wb, query, one, "vector")[:depth] if one.preset != "bm25" else []
    bm25 = _list(wb, query, one, "bm25")[:depth] if one.preset != "vector" else []
    lists = [x for x in (vector, bm25) if x]
    if one.preset in ("vector", "bm25"):
        order = vector or bm25
    else:
        order = sorted(
            {c.id: c for x in lists for c in x}.values(),
            key=lambda c: (
                -math.fsum(1 / (60 + x.index(c) + 1) for x in lists if c in x),
                c.source,
                c.start,
            ),
        )
    fused = list(order)
    pool = fused[: one.rerank.pool]
    if one.preset == "reranked":
        order = sorted(pool, key=lambda c: -len(c.index_text)) + fused[one.rerank.pool :]
    first = order[: one.k]
    kept = first
    if one.minimum is not None:
        # Only the reranker's score can be told by eye.
        kept = [c for c in first if len(c.index_text) >= one.minimum]
    inside = list(kept)
    if one.budget is not None:
        from ragdebug.tokens import counter

        count = counter("all-MiniLM-L6-v2").count
        while inside and sum(count(c.index_text) for c in inside) > one.budget:
            inside.pop()
    # Delivered?
    if _holds(wb, inside, place, share):
        return "delivered"
    if not filters.matches(active[place.document], one.filter):
        return "filtered_out"
    if not any(_holds(wb, [c], place, share) for c in wb.chunk_document(
        place.document, one.chunking
    )):  # fmt: skip
        return "cut"
    if not _holds(wb, fused, place, share):
        return "not_retrieved"
    if one.preset == "reranked":
        if not _holds(wb, pool, place, share):
            return "lost_in_fusion"
        if not _holds(wb, first, place, share):
            return "lost_in_rerank"
    elif not _holds(wb, first, place, share):
        alone = one.preset == "hybrid" and any(_holds(wb, x[: one.k], place, share) for x in lists)
        return "lost_in_fusion" if alone else "below_k"
    if not _holds(wb, kept, place, share):
        return "below_minimum_score"
    return "over_budget"
