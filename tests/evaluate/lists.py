"""Small questions and ranked lists, written as spans of two short documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ragdebug.evaluate import measure
from ragdebug.questions import Label, Need, Question
from ragdebug.records import Place
from ragdebug.runs import MeasureTable, RankedSpans, Run, RunResults

TEXTS = {
    "tea": "green tea steeps at 80 degrees; black tea at 95, for four minutes.",
    "pot": "Warm the pot first.  Discard that water, then add the leaves and pour.",
}
VERSION = "v1"
Span = tuple[str, int, int]  # document, start, end


def text_of(document: str, version: str) -> str:
    return {(name, VERSION): text for name, text in TEXTS.items()}[document, version]


def place(document: str, start: int, end: int, region: str = "", version: str = VERSION) -> Place:
    quote = "" if region else TEXTS.get(document, "")[start:end]
    return Place(document, version, f"{document}.txt", start, end, quote, region)


def need(*spans: Span, grade: float = 1.0) -> Need:
    return Need(tuple(Label(place(*span)) for span in spans), grade)


def question(id_: str, *needs: Need, rejected: Sequence[Span] = (), **more: object) -> Question:
    judged = tuple(place(*span) for span in rejected)
    return Question(id_, id_, needs=needs, rejected=judged, **more)  # type: ignore[arg-type]


def results_of(
    lists: Mapping[str, Sequence[Span]],
    *,
    tokens: int | Mapping[str, Sequence[int]] = 10,
    depth: int = 100,
    errors: Mapping[str, str] | None = None,
    documents: Sequence[str] = tuple(TEXTS),
) -> RunResults:
    """A run with one list a question; `tokens` for every hit, or those of each list."""
    hits = [hit for some in lists.values() for hit in some]
    sizes = (
        [tokens] * len(hits)
        if isinstance(tokens, int)
        else [size for name in lists for size in tokens[name]]
    )
    at = {name: i for i, name in enumerate(documents)}
    spans = RankedSpans(
        tuple((name, VERSION, f"{name}.txt") for name in documents),
        np.cumsum([0, *(len(some) for some in lists.values())], dtype=np.int64),
        np.array([at[name] for name, _, _ in hits], np.int32),
        np.array([start for _, start, _ in hits], np.int64),
        np.array([end for _, _, end in hits], np.int64),
        np.array(sizes, np.int32),
        np.zeros(len(hits)),
        np.zeros(len(lists), np.int32),
        "bm25",
    )
    return RunResults(
        Run("1" * 8, "f", "bm25", "sentences", "", "c", "q", depth=depth),
        tuple((name, "1") for name in lists),
        spans,
        np.zeros(len(lists)),
        tuple((errors or {}).get(name, "") for name in lists),
    )


def measured(
    questions: Sequence[Question],
    lists: Mapping[str, Sequence[Span]],
    share: float = 0.9,
    ks: Sequence[int] = (1, 2, 3, 5, 10),
    budgets: Sequence[int] = (10, 25, 100),
    **more: object,
) -> MeasureTable:
    asked = {q.id: q for q in questions}
    results = results_of(lists, **more)  # type: ignore[arg-type]
    return measure(results, asked, text_of, share, ks, budgets)


def only(table: MeasureTable, name: str) -> float:
    """One measure of a table with one question."""
    (value,) = table.column(name).tolist()
    return float(value)
