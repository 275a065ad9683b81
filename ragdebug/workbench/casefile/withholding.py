"""Texts that somebody chose not to show: gone from every place in which a case file would say them.

A hit is named by its rank in today's list, or as ``hybrid:3`` in another. Chunks of other lists
that share characters with it are withheld with it, and so is all else that shows its words: the
quote of an answer inside it, the text around it, the page that it stands on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ragdebug.errors import InvalidSetting
from ragdebug.workbench.casefile.records import Answer, Case, CaseHit, Excerpt, HitList, Side
from ragdebug.workbench.tracing.reports import NeedTrace, PlaceTrace

Passage = tuple[str, int, int]  # document, start, end


def withhold(case: Case, hits: Sequence[int | str]) -> Case:
    """The case without the texts of some hits.

    Raises:
        InvalidSetting: there is no such hit.
    """
    spans = [_named(case, str(one).strip()) for one in hits]
    if not spans:
        return case
    picture = case.picture
    if picture is not None and _inside(picture.document, picture.start, picture.end, spans):
        picture = None
    return replace(
        case,
        answers=tuple(tuple(_answer(a, spans) for a in places) for places in case.answers),
        today=_side(case.today, spans),
        proposed=_side(case.proposed, spans) if case.proposed is not None else None,
        others=tuple(_list(one, spans) for one in case.others),
        picture=picture,
        tables=tuple(t for t in case.tables if t.passage is None or not _inside(*t.passage, spans)),
        excerpt=_excerpt(case.excerpt, spans) if case.excerpt is not None else None,
    )


def _named(case: Case, text: str) -> Passage:
    name, _, number = text.rpartition(":")
    chosen = next((one for one in case.lists if not name or one.name == name), None)
    hits = chosen.hits if chosen is not None else ()
    found = next((h for h in hits if str(h.rank) == number), None)
    if found is None:
        raise InvalidSetting(
            f"There is no hit {text} whose text could be withheld.",
            hint=f"Give a rank of the list {case.today.list.name}, or one such as "
            f"{case.lists[-1].name}:2.",
        )
    return (found.document, found.start, found.end)


def _inside(document: str, start: int, end: int, spans: Iterable[Passage]) -> bool:
    return any(document == d and start < b and end > a for d, a, b in spans)


def _hit(hit: CaseHit, spans: Sequence[Passage]) -> CaseHit:
    if not _inside(hit.document, hit.start, hit.end, spans):
        return hit
    return replace(hit, text="", marks=(), cut=0, withheld=True)


def _list(one: HitList, spans: Sequence[Passage]) -> HitList:
    return replace(one, hits=tuple(_hit(h, spans) for h in one.hits))


def _answer(answer: Answer, spans: Sequence[Passage]) -> Answer:
    if not _inside(answer.document, answer.start, answer.end, spans):
        return answer
    return replace(answer, quote="", withheld=True)


def _excerpt(excerpt: Excerpt, spans: Sequence[Passage]) -> Excerpt:
    end = excerpt.start + len(excerpt.text)
    if not _inside(excerpt.document, excerpt.start, end, spans):
        return excerpt
    return replace(excerpt, text="", marks=(), cuts=(), withheld=True)


def _side(side: Side, spans: Sequence[Passage]) -> Side:
    needs = tuple(_need(need, spans) for need in side.why.needs)
    return Side(_list(side.list, spans), replace(side.why, needs=needs))


def _need(need: NeedTrace, spans: Sequence[Passage]) -> NeedTrace:
    return replace(need, places=tuple(_place(p, spans) for p in need.places))


def _place(trace: PlaceTrace, spans: Sequence[Passage]) -> PlaceTrace:
    place = trace.place
    if not _inside(place.document, place.start, place.end, spans):
        return trace
    return replace(trace, place=replace(place, quote=""))
