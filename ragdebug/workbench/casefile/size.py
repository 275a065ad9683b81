"""Keeping a file below a size that can be mailed; what is left out is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ragdebug.errors import RagDebugError
from ragdebug.workbench.casefile.page import case_page
from ragdebug.workbench.casefile.picture import packed_image
from ragdebug.workbench.casefile.records import Answer, Case, CaseHit, HitList, Side
from ragdebug.workbench.tracing.reports import NeedTrace, PlaceTrace

MOST_BYTES = 2_900_000
TEXT_CHARS = (20_000, 5_000, 2_000, 800, 300, 100)
PICTURE_BYTES = 250_000
PLACES, CHUNKS, HITS = 10, 3, 20  # of each need, place and list, where nothing else helps
QUOTE_CHARS, QUERY_CHARS = 2_000, 20_000

Smaller = Callable[[Case], tuple[Case, str]]  # with what it leaves out; "" for nothing


def fitted(case: Case, most: int = MOST_BYTES) -> tuple[Case, bytes]:
    """The case with its longest texts cut until its file is small enough, and the file.

    Raises:
        RagDebugError: not even its bare facts are small enough.
    """
    for made in _smaller_and_smaller(case):
        file = case_page(made).encode("utf-8")
        if len(file) <= most:
            return made, file
    raise RagDebugError(
        f"The case does not fit into {most:,} bytes.",
        title="Too large for a case file",
        hint="Ask for fewer hits, or of fewer strategies.",
    )


def _smaller_and_smaller(case: Case) -> Iterator[Case]:
    """The dearest goes first: texts of hits; then what stands beside; then the facts themselves."""
    made, last = case, None
    for at, limit in enumerate(TEXT_CHARS):
        made = _texts(case, limit, smaller=at > 0)
        if made != last:
            yield made
        last = made
    for step in (_beside, _quotes, _traces, _hits, _query):
        made, said = step(made)
        if said:
            made = replace(made, notes=(*made.notes, said))
            yield made


def _beside(case: Case) -> tuple[Case, str]:
    kept = replace(case, picture=None, tables=(), others=())
    said = "Further lists, explanations and the picture are left out, so that the file stays small."
    return kept, said if kept != case else ""


def _quotes(case: Case) -> tuple[Case, str]:
    if max((len(a.quote) for need in case.answers for a in need), default=0) <= QUOTE_CHARS:
        return case, ""

    def shorter(a: Answer) -> Answer:
        return replace(a, quote=a.quote[:QUOTE_CHARS])

    def place(trace: PlaceTrace) -> PlaceTrace:
        return replace(trace, place=replace(trace.place, quote=trace.place.quote[:QUOTE_CHARS]))

    kept = replace(case, answers=tuple(tuple(map(shorter, need)) for need in case.answers))
    return _each_place(kept, place), f"Quotes of answers end after {QUOTE_CHARS:,} characters."


def _traces(case: Case) -> tuple[Case, str]:
    def need(one: NeedTrace) -> NeedTrace:
        # The place that decides is always among them.
        first = sorted(one.places, key=lambda p: p.stage != one.stage)[:PLACES]
        return replace(one, places=tuple(first))

    def place(trace: PlaceTrace) -> PlaceTrace:
        return replace(trace, chunks=trace.chunks[:CHUNKS])

    kept = _each_place(_each_need(case, need), place)
    kept = replace(kept, answers=tuple(places[:PLACES] for places in case.answers))
    said = f"Of each answer the first {PLACES} places are named, and {CHUNKS} chunks of each."
    return kept, said if kept != case else ""


def _hits(case: Case) -> tuple[Case, str]:
    kept = _each_list(case, lambda one: replace(one, hits=one.hits[:HITS]))
    return kept, f"Lists end after {HITS} hits." if kept != case else ""


def _query(case: Case) -> tuple[Case, str]:
    if len(case.query) <= QUERY_CHARS:
        return case, ""
    short = case.query[:QUERY_CHARS]

    def side(one: Side) -> Side:
        return replace(one, why=replace(one.why, query=short))

    kept = _each_side(replace(case, query=short), side)
    return kept, f"The question ends after {QUERY_CHARS:,} characters."


# Texts and the picture ----------------------------------------------------------------------------


def _texts(case: Case, limit: int, smaller: bool) -> Case:
    longest = max((len(h.text) for one in case.lists for h in one.hits), default=0)
    notes = case.notes
    if longest > limit:
        notes = (*notes, f"Texts of hits end after {limit:,} characters; the file stays small so.")
    picture = case.picture
    if picture is not None and smaller:
        packed = packed_image(picture.image, PICTURE_BYTES)[0]
        if packed != picture.image:
            notes = (*notes, "The picture is coarser than the page; the file stays small so.")
        picture = replace(picture, image=packed)
    kept = _each_list(case, lambda one: replace(one, hits=tuple(_hit(h, limit) for h in one.hits)))
    return replace(kept, picture=picture, notes=notes)


def _hit(hit: CaseHit, limit: int) -> CaseHit:
    if len(hit.text) <= limit:
        return hit
    marks = tuple((a, min(b, limit)) for a, b in hit.marks if a < limit)
    return replace(hit, text=hit.text[:limit], cut=len(hit.text) - limit, marks=marks)


# Every part of a kind -----------------------------------------------------------------------------


def _each_side(case: Case, change: Callable[[Side], Side]) -> Case:
    proposed = change(case.proposed) if case.proposed is not None else None
    return replace(case, today=change(case.today), proposed=proposed)


def _each_list(case: Case, change: Callable[[HitList], HitList]) -> Case:
    kept = _each_side(case, lambda side: replace(side, list=change(side.list)))
    return replace(kept, others=tuple(map(change, case.others)))


def _each_need(case: Case, change: Callable[[NeedTrace], NeedTrace]) -> Case:
    def side(one: Side) -> Side:
        return replace(one, why=replace(one.why, needs=tuple(map(change, one.why.needs))))

    return _each_side(case, side)


def _each_place(case: Case, change: Callable[[PlaceTrace], PlaceTrace]) -> Case:
    return _each_need(case, lambda need: replace(need, places=tuple(map(change, need.places))))
