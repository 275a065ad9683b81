"""Result lists side by side: one component for the whole board, so that columns stay aligned.

    event = hit_board(
        [Column("vector", "Vector", cards, elapsed_s=0.012), Column("bm25", "BM25", pending="...")],
        key="search_board",                      # stable: columns fill in without flicker
        selected=("vector", chunk_id),
        on_pick=pick,                            # pick(column_name, card_id)
        on_settings=open_settings,               # open_settings(column_name); None hides the button
        on_judge=judge,                          # judge(column_name, card_id, answers)
    )
    event.column, event.card, event.settings     # the same, in the run right after it happened

A column is ready, pending (grey bars and what it waits for) or failed (error and hint). To fill
columns one by one: draw the board with what is ready, compute one more, `st.rerun()`.

Keyboard: j/k or arrows move, h/l change the column, Enter selects, y and n judge. Hovering or
moving to a hit lights up the same passage (equal `Card.passage`) in the other columns. The board
scrolls sideways when it is narrow and does not change its size when a hit is selected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ragdebug.ui.components.assets import component
from ragdebug.ui.offsets import Utf16Map

_render = component("hit_board", scripts=("hit_board.js",), styles=("hit_board.css",))

SNIPPET = 260  # code points of a hit's text that are shown
COLOURS = {"vector": 0, "bm25": 1, "hybrid": 2, "reranked": 3}
Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the same passage stands in another list: `rank` None when it is not in it.

    `colour` is as in `Column`; -1 takes that of the preset of the same name.
    """

    column: str
    title: str
    rank: int | None
    note: str = ""
    colour: int = -1


