"""Pages, sections and whole documents as places."""

from __future__ import annotations

from ragdebug.errors import RagDebugError
from ragdebug.records import Document, Place


def region(
    document: Document, page: int | None = None, section: str = "", start: int | None = None
) -> Place:
    """A page by its number, a section by its title, or the whole document.

    Args:
        document: with its text.
        page: sheet number, from 1.
        section: its title; of several the one that begins at `start`, else the first.
        start: where it begins, where that is known.

    Raises:
        RagDebugError: when there is no such page or section.
    """
    low, high, kind = 0, len(document.text), "document"
    if page is not None:
        on = next((p for p in document.parsed.pages if p.number == page), None)
        if on is None:
            raise RagDebugError(f"{document.source} has no page {page}.")
        low, high, kind = on.start, on.end, "page"
    elif section:
        titled = [s for s in document.parsed.sections if s.title == section]
        if not titled:
            raise RagDebugError(f"{document.source} has no section {section!r}.")
        at = next((s for s in titled if s.start == start), titled[0])
        low, high, kind = at.start, at.end, "section"
    return Place(document.id, document.version, document.source, low, high, "", kind)


def name(document: Document, place: Place) -> tuple[int | None, str]:
    """Page number or section title of a region, (None, "") of a whole document."""
    if place.region == "page":
        for page in document.parsed.pages:
            if (page.start, page.end) == (place.start, place.end):
                return page.number, ""
    if place.region == "section":
        for section in document.parsed.sections:
            if (section.start, section.end) == (place.start, place.end):
                return None, section.title
    return None, ""


def follow(place: Place, old: Document, new: Document) -> Place | None:
    """A region in a newer version of its document, None when it cannot be told which it is.

    A section is known by its title, where that is there once. A page is the one with the same text:
    its number says little once text before it has grown.
    """
    if place.region == "document":
        return region(new)
    page, title = name(old, place)
    if title:
        same = [s for s in new.parsed.sections if s.title == title]
        return region(new, section=title) if len(same) == 1 else None
    if page is not None:
        text = old.text[place.start : place.end].strip()
        alike = [p for p in new.parsed.pages if new.text[p.start : p.end].strip() == text]
        return region(new, page=alike[0].number) if len(alike) == 1 and text else None
    return None
