"""The result lists as the board draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.questions import Question
from ragdebug.records import Chunk, Place, ResultList
from ragdebug.settings import StrategySettings
from ragdebug.ui.components import hit_board
from ragdebug.ui.components.hit_board import Card
from ragdebug.ui.questions import candidates
from ragdebug.ui.search import expected
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.filling import Filled
from ragdebug.workbench.compare import ComparedHit, Comparison

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

FOREIGN = 0.05  # share of chunks in another language from which on a vector column says so
_DRAWN = "_search_drawn"


def compared(wb: Workbench, filled: Filled, places: Sequence[Place]) -> Comparison | None:
    """The lists that are there side by side; kept while they stay the same."""
    there = [filled.lists[c.name] for c in filled.comparable]
    key = ("compare", *(id(r) for r in there), *places)
    kept = st.session_state.get("_search_compared")
    if kept is not None and kept[0] == key:
        return kept[1]  # type: ignore[no-any-return]
    made = wb.compare(there, places) if there else None
    # The lists themselves are kept too, so that their ids are not used again.
    st.session_state["_search_compared"] = (key, made, there)
    return made


def columns(
    wb: Workbench,
    filled: Filled,
    comparison: Comparison | None,
    places: Sequence[Place],
    question: Question | None = None,
) -> list[hit_board.Column]:
    """What the board draws; kept while nothing of it changes.

    `question` is the one that the query asks; what was judged for it is said on the hits.
    """
    known = question.version if question is not None else ""
    key = (*filled.identity(), id(comparison), filled.terms, known, *places)
    kept = st.session_state.get(_DRAWN)
    if kept is not None and kept[0] == key:
        return kept[1]  # type: ignore[no-any-return]
    shown = filled.comparable
    made = []
    for column in filled.columns:
        result = filled.lists.get(column.name)
        if result is not None and result.error:
            made.append(_column(wb, filled, column, result, []))
        elif result is None or comparison is None:
            made.append(_pending(column, filled.pending.get(column.name, "searching …")))
        else:
            at = shown.index(column)
            cards = [
                _card(wb, filled, column, hit, shown, at, places, question)
                for hit in comparison.hits[at]
            ]
            made.append(_column(wb, filled, column, result, cards))
    st.session_state[_DRAWN] = (key, made, comparison)
    return made


def _pending(column: Column, waits_for: str) -> hit_board.Column:
    return hit_board.Column(
        column.name,
        column.title,
        subtitle=column.subtitle,
        colour=column.colour,
        chips=column.chips,
        action=column.action,
        pending=waits_for,
    )


def _column(
    wb: Workbench, filled: Filled, column: Column, result: ResultList, cards: list[Card]
) -> hit_board.Column:
    line, missed = expected.line(result)
    chips = list(column.chips)
    if result.allowed != result.total:
        chips.append(f"{result.allowed:,} of {result.total:,} chunks allowed")
    return hit_board.Column(
        column.name,
        column.title,
        cards,
        subtitle=column.subtitle,
        elapsed_s=_seconds(column, result),
        colour=column.colour,
        chips=chips,
        action=column.action,
        expected=line,
        missed=missed,
        notes=_notes(wb, column, result),
        error=result.error,
        error_hint=result.error_hint,
        empty=why_empty(filled, column, result),
    )


def _seconds(column: Column, result: ResultList) -> float | None:
    """None where there is no list, or it was made on an earlier day."""
    of_another_day = column.strategy.preset == "list" and not result.elapsed_s
    return None if result.error or of_another_day else result.elapsed_s


def _notes(wb: Workbench, column: Column, result: ResultList) -> list[str]:
    notes = [n for n in result.notes if not (column.action and n.startswith("Late interaction"))]
    if not column.strategy.uses_vectors or result.error:
        return notes
    if column.strategy.dense.index == "hnsw":
        notes.append("approximate: HNSW may miss some")
    try:
        share, languages = wb.foreign_share(column.strategy.chunking, column.strategy.embedder)
    except RagDebugError:
        return notes
    if share > FOREIGN:
        notes.append(
            f"{share:.0%} of the chunks are in a language this model was not made for: "
            + ", ".join(languages[:5])
        )
    return notes


def why_empty(filled: Filled, column: Column, result: ResultList) -> str:
    """Why a list has no hits."""
    strategy: StrategySettings = column.strategy
    if strategy.is_outside and not result.total:
        return "It returned nothing."
    if not result.total:
        return "There are no chunks yet."
    if not result.allowed:
        return "The filter lets no document through."
    stages = result.trace.stages
    before = len(stages[-2]) if len(stages) > 1 else 0
    if strategy.minimum is not None and before:
        return f"The minimum score {strategy.minimum:g} removed {min(before, strategy.k)} hits."
    if result.trace.indexed == 0 and strategy.uses_vectors:
        return "Nothing is indexed with this model yet."
    if strategy.preset == "bm25":
        terms = result.trace.terms
        if not any(t.term for t in terms):
            return "The query has no words to look up besides stop words."
        if not any(t.frequency for t in terms):
            return "No word of the query stands in any chunk."
        return "No chunk that the filter lets through holds a word of the query."
    return "Nothing found."


def page_of(chunk: Chunk) -> str:
    """A chunk's page as people say it: the printed label, else the sheet."""
    if chunk.page is None:
        return ""
    if chunk.page_label and chunk.page_label != str(chunk.page):
        return f"p. {chunk.page_label} (sheet {chunk.page})"
    return f"p. {chunk.page}"


def evidence_in(chunk: Chunk, places: Sequence[Place]) -> list[tuple[int, int]]:
    """Where the expected passages stand in a chunk's own text."""
    return [
        (max(p.start, chunk.start) - chunk.start, min(p.end, chunk.end) - chunk.start)
        for p in places
        if (p.document, p.version) == (chunk.document, chunk.version)
        and not p.region
        and p.start < chunk.end
        and p.end > chunk.start
    ]


def _card(
    wb: Workbench,
    filled: Filled,
    column: Column,
    compared_hit: ComparedHit,
    shown: Sequence[Column],
    at: int,
    places: Sequence[Place],
    question: Question | None,
) -> Card:
    hit = compared_hit.hit
    chunk = hit.chunk
    terms = filled.terms or ()
    return Card(
        id=chunk.id,
        rank=hit.rank,
        score=hit.score,
        score_kind=hit.score_kind,
        source=chunk.source,
        text=chunk.text,
        section=chunk.section,
        page=page_of(chunk),
        terms=wb.term_spans(chunk.text, terms, column.strategy.bm25),
        evidence=evidence_in(chunk, places),
        passage=compared_hit.passage,
        movement=compared_hit.movement,
        fresh=compared_hit.fresh,
        elsewhere=[
            hit_board.Standing(
                other.name,
                other.short,
                place.rank,
                "in its old order, below the pool" if place.unscored else "",
                other.colour,
            )
            for i, (other, place) in enumerate(zip(shown, compared_hit.standings, strict=True))
            if i != at
        ],
        held=compared_hit.held,
        found=compared_hit.found,
        notes=[
            *([f"holds {compared_hit.held:.0%} of it"] if 0 < compared_hit.held < 1 else []),
            *hit.notes,
        ],
        judged=candidates.judged(question, chunk),
    )
