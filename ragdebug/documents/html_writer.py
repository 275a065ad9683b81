"""Gathers what a page shows into a text, and remembers where each block and section lies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragdebug.documents.canonical import normalise, one_line
from ragdebug.documents.structure import Heading, section_tree, trim
from ragdebug.records import Block, Section, Span

# A no-break blank is a blank to whoever searches; a soft hyphen is not there unless a line breaks.
SIGNS = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2007": " ", "\u00ad": None})
_BLANKS = re.compile(r"[ \t\f\n]+")
_BREAK = "\u2028"  # a <br> until the line is finished; no text node keeps one


def collapse(text: str) -> str:
    """Runs of blanks as one, none around the text."""
    return _BLANKS.sub(" ", text).strip()


class Writer:
    """Builds the text block by block; `flush` ends what is inline."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._inline: list[str] = []
        self._around: list[tuple[str, int]] = []  # headings, list items, quotes we are in
        self._lists = 0
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []

    # What the walker says ----------------------------------------------------------------------

    def inline(self, text: str) -> None:
        """A piece of text that goes on from the last one."""
        # A character reference can spell what the source itself no longer holds.
        self._inline.append(normalise(text).replace(_BREAK, "\n"))

    def line_break(self) -> None:
        """A new line in the same block."""
        self._inline.append(_BREAK)

    def begin(self, kind: str, level: int = 0) -> None:
        """A heading, list item or quote starts; `level` is a heading's."""
        self.flush()
        depth = sum(k == kind for k, _ in self._around) + 1
        self._around.append((kind, level or (self._lists or 1 if kind == "list_item" else depth)))

    def end(self) -> None:
        """The innermost heading, list item or quote ends."""
        self.flush()
        self._around.pop()

    def open_list(self) -> None:
        """A list starts."""
        self.flush()
        self._lists += 1

    def close_list(self) -> None:
        """A list ends."""
        self.flush()
        self._lists -= 1

    def flush(self) -> None:
        """What is inline so far becomes a block."""
        if not self._inline:
            return
        raw = "".join(self._inline).translate(SIGNS)
        self._inline.clear()
        text = "\n".join(line for part in raw.split(_BREAK) if (line := collapse(part)))
        if not text:
            return
        kind, level = self._around[-1] if self._around else ("paragraph", 0)
        if kind == "heading":
            text = one_line(text)
            start = self._write(kind, text, level)
            self._headings.append(Heading(start, start + len(text) + 1, level, text))
        else:
            self._write(kind, text, level)

    def code(self, text: str) -> None:
        """Preformatted text, its own line breaks and indents kept."""
        text = normalise(text).replace("\u00a0", " ").strip("\n")
        span = trim(text, 0, len(text))
        if len(span):
            self._write("code", text[: span.end], offset=span.start)

    def table(self, rows: Sequence[Sequence[str]], headers: int) -> None:
        """A table, a row a line; the first `headers` rows are its header."""
        lines = [" | ".join(row).strip() for row in rows]
        if not lines:
            return
        start = self._write("table", "\n".join(lines))
        spans = []
        at = start
        for line in lines:
            spans.append(Span(at, at + len(line)))
            at += len(line) + 1
        header = Span(start, spans[headers - 1].end) if 0 < headers < len(spans) else None
        last = self._blocks[-1]
        self._blocks[-1] = Block("table", last.start, last.end, rows=tuple(spans), header=header)

    def finish(self) -> tuple[str, tuple[Block, ...], tuple[Section, ...]]:
        """The text, its blocks and its sections."""
        self.flush()
        text = "".join(self._parts)
        return text, tuple(self._blocks), section_tree(self._headings, len(text))

    # ----------------------------------------------------------------------------------------------

    def _write(self, kind: str, text: str, level: int = 0, offset: int = 0) -> int:
        """Append a block; where it starts. `offset` characters at its start are blank."""
        if self._parts:
            items = kind == "list_item" and self._blocks[-1].kind == "list_item"
            gap = "\n" if items else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        self._blocks.append(Block(kind, start + offset, start + len(text), level))
        return start
