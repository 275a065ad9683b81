"""Answers and hits as a case file says them: page, section, and what of the answer is in a hit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragdebug.evidence import non_blank
from ragdebug.records import Document, Hit, Place, ResultList, Section
from ragdebug.table import page_at
from ragdebug.workbench.casefile.records import Answer, CaseHit, Excerpt, HitList, Marks

AROUND = 700  # characters shown before and after an answer
LONGEST = 4000  # characters of an answer itself

DocumentOf = Callable[[str, str], Document]


def answer(place: Place, document_of: DocumentOf) -> Answer:
    """A place with its page and its headings."""
    page: int | None = None
    label: str = ""
    section: tuple[str, ...] = ()
    if place.document and place.start >= 0:
        parsed = document_of(place.document, place.version).parsed
        on = page_at(parsed.pages, place.start)
        if on is not None:
            page, label = on.number, on.label
        section = headings(parsed.sections, place.start)
    return Answer(
        place.document,
        place.version,
        place.source,
        place.start,
        place.end,
        page,
        label,
        section,
        place.quote,
        place.region,
    )


def headings(sections: Sequence[Section], position: int) -> tuple[str, ...]:
    """Titles of the sections that hold a position, outermost first."""
    return tuple(s.title for s in sections if s.start <= position < s.end and s.title)


def hit_list(name: str, made: ResultList, answers: Sequence[Answer]) -> HitList:
    """A result list as it is kept in a case file."""
    expected = made.expected
    return HitList(
        name=name,
        strategy=made.strategy,
        hits=tuple(_hit(h, answers) for h in made.hits),
        allowed=made.allowed,
        total=made.total,
        rank=expected.rank if expected is not None else None,
        note=made.error or (expected.note if expected is not None else ""),
        notes=made.notes,
    )


def _hit(hit: Hit, answers: Sequence[Answer]) -> CaseHit:
    c = hit.chunk
    inside, coverage = [], 0.0
    for one in answers:
        if (one.document, one.version) != (c.document, c.version):
            continue
        start, end = max(one.start, c.start), min(one.end, c.end)
        if start >= end:
            continue
        if one.region:
            coverage = max(coverage, (end - start) / min(len(c.span), one.end - one.start))
            continue
        inside.append((start - c.start, end - c.start))
        solid = int(non_blank(one.quote).sum())
        held = int(non_blank(c.text[start - c.start : end - c.start]).sum())
        coverage = max(coverage, held / solid if solid else 0.0)
    return CaseHit(
        rank=hit.rank,
        score=hit.score,
        score_kind=hit.score_kind,
        chunk=c.id,
        document=c.document,
        version=c.version,
        source=c.source,
        start=c.start,
        end=c.end,
        page=c.page,
        page_label=c.page_label,
        section=c.section,
        text=c.text,
        marks=joined(inside),
        coverage=min(1.0, coverage),
        shares=tuple((s.list, s.rank, s.share) for s in hit.shares),
        notes=hit.notes,
    )


def joined(spans: Sequence[tuple[int, int]]) -> Marks:
    """Spans in order, those that touch made one."""
    made: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return tuple(made)


def excerpt(
    one: Answer, answers: Sequence[Answer], text: str, borders: Sequence[int]
) -> Excerpt | None:
    """The text around an answer, with where chunks begin; None for a region.

    Args:
        one: the answer.
        answers: all that are marked.
        text: of its document.
        borders: starts of the chunks of the document.
    """
    if one.region or one.start < 0:
        return None
    first = _word_border(text, max(0, one.start - AROUND), one.start)
    end = min(one.end, one.start + LONGEST)
    last = _word_end(text, min(len(text), end + AROUND), end)
    marks = [
        (max(a.start, first) - first, min(a.end, last) - first)
        for a in answers
        if (a.document, a.version) == (one.document, one.version)
        and not a.region
        and a.start < last
        and a.end > first
    ]
    return Excerpt(
        source=one.source,
        document=one.document,
        start=first,
        text=text[first:last],
        marks=joined(marks),
        cuts=tuple(b - first for b in borders if first < b < last),
    )


def _word_border(text: str, start: int, end: int) -> int:
    """Where the first whole word from `start` on begins; `start` where there is none."""
    if start == 0 or text[start - 1].isspace():
        return start
    blank = next((at for at in range(start, end) if text[at].isspace()), None)
    return start if blank is None else blank + 1


def _word_end(text: str, end: int, start: int) -> int:
    """Where the last whole word before `end` ends; `end` where there is none after `start`."""
    if end == len(text) or text[end].isspace():
        return end
    return next((at for at in range(end, start, -1) if text[at - 1].isspace()), end)
