"""Questions as rows of a file, from which an import makes them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ragdebug.errors import RagDebugError
from ragdebug.questions import PLACED, Label, Question
from ragdebug.records import Document, Place
from ragdebug.workbench import regions
from ragdebug.workbench.questions.records import Given

Load = Callable[[str, str], Document]


def rows(question: Question, load: Load) -> Iterator[Given]:
    """One row a place, judged ones too; one alone where nothing is labelled.

    The first row carries what is said of the question as a whole.

    Args:
        question: any.
        load: gives a version of a document, for the names of pages and sections.
    """
    first = Given(
        question=question.text,
        id=question.id,
        tags=question.tags,
        notes=question.notes,
        not_answerable=question.not_answerable or None,
        level="" if question.level == "passage" else question.level,
        asked=question.origin,
    )
    made = [
        _place(label.place, load, str(number), need.grade, label)
        for number, need in enumerate(question.needs, 1)
        for label in need.labels
    ]
    made += [_place(place, load) for place in question.rejected]
    if not made:
        yield first
        return
    yield _joined(first, made[0])
    for row in made[1:]:
        yield _joined(Given(question=question.text, id=question.id), row)


def _joined(question: Given, place: Given) -> Given:
    return Given(
        question=question.question,
        id=question.id,
        tags=question.tags,
        notes=question.notes,
        not_answerable=question.not_answerable,
        level=question.level,
        asked=question.asked,
        source=place.source,
        quote=place.quote,
        need=place.need,
        start=place.start,
        end=place.end,
        page=place.page,
        section=place.section,
        region=place.region,
        grade=place.grade,
        rejected=place.rejected,
        status=place.status,
        origin=place.origin,
        given=place.given,
    )


def _place(
    place: Place, load: Load, need: str = "", grade: float = 1.0, label: Label | None = None
) -> Given:
    page, section, region = None, "", place.region
    kind, _, name = place.region.partition(" ")
    if name:  # a region that stands nowhere keeps what it was called
        region = kind
        page = int(name) if kind == "page" and name.isdigit() else None
        section = name if kind == "section" else ""
    elif place.region in ("page", "section"):
        try:
            page, section = regions.name(load(place.document, place.version), place)
        except RagDebugError:
            region = place.region
    stands = place.start >= 0
    return Given(
        source=place.source,
        quote=place.quote,
        need=need,
        start=place.start if stands else None,
        end=place.end if stands else None,
        page=page,
        section=section,
        region=region,
        grade=grade,
        rejected=label is None,
        status="" if label is None or label.status == PLACED else label.status,
        origin=label.origin if label else "",
        given=label.given if label else "",
    )
