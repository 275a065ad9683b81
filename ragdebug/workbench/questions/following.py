"""Labels of documents that have changed: moved with their quote, or shown as stale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ragdebug.errors import DocumentNotFound
from ragdebug.questions import PLACED, STALE, SUGGESTED, UNPLACED, Label, Question
from ragdebug.records import Document, DocumentInfo, Place
from ragdebug.workbench import regions

_AROUND = 60  # characters on both sides that tell one of several equal quotes from the others

Load = Callable[[str, str], Document]


def follow(question: Question, active: Mapping[str, DocumentInfo], load: Load) -> Question:
    """The question with every label in the present version of its document.

    A quote that stands exactly once in the new text takes its label along; else the label is stale
    (a suggestion becomes unplaced: nobody has said yes to it). A stale label whose quote is back is
    placed again. The same object when nothing moves.

    Args:
        question: as stored.
        active: the active documents by id.
        load: gives a version of a document with its text.
    """
    needs = tuple(
        replace(need, labels=labels)
        if (labels := tuple(_label(x, active, load) for x in need.labels)) != need.labels
        else need
        for need in question.needs
    )
    rejected = tuple(_place(p, active, load) or p for p in question.rejected)
    if needs == question.needs and rejected == question.rejected:
        return question
    return replace(question, needs=needs, rejected=rejected)


def _label(label: Label, active: Mapping[str, DocumentInfo], load: Load) -> Label:
    if label.status == UNPLACED:
        return label
    place = _place(label.place, active, load)
    if place is not None:
        status = SUGGESTED if label.status == SUGGESTED else PLACED
        return label if (place, status) == (label.place, label.status) else replace(
            label, place=place, status=status
        )  # fmt: skip
    if label.status == SUGGESTED:
        lost = replace(label.place, document="", version="", start=-1, end=-1)
        return replace(label, place=lost, status=UNPLACED)
    return label if label.status == STALE else replace(label, status=STALE)


def _place(place: Place, active: Mapping[str, DocumentInfo], load: Load) -> Place | None:
    """The place in the present version, None when it is not there, or not there for certain."""
    info = active.get(place.document)
    if info is None:
        return None
    if info.version == place.version:
        return place if info.source == place.source else replace(place, source=info.source)
    new = load(info.id, info.version)
    if place.region:
        try:
            return regions.follow(place, load(place.document, place.version), new)
        except DocumentNotFound:
            return None
    start = _only(new.text, place.quote)
    if start is None and place.quote in new.text:
        start = _by_surroundings(place, new.text, load)
    if start is None:
        return None
    return replace(
        place,
        version=info.version,
        source=info.source,
        start=start,
        end=start + len(place.quote),
    )


def _only(text: str, quote: str) -> int | None:
    """Where a quote stands, when it stands there once."""
    at = text.find(quote) if quote.strip() else -1
    return at if at >= 0 and text.find(quote, at + 1) < 0 else None


def _by_surroundings(place: Place, text: str, load: Load) -> int | None:
    """Where one of several equal quotes has gone, when what stands around it tells."""
    try:
        old = load(place.document, place.version).text
    except DocumentNotFound:
        return None
    low = max(0, place.start - _AROUND)
    at = _only(text, old[low : place.end + _AROUND])
    return None if at is None else at + place.start - low
