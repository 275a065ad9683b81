"""Small cases made by hand, so that a file can be tested without a search."""

from __future__ import annotations

from dataclasses import replace

from ragdebug.records import Place, Span
from ragdebug.workbench.casefile.records import (
    Answer,
    Case,
    CaseHit,
    Effect,
    Excerpt,
    HitList,
    Side,
    Table,
)
from ragdebug.workbench.tracing.reports import (
    ChunkFacts,
    NeedTrace,
    PathStep,
    PlaceTrace,
    WhyReport,
)

STRATEGY = "bm25@structure:220/40:tokens:label"


def hit(
    rank: int, text: str, start: int, source: str = "refunds.md", document: str = "d1"
) -> CaseHit:
    """A hit of one document."""
    return CaseHit(
        rank=rank,
        score=3.25 - rank,
        score_kind="bm25",
        chunk=f"{document}.v1:{start}-{start + len(text)}",
        document=document,
        version="v1",
        source=source,
        start=start,
        end=start + len(text),
        page=None,
        page_label="",
        section=("Billing",),
        text=text,
    )


def why(stage: str, *facts: tuple[str, dict[str, object]], chunks: int = 1240) -> WhyReport:
    """A report whose path has one step for each of `facts`; the last one is `stage`."""
    steps = tuple(
        PathStep(name, "lost" if name == stage != "delivered" else "ok", known)
        for name, known in facts
    )
    place = Place("d1", "v1", "refunds.md", 10, 20, "the answer")
    held = ChunkFacts("d1.v1:0-40", 3, Span(0, 40), 1.0, {"bm25": 41}, {"bm25": 1.5}, {"bm25": 2.0},
                      admitted={"bm25": 5})  # fmt: skip
    trace = PlaceTrace(place, stage, (held,), steps)
    return WhyReport(
        "how do refunds work",
        STRATEGY,
        stage,
        steps,
        (NeedTrace(1.0, stage, (trace,)),),
        chunks=chunks,
        allowed=chunks,
    )


def case(**changes: object) -> Case:
    """A question whose answer stands at rank 41 of 1,240 chunks."""
    hits = (
        hit(1, "Nothing of use stands here.", 100),
        hit(2, "A second text.", 200, "faq.csv#2", "d2"),
    )
    lost = why("below_k", ("below_k", {"rank": 41, "admitted": 5}))
    made = Case(
        query="how do refunds work",
        question="q-1",
        answers=(
            (
                Answer(
                    "d1", "v1", "refunds.md", 10, 20, 3, "", ("Billing", "Refunds"), "the answer"
                ),
            ),
        ),
        today=Side(HitList("bm25", STRATEGY, hits, 1240, 1240, 41), lost),
        excerpt=Excerpt("refunds.md", "d1", 0, "It says: the answer, in full.", ((9, 19),), (4,)),
        tables=(Table("Wanted passage: BM25", ("word", "tf"), (("refund", "2"),)),),
        corpus="c" * 20,
        documents=3,
        made_at="2026-01-02T03:04:05+00:00",
        version="0.1.0",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def fix(helps: bool = True, **changes: object) -> Effect:
    """A fix that was tried on 120 other questions."""
    made = Effect(
        "hybrid",
        helps,
        (2,) if helps else (0,),
        4,
        3,
        120,
        "not distinguishable: p 0.70, n 120",
        False,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def proposed() -> Side:
    """A list that delivers."""
    held = replace(hit(1, "xx the answer", 7), marks=((3, 13),), coverage=1.0)
    delivered = why("delivered", ("delivered", {"rank": 1, "k": 5}))
    return Side(
        HitList("hybrid", STRATEGY.replace("bm25", "hybrid"), (held,), 1240, 1240, 1), delivered
    )