@dataclass(frozen=True, slots=True)
class Card:
    """One hit as it is drawn; positions are code points of `text`.

    Attributes:
        id: chunk id.
        passage: equal for hits that are the same passage, in whatever column.
        movement: places gained (positive) or lost against the column to the left; None when there
            is nothing to compare with.
        fresh: not in the column to the left at all.
        elsewhere: where it stands in the other columns.
        held: share of the expected passage that it holds, 0 to 1; above 0 it gets a star.
        found: whether that is enough to count as found; the star is then filled.
        notes: short warnings, such as "longer than the model reads".
        judged: "yes" when it holds a marked answer, "part" when it holds too little of one, "no"
            when it was judged as none, "" otherwise.
    """

    id: str
    rank: int
    score: float
    score_kind: str
    source: str
    text: str
    section: tuple[str, ...] = ()
    page: str = ""
    terms: Spans = ()
    evidence: Spans = ()
    passage: str = ""
    movement: int | None = None
    fresh: bool = False
    elsewhere: Sequence[Standing] = ()
    held: float = 0.0
    found: bool = False
    notes: Sequence[str] = ()
    judged: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One list as it is drawn.

    Attributes:
        name: unique; what events carry.
        title: heading; `subtitle` stands beside it, such as "RRF 60".
        colour: index in the chart palette; -1 takes that of the preset of the same name.
        chips: settings that differ from the other columns.
        action: what a button beside the title says; it asks for the settings of the column.
        expected: where the expected passage stands, one short line.
        missed: the expected passage is not in the list; the line is then grey.
        notes: warnings for the whole list, such as "41% indexed".
        pending: what it waits for; "" when it is ready.
        error: why it failed; "" when it did not.
        empty: what to say when there are no hits.
    """

    name: str
    title: str
    cards: Sequence[Card] = ()
    subtitle: str = ""
    elapsed_s: float | None = None
    colour: int = -1
    chips: Sequence[str] = ()
    action: str = ""
    expected: str = ""
    missed: bool = False
    notes: Sequence[str] = ()
    pending: str = ""
    error: str = ""
    error_hint: str = ""
    empty: str = "Nothing found."


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """What was just done: a hit selected, or the settings of a column asked for."""

    column: str = ""
    card: str = ""
    settings: str = ""


def hit_board(
    columns: Sequence[Column],
    *,
    key: str,
    selected: tuple[str, str] = ("", ""),
    height: int | None = None,
    on_pick: Callable[[str, str], None] | None = None,
    on_settings: Callable[[str], None] | None = None,
    on_judge: Callable[[str, str, bool], None] | None = None,
    grab: str = "",
) -> BoardEvent:
    """Draw the lists and return what was just done to them.

    Args:
        columns: from left to right.
        key: unique on the page.
        selected: column name and card id of the hit that is open.
        height: most pixels it takes before it scrolls; None for all it needs.
        on_pick: called before the script with column name and card id.
        on_settings: called before the script with a column name; None hides the buttons.
        on_judge: called before the script with column name, card id and whether it answers; None
            leaves judging out.
        grab: gives the keyboard back to the hit it was at, whenever this changes.
    """
    known = {column.name: {card.id for card in column.cards} for column in columns}

    def message(name: str) -> BoardEvent | None:
        value = getattr(st.session_state.get(key), name, None)
        return _event(name, value, known)

    def picked() -> None:
        if on_pick is not None and (event := message("picked")) is not None:
            on_pick(event.column, event.card)

    def settings() -> None:
        if on_settings is not None and (event := message("settings")) is not None:
            on_settings(event.settings)

    def judged() -> None:
        value = getattr(st.session_state.get(key), "judged", None)
        event = _event("judged", value, known)
        if on_judge is not None and event is not None and isinstance(value, dict):
            on_judge(event.column, event.card, value.get("answers") is True)

    result = _render(
        key=key,
        data=payload(columns, selected, height, settings=on_settings is not None)
        | {"judging": on_judge is not None, "grab": grab},
        on_picked_change=picked,
        on_settings_change=settings,
        on_judged_change=judged,
    )
    return (
        _event("picked", result.picked, known)
        or _event("settings", result.settings, known)
        or BoardEvent()
    )


def _event(name: str, value: object, known: dict[str, set[str]]) -> BoardEvent | None:
    if not isinstance(value, dict) or value.get("column") not in known:
        return None
    column = str(value["column"])
    if name == "settings":
        return BoardEvent(settings=column)
    card = value.get("card")
    return BoardEvent(column, card) if card in known[column] else None


def payload(
    columns: Sequence[Column],
    selected: tuple[str, str],
    height: int | None,
    *,
    settings: bool,
) -> dict[str, Any]:
    """All that the browser draws; see `hit_board.js`."""
    return {
        "columns": [_column(c, i) for i, c in enumerate(columns)],
        "selected": list(selected),
        "height": height,
        "settings": settings,
    }


def _column(column: Column, index: int) -> dict[str, Any]:
    colour = column.colour if column.colour >= 0 else COLOURS.get(column.name, index)
    return {
        "name": column.name,
        "title": column.title,
        "subtitle": column.subtitle,
        "elapsed": "" if column.elapsed_s is None else _milliseconds(column.elapsed_s),
        "colour": colour,
        "chips": list(column.chips),
        "action": column.action,
        "expected": column.expected,
        "missed": column.missed,
        "notes": list(column.notes),
        "pending": column.pending,
        "error": column.error,
        "errorHint": column.error_hint,
        "empty": column.empty,
        "cards": [_card(card) for card in column.cards],
    }


def _card(card: Card) -> dict[str, Any]:
    start, end = snippet(card.text, [*card.evidence, *card.terms])
    shown = card.text[start:end]
    positions = Utf16Map(shown)

    def marks(spans: Spans, name: str) -> list[list[Any]]:
        return [
            [positions.to_utf16(a - start), positions.to_utf16(b - start), name]
            for a, b in spans
            if b > start and a < end
        ]

    return {
        "id": card.id,
        "rank": card.rank,
        "score": score(card.score),
        "kind": "no score" if math.isnan(card.score) else card.score_kind,
        "source": card.source,
        "section": list(card.section),
        "page": card.page,
        "text": shown,
        "before": start > 0,
        "after": end < len(card.text),
        "marks": marks(card.terms, "term") + marks(card.evidence, "evidence"),
        "passage": card.passage or card.id,
        "movement": card.movement,
        "fresh": card.fresh,
        "elsewhere": [
            {
                "title": s.title,
                "rank": s.rank,
                "note": s.note,
                "colour": s.colour if s.colour >= 0 else COLOURS.get(s.column, -1),
            }
            for s in card.elsewhere
        ],
        "held": card.held,
        "found": card.found,
        "notes": list(card.notes),
        "judged": card.judged,
    }


def score(value: float) -> str:
    """A score with as many digits as tell neighbours apart: 23.41, 0.612, 0.0323; "" for none."""
    if math.isnan(value):
        return ""
    size = abs(value)
    if size >= 10:
        return f"{value:.2f}"
    if size >= 0.1:
        return f"{value:.3f}"
    return f"{value:.4f}" if size >= 0.001 or size == 0 else f"{value:.2e}"


def _milliseconds(seconds: float) -> str:
    if seconds < 0.0005:
        return "<1 ms"
    return f"{seconds * 1000:,.0f} ms" if seconds < 10 else f"{seconds:.1f} s"


def snippet(text: str, marks: Spans, size: int = SNIPPET) -> tuple[int, int]:
    """The range of `text`, about `size` code points, that shows most marked characters.

    The first of equally good ranges wins; it starts a little before its first mark, and neither end
    cuts a word that is shorter than 30.
    """
    if len(text) <= size + 40:
        return 0, len(text)
    best, start = -1, 0
    ordered = sorted(marks)
    for candidate in [0, *(max(0, a - size // 5) for a, _ in ordered)]:
        low = min(candidate, len(text) - size)
        inside = sum(max(0, min(b, low + size) - max(a, low)) for a, b in ordered)
        if inside > best:
            best, start = inside, low
    end = start + size
    if start > 0:
        blank = next((i for i in range(start, min(start + 30, end)) if text[i].isspace()), -1)
        start = blank + 1 if blank >= 0 else start
    if end < len(text):
        blank = next((i for i in range(end, max(end - 30, start), -1) if text[i].isspace()), -1)
        end = blank if blank >= 0 else end
    return start, end
