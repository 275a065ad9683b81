"""Hits as passages to be judged: their sentences, the likeliest chosen, what is known of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.evidence import FOUND_SHARE
from ragdebug.questions import Question
from ragdebug.records import Chunk, Place, Span, TermInfo
from ragdebug.settings import BM25Settings
from ragdebug.ui.components.judge import Candidate
from ragdebug.workbench.questions import SentenceChoice

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

AROUND = 24  # sentences shown on both sides of the likeliest one
_KEPT = 400
_CHOICES = "_sentence_choices"


def choice(wb: Workbench, hit: Chunk | Place, query: str) -> SentenceChoice:
    """The sentences of a hit; made once a session, so that what was shown is what is taken.

    Raises:
        DocumentNotFound: the hit's document is gone.
    """
    kept: OrderedDict[Hashable, SentenceChoice] = st.session_state.setdefault(
        _CHOICES, OrderedDict()
    )
    key = (str(wb.path), hit.document, hit.version, hit.start, hit.end, query)
    if key not in kept:
        made = wb.sentence_choice(hit, query)
        low, high = max(0, made.first - AROUND), made.last + AROUND + 1
        kept[key] = SentenceChoice(
            made.document,
            made.version,
            made.spans[low:high],
            made.first - low,
            made.last - low,
            made.scores[low:high],
        )
        while len(kept) > _KEPT:
            kept.popitem(last=False)
    return kept[key]


def candidate(
    wb: Workbench,
    hit: Chunk | Place,
    question: Question | None,
    query: str,
    terms: Sequence[TermInfo] = (),
) -> Candidate:
    """A hit as it is judged.

    Args:
        wb: the workbench.
        hit: what was found.
        question: whose labels are drawn; None for one that is not kept yet.
        query: its text.
        terms: of the query, drawn in the text.
    """
    made = choice(wb, hit, query)
    low, high = made.spans[0][0], made.spans[-1][1]
    text = wb.document(hit.document, hit.version).text[low:high]
    chunk = hit if isinstance(hit, Chunk) else None
    return Candidate(
        id=identity(hit),
        text=text,
        sentences=[(a - low, b - low) for a, b in made.spans],
        first=made.first,
        last=made.last,
        source=hit.source,
        section=chunk.section if chunk else (),
        page=page_of(chunk) if chunk else "",
        terms=wb.term_spans(text, terms, BM25Settings()),
        evidence=[
            (max(p.start, low) - low, min(p.end, high) - low)
            for p in _places(question)
            if _same_text(p, hit) and p.start < high and p.end > low
        ],
        judged=judged(question, hit),
    )


def offered(wb: Workbench, place: Place, query: str) -> Candidate:
    """A place with the same text as a label, all of it chosen to begin with."""
    made = choice(wb, place, query)
    low, high = made.spans[0][0], made.spans[-1][1]
    return Candidate(
        id=identity(place),
        text=wb.document(place.document, place.version).text[low:high],
        sentences=[(a - low, b - low) for a, b in made.spans],
        first=0,
        last=len(made.spans) - 1,
        source=place.source,
        note="the same text as you marked: it may count too",
    )


def taken(wb: Workbench, hit: Chunk | Place, query: str, first: int, last: int) -> Place:
    """The place that some of a hit's sentences are.

    Raises:
        DocumentNotFound: the hit's document is gone.
    """
    made = choice(wb, hit, query)
    return wb.place(
        made.document, made.spans[first][0], made.spans[min(last, len(made.spans) - 1)][1],
        made.version,
    )  # fmt: skip


def identity(hit: Chunk | Place) -> str:
    """Unique among the hits of one question."""
    return f"{hit.document}.{hit.version[:8]}:{hit.start}-{hit.end}"


def whole(hit: Chunk | Place) -> Place:
    """A hit as a place."""
    if isinstance(hit, Place):
        return hit
    return Place(hit.document, hit.version, hit.source, hit.start, hit.end, hit.text)


def judged(question: Question | None, hit: Chunk | Place) -> str:
    """What is known of a hit.

    "yes" when it holds an answer, "part" when it holds too little of one to be found by it, "no"
    when it was rejected, else "".
    """
    if question is None:
        return ""
    places = [p for p in _places(question) if _same_text(p, hit)]
    here = Span(hit.start, hit.end)
    shares = [here.overlap(Span(p.start, p.end)) / max(1, p.end - p.start) for p in places]
    if any(share >= FOUND_SHARE for share in shares):
        return "yes"
    if any(_overlap(p, hit) for p in places):
        return "part"
    if any(_same_text(p, hit) and _overlap(p, hit) for p in question.rejected):
        return "no"
    return ""


def targets(question: Question | None) -> list[str]:
    """What chosen sentences can count as, the usual first: see `need_of`."""
    if question is None or not question.needs:
        return ["the answer"]
    many = len(question.needs) > 1
    same = [
        f"a further place of need {n}" if many else "a further place of the same answer"
        for n in range(1, len(question.needs) + 1)
    ]
    return [*same, "a need of its own"]


def need_of(question: Question, target: int) -> int | None:
    """The need that a target means, None for a new one."""
    return target if target < len(question.needs) else None


def page_of(chunk: Chunk) -> str:
    """A chunk's page as people say it."""
    return f"p. {chunk.page_label or chunk.page}" if chunk.page is not None else ""


def _places(question: Question | None) -> list[Place]:
    if question is None:
        return []
    return [p for need in question.needs for p in need.places]


def _same_text(place: Place, hit: Chunk | Place) -> bool:
    return (place.document, place.version) == (hit.document, hit.version)


def _overlap(place: Place, hit: Chunk | Place) -> bool:
    """Whether they share more than half of the shorter."""
    return Span(place.start, place.end).mostly(Span(hit.start, hit.end))
