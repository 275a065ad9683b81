"""Builds the canonical text of a DOCX, its blocks and its sections, paragraph by paragraph."""

from __future__ import annotations

from ragdebug.documents.canonical import one_line
from ragdebug.documents.docx_numbering import Numbering
from ragdebug.documents.docx_package import Element, child, local, value
from ragdebug.documents.docx_styles import Style, Styles
from ragdebug.documents.docx_tables import cells_of_box, read_table
from ragdebug.documents.docx_text import (
    Changes,
    Inline,
    block_children,
    paragraph_mark_deleted,
    read_inline,
)
from ragdebug.documents.letters import clean_line
from ragdebug.documents.structure import Heading, section_tree
from ragdebug.records import Block, Section, Span

# Their lines belong together: no blank line between neighbours of the same kind.
_CLOSE = ("list_item", "code")
DEEPEST_BOX = 20


class Builder:
    """Takes bodies of a DOCX and gathers text, blocks and headings.

    Footnotes, endnotes and text boxes follow the paragraph or table that refers to them, as
    paragraphs of their own, a note with its number in front: ``[1] See page 4.``
    """

    def __init__(
        self, styles: Styles, numbering: Numbering, notes: dict[tuple[str, str], Element]
    ) -> None:
        self.changes = Changes()
        self.title = ""
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._at = 0
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._numbers: dict[tuple[str, str], str] = {}
        self._headings: list[Heading] = []
        self._carried: Inline | None = None

    @property
    def text(self) -> str:
        """The canonical text so far."""
        return "".join(self._parts)

    def add(self, container: Element, depth: int = 0) -> None:
        """Add all paragraphs and tables of a container."""
        if depth > DEEPEST_BOX:
            return
        for part in block_children(container):
            if local(part) == "p":
                self._paragraph(part, depth)
            else:
                self._flush(depth)
                self._table(part, depth)
        self._flush(depth)

    def _paragraph(self, paragraph: Element, depth: int) -> None:
        inline = self._carried or Inline()
        self._carried = None
        read_inline(paragraph, inline, self.changes)
        if paragraph_mark_deleted(paragraph):
            self._carried = inline
            return
        properties = child(paragraph, "pPr")
        self._write(inline, self._styles.of(properties), depth)

    def _flush(self, depth: int) -> None:
        """Write what waits for a next paragraph that does not come."""
        if self._carried is not None:
            inline, self._carried = self._carried, None
            self._write(inline, Style(), depth)

    def _write(self, inline: Inline, style: Style, depth: int) -> None:
        lines = (clean_line(line) for line in inline.text.split("\n"))
        text = "\n".join(lines).strip()
        if text:
            label = self._numbering.label(*style.numbering) if style.numbering else ""
            if style.level or style.role == "title":
                self._heading(f"{label} {one_line(text)}".strip(), style)
            elif style.numbering:
                self._put(f"{label} {text}".strip(), "list_item", style.numbering[1] + 1)
            elif style.role == "toc":
                self._put(text, "list_item", 1)
            else:
                self._put(text, style.role or "paragraph")
        self._attached(inline.notes, inline.boxes, depth)

    def _heading(self, text: str, style: Style) -> None:
        start, end = self._put(text, "heading", style.level or 1)
        if style.level:
            self._headings.append(Heading(start, end + 1, style.level, text))
        elif not self.title:
            self.title = text

    def _table(self, table: Element, depth: int) -> None:
        boxed = cells_of_box(table)
        if boxed is not None:
            for cell in boxed:
                self.add(cell, depth + 1)
            return
        found = read_table(table, self.changes)
        rows: list[Span] = []
        if found.rows:
            rows_text = [clean_line(row) for row in found.rows]
            start, end = self._put("\n".join(rows_text), "table")
            at = start
            for row in rows_text:
                rows.append(Span(at, at + len(row)))
                at += len(row) + 1
            header = Span(start, rows[found.header - 1].end) if found.header else None
            self.blocks[-1] = Block("table", start, end, rows=tuple(rows), header=header)
        self._attached(found.notes, found.boxes, depth)

    def _attached(self, notes: list[tuple[str, str]], boxes: list[Element], depth: int) -> None:
        for note in notes:
            body = self._notes.get(note)
            if body is None or note in self._numbers:
                continue
            number = str(1 + sum(kind == note[0] for kind, _ in self._numbers))
            self._numbers[note] = number
            inline = Inline()
            for part in block_children(body):
                if inline.parts:
                    inline.parts.append(" ")
                read_inline(part, inline, self.changes)
            text = clean_line(" ".join(inline.text.split()))
            if text:
                self._put(f"[{number}] {text}", "paragraph")
        for box in boxes:
            self.add(box, depth + 1)

    def _put(self, text: str, kind: str, level: int = 0) -> tuple[int, int]:
        if self.blocks:
            close = kind in _CLOSE and self.blocks[-1].kind == kind
            separator = "\n" if close else "\n\n"
            self._parts.append(separator)
            self._at += len(separator)
        start = self._at
        self._parts.append(text)
        self._at += len(text)
        if kind == "code" and self.blocks and self.blocks[-1].kind == "code":
            start = self.blocks.pop().start
        self.blocks.append(Block(kind, start, self._at, level))
        return start, self._at

    def sections(self) -> tuple[Section, ...]:
        """The section tree of all headings so far."""
        return section_tree(self._headings, self._at)


def notes_of(root: Element | None, kind: str) -> dict[tuple[str, str], Element]:
    """Footnotes or endnotes by (kind, id), without the lines that part them from the text."""
    found = {}
    for note in root if root is not None else ():
        if local(note) == kind and value(note, "type") in ("", "normal"):
            found[(kind, value(note, "id"))] = note
    return found
