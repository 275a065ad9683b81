"""Plain text: the text is the source itself; paragraphs, lists and numbered headings over it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragdebug.documents.canonical import one_line
from ragdebug.documents.encoding import decode
from ragdebug.documents.frontmatter import read_front_matter
from ragdebug.documents.numbered import NumberedLine, Numbering, levels, underlined
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.structure import Heading, Lines, paragraphs, section_tree, trim
from ragdebug.errors import EmptyDocument
from ragdebug.records import Block, ParsedDocument, Section, Span

PARSER = "text/1"
_ITEM = re.compile(
    r"[ \t]*(?:[-*+\u2022\u2023\u25aa\u25e6\u2013][ \t]|\(?[0-9a-zA-Z]{1,3}[.)][ \t])"
)
_ENDS = (".", "!", "?", ":", "\u3002", "\uff01", "\uff1f", '."', ".\u201d", '."', ".)")
_UNWRAPPED_CHARS = 200


def parse_text(data: bytes, name: str, options: ParseOptions, limits: Limits) -> ParsedDocument:
    """Read a plain text file.

    Numbered headings ("1.2 Title"), legal articles ("Article 5", "§ 12 Title") and titles
    underlined by a row of marks become sections.

    Raises:
        DocumentError: the file is empty, is not text, or has a line beyond the limit.
    """
    decoded = decode(data, name, options.encoding, limits, declared=False)
    text = decoded.text
    if not text.strip():
        raise EmptyDocument(f"{name} holds no text.")
    front = read_front_matter(text)
    start = Lines(text).start(front.lines) if front.lines else 0
    sections, blocks, titled = outline(text, start)
    if front.lines:
        span = trim(text, 0, start)
        blocks.insert(0, Block("code", span.start, span.end))
    title = one_line(front.values.get("title", ""))
    return ParsedDocument(
        text=text,
        kind="text",
        parser=PARSER,
        title=title or (sections[0].title if titled and sections else ""),
        sections=sections,
        blocks=tuple(blocks),
        metadata=front.values,
        warnings=(*decoded.warnings, *front.warnings),
    )


def outline(text: str, start: int = 0) -> tuple[tuple[Section, ...], list[Block], bool]:
    """Sections and blocks of plain text from `start` on.

    Returns:
        Sections, blocks, and whether the first heading is an underlined title (the title of the
        text, where a numbered heading is only its first part).
    """
    reader = _Outline(text, start)
    for span in paragraphs(text, start, len(text)):
        reader.paragraph(span)
    order = levels([h.rank for _, _, h in reader.found])
    headings = [
        Heading(at, body, level, h.title)
        for (at, body, h), level in zip(reader.found, order, strict=True)
    ]
    for i, number in reader.heading_blocks:
        reader.blocks[i] = replace(reader.blocks[i], level=order[number])
    titled = bool(reader.found) and reader.found[0][2].rank[0] < 0
    return section_tree(headings, len(text)), reader.blocks, titled


class _Outline:
    """Headings and blocks as they are met, paragraph by paragraph."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.found: list[tuple[int, int, NumberedLine]] = []  # start, body, what it is
        self.blocks: list[Block] = []
        self.heading_blocks: list[tuple[int, int]] = []  # position in blocks, in found
        self._numbering = Numbering()
        self._marks: list[str] = []  # underline marks in the order in which they first came

    def paragraph(self, span: Span) -> None:
        """Split a paragraph at the headings in it."""
        at = opened = span.start
        previous = ""
        while at < span.end:
            line, after = _line(self.text, at, span.end)
            # Inside a paragraph only the line after a finished sentence can open a section.
            may_open = at == opened or previous.rstrip().endswith(_ENDS) or previous.endswith(";")
            heading, end = self._heading(at, after, line, at > opened) if may_open else (None, at)
            if heading is None:
                at, previous = after, line
                continue
            self._body(opened, at)
            line_start = max(self.start, self.text.rfind("\n", 0, at) + 1)
            self.found.append((line_start, end if heading.lines else at, heading))
            if not heading.lines:
                self._body(at, span.end)
                return
            lines = trim(self.text, at, end)
            self.heading_blocks.append((len(self.blocks), len(self.found) - 1))
            self.blocks.append(Block("heading", lines.start, lines.end))
            at = opened = end
            previous = ""
        self._body(opened, span.end)

    def _heading(
        self, at: int, after: int, line: str, inside: bool
    ) -> tuple[NumberedLine | None, int]:
        """The heading a line opens and where it ends."""
        end = len(self.text)
        following, after_next = _line(self.text, after, end)
        if not inside:
            third, after_third = _line(self.text, after_next, end)
            mark, lines, title = underlined(line, following), 2, line
            if not mark and (mark := underlined(following, third)) and line.strip()[:1] == mark:
                # A row of marks above the title as well, as reStructuredText has it.
                lines, title, after_next = 3, following, after_third
                mark = mark * 2 if set(line.strip()) == {mark} else ""
            if mark:
                if mark not in self._marks:
                    self._marks.append(mark)
                rank = (-1, self._marks.index(mark))
                return NumberedLine(one_line(title), rank, lines), after_next
        return self._numbering.heading(line, following, inside), after

    def _body(self, start: int, end: int) -> None:
        span = trim(self.text, start, max(start, end))
        if len(span):
            self.blocks += _body(self.text, span.start, span.end)


def plain_blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs and list items of a short text, such as a record's; no headings."""
    return tuple(b for s in paragraphs(text, 0, len(text)) for b in _body(text, s.start, s.end))


def _line(text: str, start: int, end: int) -> tuple[str, int]:
    """The line at `start` without its end, and where the next one starts."""
    stop = text.find("\n", start, end)
    return (text[start:end], end) if stop == -1 else (text[start:stop], stop + 1)


def _body(text: str, start: int, end: int) -> Iterator[Block]:
    """One paragraph, or the list items and unwrapped lines it consists of."""
    if text.find("\n", start, end) == -1:
        kind = "list_item" if _ITEM.match(text, start, end) else "paragraph"
        yield Block(kind, start, end, int(kind == "list_item"))
        return
    opened, kind, unwrapped = start, "paragraph", False
    at = start
    while at < end:
        line, after = _line(text, at, end)
        item = bool(_ITEM.match(line))
        if at > opened and (item or unwrapped):
            yield from _solid(text, kind, opened, at)
            opened, kind = at, "paragraph"
        if item:
            kind = "list_item"
        # A long line that ends a sentence was never wrapped: the next one is a new paragraph.
        unwrapped = len(line) > _UNWRAPPED_CHARS and line.rstrip().endswith(_ENDS)
        at = after
    yield from _solid(text, kind, opened, end)


def _solid(text: str, kind: str, start: int, end: int) -> Iterator[Block]:
    span: Span = trim(text, start, end)
    if span.start < span.end:
        yield Block(kind, span.start, span.end, int(kind == "list_item"))
