"""Every measure against a count of characters one by one, in plain sets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.evaluate import Hits, found_ranks, measure_names, needs_of, positions
from ragdebug.evidence import Coverage
from ragdebug.questions import Label, Need
from ragdebug.records import Chunk
from ragdebug.table import ChunkTable, DocumentChunks, DocumentRef
from tests.evaluate.lists import (
    TEXTS,
    VERSION,
    Span,
    measured,
    need,
    place,
    question,
    results_of,
    text_of,
)

KS, BUDGETS = (1, 2, 4, 9), (7, 20, 45)
shares = st.sampled_from([0.3, 0.5, 0.8, 0.9, 1.0])


@st.composite
def spans(draw: st.DrawFn, longest: int = 20) -> Span:
    document = draw(st.sampled_from(sorted(TEXTS)))
    start = draw(st.integers(0, len(TEXTS[document]) - 1))
    return document, start, min(start + draw(st.integers(1, longest)), len(TEXTS[document]))


def solid(span: Span) -> set[tuple[str, int]]:
    document, start, end = span
    return {(document, i) for i in range(start, end) if not TEXTS[document][i].isspace()}


def every(span: Span) -> set[tuple[str, int]]:
    document, start, end = span
    return {(document, i) for i in range(start, end)}


passages = spans().filter(solid)
needs = st.lists(st.lists(passages, min_size=1, max_size=2), min_size=1, max_size=3)
hits = st.lists(spans(30), max_size=8, unique=True)


def holds(some: set[tuple[str, int]], span: Span, share: float) -> bool:
    return len(some & solid(span)) >= share * len(solid(span)) - 1e-9


def counted(
    wanted: list[list[Span]], ranked: list[Span], sizes: list[int], share: float
) -> dict[str, float]:
    """All measures of one question, straight from their definitions."""
    seen = [set[tuple[str, int]]().union(*map(every, ranked[:k])) for k in range(len(ranked) + 1)]
    found = [
        next((k for k in range(1, len(seen)) if any(holds(seen[k], s, share) for s in some)), 0)
        for some in wanted
    ]
    relevant = [
        any(
            holds(every(hit), s, share)
            or (holds(seen[r], s, share) and not holds(seen[r - 1], s, share))
            for some in wanted
            for s in some
        )
        for r, hit in enumerate(ranked, 1)
    ]
    judged = [
        relevant[i]
        or any(
            2 * len(every(hit) & every(s)) > min(len(every(hit)), len(every(s)))
            for some in wanted
            for s in some
        )
        for i, hit in enumerate(ranked)
    ]
    evidence = set[tuple[str, int]]().union(*(every(s) for some in wanted for s in some))
    total = sum(len(every(some[0])) for some in wanted)
    values: dict[str, float] = {}
    for k in KS:
        there = sorted(r for r in found if 0 < r <= k)
        union = seen[min(k, len(ranked))]
        length = sum(len(every(hit)) for hit in ranked[:k])
        covered = sum(
            len(every(some[0])) * max(len(every(s) & union) / len(every(s)) for s in some)
            for some in wanted
        )
        ideal = sum(1 / math.log2(i + 2) for i in range(min(k, len(wanted))))
        values |= {
            f"hit@{k}": float(bool(there)),
            f"recall@{k}": len(there) / len(wanted),
            f"rr@{k}": 1 / there[0] if there else 0.0,
            f"ndcg@{k}": min(1.0, sum(1 / math.log2(r + 1) for r in there) / ideal),
            f"ap@{k}": sum(min(1.0, i / r) for i, r in enumerate(there, 1)) / len(wanted),
            f"p@{k}": sum(relevant[:k]) / k,
            f"coverage@{k}": covered / total,
            f"precision@{k}": len(union & evidence) / length if length else 0.0,
            f"iou@{k}": len(union & evidence) / (length + total - covered),
            f"tokens@{k}": sum(sizes[:k]),
            f"judged@{k}": sum(judged[:k]) / len(ranked[:k]) if ranked else 0.0,
        }
    for budget in BUDGETS:
        fits = 0
        while fits < len(ranked) and sum(sizes[: fits + 1]) <= budget:
            fits += 1
        values[f"recall@{budget}t"] = sum(0 < r <= fits for r in found) / len(wanted)
    return values


@given(needs, hits, st.lists(st.integers(1, 15), min_size=8, max_size=8), shares)
def test_all_measures_are_what_counting_gives(
    wanted: list[list[Span]], ranked: list[Span], sizes: list[int], share: float
) -> None:
    asked = question("q", *(need(*some) for some in wanted))
    sizes = sizes[: len(ranked)]
    table = measured([asked], {"q": ranked}, share, KS, BUDGETS, tokens={"q": sizes})
    expected = counted(wanted, ranked, sizes, share)
    assert set(table.names) == set(expected) == set(measure_names(KS, BUDGETS))
    assert dict(zip(table.names, table.values[0].tolist(), strict=True)) == pytest.approx(expected)


@given(passages, hits, shares, st.sampled_from(["", "", "page", "document"]))
def test_a_rank_is_that_of_a_search_shown_on_the_page(
    span: Span, ranked: list[Span], share: float, region: str
) -> None:
    where = place(*span, region=region)
    asked = question("q", Need((Label(where),)))
    results = results_of({"q": ranked})
    masks, _ = needs_of(asked, positions(results.spans.documents), text_of)
    ours = found_ranks(Hits.of(results.spans, 0), masks, share).tolist()

    refs, parts, rows = [], [], {}
    for name in sorted(TEXTS):
        own = sorted({hit for hit in ranked if hit[0] == name})
        for hit in own:
            rows[hit] = len(rows)
        refs.append(DocumentRef(name, VERSION, f"{name}.txt"))
        parts.append(
            DocumentChunks.of(
                [Chunk("", name, VERSION, f"{name}.txt", s, e, "", "") for _, s, e in own]
            )
        )
    chunks = ChunkTable("f", "x", refs, parts, text_of, lambda label, context, text: text)
    ranks = {rows[hit]: rank for rank, hit in enumerate(ranked, 1)}
    expected = Coverage(chunks, where, TEXTS[span[0]], share).rank(ranks.get)
    assert ours == [expected or 0]


@given(needs, hits, shares)
def test_recall_never_falls_with_k_and_nothing_exceeds_one(
    wanted: list[list[Span]], ranked: list[Span], share: float
) -> None:
    asked = question("q", *(need(*some) for some in wanted))
    table = measured([asked], {"q": ranked}, share, range(1, 11), range(10, 110, 10))
    for stem, ending in (("recall", ""), ("hit", ""), ("rr", ""), ("ap", ""), ("coverage", "")):
        curve = [table.column(f"{stem}@{k}{ending}")[0] for k in range(1, 11)]
        assert curve == sorted(curve), stem
    budgets = [table.column(f"recall@{b}t")[0] for b in range(10, 110, 10)]
    assert budgets == sorted(budgets)
    shares_ = [i for i, name in enumerate(table.names) if not name.startswith("tokens@")]
    assert np.all((table.values[:, shares_] >= 0) & (table.values[:, shares_] <= 1))
