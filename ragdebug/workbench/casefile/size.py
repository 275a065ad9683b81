"""Keeping a file below a size that can be mailed; what is left out is said."""

from __future__ import annotations

from dataclasses import replace

from ragdebug.workbench.casefile.page import case_page
from ragdebug.workbench.casefile.picture import packed_image
from ragdebug.workbench.casefile.records import Case, CaseHit, HitList, Side

MOST_BYTES = 2_900_000
TEXT_CHARS = (20_000, 5_000, 2_000, 800, 300, 100)
PICTURE_BYTES = 250_000


def fitted(case: Case, most: int = MOST_BYTES) -> tuple[Case, bytes]:
    """The case with its longest texts cut until its file is small enough, and the file."""
    made, file = case, b""
    for at, limit in enumerate(TEXT_CHARS):
        made = _cut(case, limit, smaller=at > 0)
        file = case_page(made).encode("utf-8")
        if len(file) <= most:
            break
    else:
        made = replace(made, picture=None, tables=(), others=(), notes=(*made.notes, _DROPPED))
        file = case_page(made).encode("utf-8")
    return made, file


_DROPPED = "Further lists, explanations and the picture are left out, so that the file stays small."


def _cut(case: Case, limit: int, smaller: bool) -> Case:
    lists = case.lists
    longest = max((len(h.text) for one in lists for h in one.hits), default=0)
    notes = case.notes
    if longest > limit:
        notes = (*notes, f"Texts of hits end after {limit:,} characters; the file stays small so.")
    picture = case.picture
    if picture is not None and smaller:
        picture = replace(picture, image=packed_image(picture.image, PICTURE_BYTES)[0])
    return replace(
        case,
        today=_side(case.today, limit),
        proposed=_side(case.proposed, limit) if case.proposed is not None else None,
        others=tuple(_list(one, limit) for one in case.others),
        picture=picture,
        notes=notes,
    )


def _side(side: Side, limit: int) -> Side:
    return replace(side, list=_list(side.list, limit))


def _list(one: HitList, limit: int) -> HitList:
    return replace(one, hits=tuple(_hit(h, limit) for h in one.hits))


def _hit(hit: CaseHit, limit: int) -> CaseHit:
    if len(hit.text) <= limit:
        return hit
    marks = tuple((a, min(b, limit)) for a, b in hit.marks if a < limit)
    return replace(hit, text=hit.text[:limit], cut=len(hit.text) - limit, marks=marks)
