"""Questions in words: states, needs, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ragdebug.counting import many
from ragdebug.questions import (
    LABELLED,
    NOT_ANSWERABLE,
    PLACED,
    STALE,
    SUGGESTED,
    UNLABELLED,
    UNPLACED,
    UNUSABLE,
    Label,
    Question,
)
from ragdebug.records import Place
from ragdebug.ui import literal

WAITING = (SUGGESTED, STALE, UNPLACED)  # labels that a person has to look at
STATES = {
    LABELLED: "labelled",
    UNLABELLED: "not labelled",
    NOT_ANSWERABLE: "not answerable here",
    UNUSABLE: "unusable",
}
COLOURS = {LABELLED: "green", UNLABELLED: "gray", NOT_ANSWERABLE: "blue", UNUSABLE: "red"}
STATUSES = {
    SUGGESTED: "suggested: a similar passage, which waits for your yes",
    STALE: "stale: the document has changed, and the quote is no longer in it",
    UNPLACED: "not placed: the quote stands nowhere",
}
_SHORT = {SUGGESTED: "suggested", STALE: "stale", UNPLACED: "not placed"}


def waits(question: Question) -> bool:
    """Whether one of its labels has to be looked at."""
    return any(x.status != PLACED for need in question.needs for x in need.labels)


def reasons(question: Question) -> str:
    """Why its labels cannot be used, in a few words: ``2 stale, 1 suggested``."""
    counted = Counter(x.status for need in question.needs for x in need.labels)
    return ", ".join(f"{counted[s]} {_SHORT[s]}" for s in WAITING if counted[s])


def summary(questions: Sequence[Question]) -> str:
    """The set in one line, as Markdown."""
    states = Counter(q.state for q in questions)
    parts = [f"**{many(len(questions), 'question')}**"]
    for state in (LABELLED, UNLABELLED, NOT_ANSWERABLE):
        parts.append(f"{states[state]:,} {STATES[state]}")
    if states[UNUSABLE]:
        why = Counter(
            x.status
            for q in questions
            if q.state == UNUSABLE
            for need in q.needs
            for x in need.labels
        )
        said = ", ".join(f"{_SHORT[s]} {why[s]:,}" for s in WAITING if why[s])
        parts.append(f":red[**{states[UNUSABLE]:,} unusable**] :gray[({said})]")
    return " · ".join(parts)


def badge(question: Question) -> str:
    """Its state, coloured, as Markdown."""
    state = question.state
    why = f" ({reasons(question)})" if state == UNUSABLE else ""
    return f":{COLOURS[state]}-badge[{STATES[state]}{why}]"


def where(place: Place) -> str:
    """A place's document and position, literally."""
    if place.region:
        return f"{place.source} · {place.region}"
    if place.start < 0:
        return place.source or "no document named"
    return f"{place.source} · {place.start:,}–{place.end:,}"


def placed(question: Question) -> list[Place]:
    """All places that can be measured with."""
    return [p for need in question.needs for p in need.places]


def quote(place: Place, limit: int) -> str:
    """A place's words in one line, literally; of a region its kind."""
    if place.quote:
        return f"“{literal.one_line(place.quote, limit)}”"
    return f"the whole {place.region.partition(' ')[0]}" if place.region else ""


def answers(question: Question, limit: int = 90) -> str:
    """What answers it, in one line for a table, literally."""
    parts = []
    for number, need in enumerate(question.needs, 1):
        if not need.labels:
            continue
        first = need.labels[0]
        mark = "" if first.status == PLACED else f"({_SHORT[first.status]}) "
        more = f" +{len(need.labels) - 1}" if len(need.labels) > 1 else ""
        name = f"{number}. " if len(question.needs) > 1 else ""
        words = quote(first.place, limit)
        parts.append(f"{name}{mark}{first.place.source}{more} {words}".strip())
    return "   ".join(parts)


def origin(label: Label) -> str:
    """Where a label came from, literally."""
    return {"marked": "marked in the text", "same text": "taken over as the same text"}.get(
        label.origin, label.origin
    )


def tags_of(questions: Iterable[Question]) -> list[str]:
    """All tags, the most used first."""
    counted = Counter(tag for q in questions for tag in q.tags)
    return sorted(counted, key=lambda tag: (-counted[tag], tag))
