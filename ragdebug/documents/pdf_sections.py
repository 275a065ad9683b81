"""Sections and blocks of a PDF: from its outline, else from the size and weight of its type."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.documents import structure
from ragdebug.documents.canonical import one_line
from ragdebug.documents.pdf_layout import LARGER, Layout, TextLine, has_bullet, is_list_item
from ragdebug.documents.pdf_outline import Heading
from ragdebug.records import Block, Section

LONGEST = 200  # characters
LONGEST_BOLD = 100
MOST_LINES = 3
LEVELS = 6


def find_headings(layout: Layout) -> list[Heading]:
    """Short paragraphs in larger or bold type; the larger, the higher the level.

    Where most short paragraphs are bold, or a third of all lines would be headings, type says
    nothing and no headings are returned for it.
    """
    body = layout.body_size
    found: list[tuple[list[TextLine], float, bool]] = []
    short = bold_short = 0
    for lines in layout.paragraphs():
        text = layout.text[lines[0].start : lines[-1].end]
        if len(lines) > MOST_LINES or len(text) > LONGEST or lines[0].running:
            continue
        if not any(c.isalpha() for c in text):
            continue
        size = round(min(x.line.size for x in lines), 1)
        bold = all(x.line.bold for x in lines)
        short += 1
        bold_short += bold
        larger = size >= LARGER * body
        weighty = bold and size >= 0.95 * body and len(lines) == 1 and len(text) <= LONGEST_BOLD
        if weighty and not larger and (text[-1] in ".,;:!?" or is_list_item(text)):
            continue
        if larger or weighty:
            found.append((lines, size if larger else body, bold))
    if short >= 4 and bold_short > 0.6 * short:
        found = [item for item in found if item[1] >= LARGER * body]
    if 3 * sum(len(lines) for lines, _, _ in found) > len(layout.lines) > 5:
        return []
    kinds = sorted({(size, bold) for _, size, bold in found}, reverse=True)
    return [
        Heading(
            min(kinds.index((size, bold)) + 1, LEVELS),
            one_line(layout.text[lines[0].start : lines[-1].end]),
            lines[0].start,
            lines[-1].end,
        )
        for lines, size, bold in found
    ]


def sections(headings: Sequence[Heading], length: int) -> tuple[Section, ...]:
    """The section tree of headings in text order; `length` is that of the text."""
    return structure.section_tree(
        (structure.Heading(h.start, h.end + (h.end > h.start), h.level, h.title) for h in headings),
        length,
    )


def blocks(layout: Layout, headings: Sequence[Heading]) -> tuple[Block, ...]:
    """Headings, list items and paragraphs, in order."""
    made: list[Block] = []
    of_heading = {h.start: h for h in headings if h.end > h.start}
    for lines in layout.paragraphs():
        kind, level, start, end = "", 0, 0, 0  # of the block that is open
        heading: Heading | None = None
        numbered = is_list_item(layout.text[lines[0].start : lines[0].end])
        for line in lines:
            if heading and line.end <= heading.end:
                end = line.end
                continue
            after_heading, heading = heading is not None, of_heading.get(line.start)
            text = layout.text[line.start : line.start + 8]
            item = has_bullet(text) or (numbered and is_list_item(text))
            if heading or item or after_heading or not kind:
                if kind:
                    made.append(Block(kind, start, end, level))
                kind = "heading" if heading else "list_item" if item else "paragraph"
                level = heading.level if heading else int(item)
                start = line.start
            end = line.end
        made.append(Block(kind, start, end, level))
    return tuple(made)
