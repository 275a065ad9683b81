"""A better text of one page, pasted by a person, in place of what the parser read there.

The file stays as it is, and so does the version of the text that was read from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ragdebug.documents.canonical import clean
from ragdebug.errors import InvalidSetting
from ragdebug.records import Block, Page, ParsedDocument, ParseWarning, Section, Span

PASTED = "pasted_text"
LEFT_OUT = "pasted_text_left_out"
MARK = "+pasted"  # behind the parser's name, so that versions differ
_CURED = ("no_text_layer",)


def page_text(parsed: ParsedDocument, number: int) -> str:
    """The text of a page.

    Raises:
        InvalidSetting: there is no such page.
    """
    page = _page(parsed, number)
    return parsed.text[page.start : page.end]


def with_page(parsed: ParsedDocument, number: int, text: str) -> ParsedDocument:
    """The document with another text of a page.

    Sections that begin on the page stay where their title is a line of the new text; its blocks
    become plain paragraphs.

    Args:
        parsed: as it was read.
        number: of the sheet, from 1.
        text: of the whole page.

    Raises:
        InvalidSetting: there is no such page, or no text.
    """
    page = _page(parsed, number)
    body = clean(text).strip()
    if not body:
        raise InvalidSetting("There is no text to take.", hint="Paste the words of the page.")
    before, old, after = (
        parsed.text[: page.start],
        parsed.text[page.start : page.end],
        parsed.text[page.end :],
    )
    head = "\n\n" if before and not before[-1].isspace() else ""
    tail = old[len(old.rstrip()) :] if old.strip() else ""
    if after and not tail and not after[0].isspace():
        tail = "\n\n"
    new = head + body + tail
    by = len(new) - len(old)
    made = before + new + after
    warnings = [w for w in parsed.warnings if not (w.page == number and w.code in _CURED)]
    warnings = [w for w in warnings if (w.code, w.page) != (PASTED, number)]
    said = f"The text of page {number} was pasted by a person."
    return replace(
        parsed,
        text=made,
        parser=parsed.parser.removesuffix(MARK) + MARK,
        sections=_sections(parsed.sections, page, made, page.start + len(new), by),
        pages=tuple(_moved_page(p, page, by) for p in parsed.pages),
        blocks=tuple(_blocks(parsed.blocks, page, by)),
        warnings=(*warnings, ParseWarning(PASTED, said, number)),
    )


def _page(parsed: ParsedDocument, number: int) -> Page:
    found = next((p for p in parsed.pages if p.number == number), None)
    if found is None:
        raise InvalidSetting(f"The document has no page {number}.")
    return found


def _moved_page(one: Page, page: Page, by: int) -> Page:
    if one.number == page.number:
        return replace(one, end=one.end + by)
    return replace(one, start=one.start + by, end=one.end + by) if one.number > page.number else one


def _blocks(blocks: tuple[Block, ...], page: Page, by: int) -> Iterator[Block]:
    for one in blocks:
        if one.end <= page.start:
            yield one
        elif one.start >= page.end:
            rows = tuple(Span(r.start + by, r.end + by) for r in one.rows)
            header = one.header and Span(one.header.start + by, one.header.end + by)
            yield replace(one, start=one.start + by, end=one.end + by, rows=rows, header=header)


def _sections(
    sections: tuple[Section, ...], page: Page, text: str, end: int, by: int
) -> tuple[Section, ...]:
    """Sections where they stand now; each ends where the next one that is not inside it starts."""
    moved = []
    at = page.start
    for one in sections:
        if one.start >= page.end:
            moved.append(replace(one, start=one.start + by, body=one.body + by))
        elif one.start < page.start:
            body = one.body if one.body <= page.start else max(page.start, one.body + by)
            moved.append(replace(one, body=body))
        elif (found := _line(text, one.title, at, end)) is not None:
            at = found + len(one.title)
            moved.append(replace(one, start=found, body=min(at + 1, len(text))))
    return tuple(
        replace(
            one,
            end=next((x.start for x in moved[i + 1 :] if x.level <= one.level), len(text)),
        )
        for i, one in enumerate(moved)
    )


def _line(text: str, title: str, start: int, end: int) -> int | None:
    """Where a title stands as a line of its own."""
    at = text.find(title, start, end) if title else -1
    while at >= 0:
        alone = text[:at].endswith("\n") or at == 0
        rest = text[at + len(title) : end]
        if alone and (not rest or rest.startswith("\n")):
            return at
        at = text.find(title, at + 1, end)
    return None
