"""Questions, runs and ranked lists to save, with as little said as a test needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from ragdebug.questions import STATUSES, Label, Need, Question
from ragdebug.records import Place
from ragdebug.runs import MeasureTable, RankedSpans, Run


def place(document: str = "a", quote: str = "ten days", start: int = 11, **more: str) -> Place:
    return Place(document, "v1", f"{document}.txt", start, start + len(quote), quote, **more)


def question(name: str, *places: Place, **more: object) -> Question:
    """A question with a need for each place."""
    needs = tuple(Need((Label(p, origin="marked"),)) for p in places)
    return Question(name, f"what about {name}?", needs=needs, **more)  # type: ignore[arg-type]


def run(name: str = "aaaa0001", **more: object) -> Run:
    values = {"strategy": "bm25@fixed:200/0", "chunking": "fixed:200/0", "embedder": ""}
    return Run(name, "f" * 16, corpus="c" * 16, questions="q" * 16, **(values | more))  # type: ignore[arg-type]


def lists(
    *hits: Sequence[tuple[str, int, int, float]], pool: int = 0, kind: str = "bm25"
) -> RankedSpans:
    """A ranked list for each question, of (document, start, end, score)."""
    flat = [hit for one in hits for hit in one]
    documents = sorted({hit[0] for hit in flat})
    return RankedSpans(
        tuple((d, "v1", f"{d}.txt") for d in documents),
        np.cumsum([0, *(len(one) for one in hits)]),
        np.array([documents.index(hit[0]) for hit in flat], np.int32),
        np.array([hit[1] for hit in flat], np.int64),
        np.array([hit[2] for hit in flat], np.int64),
        np.array([hit[2] - hit[1] for hit in flat], np.int32),
        np.array([hit[3] for hit in flat], np.float64),
        np.full(len(hits), pool, np.int32),
        kind,
    )


def measured(
    questions: Sequence[str], names: Sequence[str], values: object, **more: object
) -> MeasureTable:
    """Measures with each question's only need found at rank 1, in 50 tokens."""
    return MeasureTable(
        tuple(questions),
        tuple(names),
        np.array(values, np.float64).reshape(len(questions), len(names)),
        tuple(np.ones(1, np.int64) for _ in questions),
        grades=tuple(np.ones(1) for _ in questions),
        tokens=tuple(np.full(1, 50) for _ in questions),
        **more,  # type: ignore[arg-type]
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
PLACES = st.builds(
    Place, TEXTS, TEXTS, TEXTS, st.integers(-1, 2**40), st.integers(-1, 2**40), TEXTS, TEXTS
)
LABELS = st.builds(Label, PLACES, st.sampled_from(STATUSES), TEXTS, TEXTS)
NEEDS = st.builds(
    Need, st.lists(LABELS, max_size=3).map(tuple), st.floats(0.1, 9, allow_subnormal=False)
)
QUESTIONS = st.builds(
    Question,
    st.sampled_from(["q1", "q2", "q3", "q4"]),
    TEXTS,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    notes=TEXTS,
    needs=st.lists(NEEDS, max_size=3).map(tuple),
    not_answerable=st.booleans(),
    rejected=st.lists(PLACES, max_size=2).map(tuple),
    level=st.sampled_from(["passage", "document"]),
    origin=TEXTS,
    removed=st.booleans(),
    created_at=st.just("2031-05-04T12:00:00Z"),
    updated_at=st.sampled_from(["2031-05-04T12:00:00Z", "2031-06-01T00:00:00+02:00"]),
)
