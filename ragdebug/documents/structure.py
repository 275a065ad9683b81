"""Positions that all parsers share: lines, trimmed spans, paragraphs, section trees, gaps.

Every block a parser gives begins and ends with a character that is not blank, and every character
that is not blank lies in a block, so that a chunker which walks the blocks loses nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ragdebug.records import Block, Section, Span

_BLANK_LINE = re.compile(r"\n[^\S\n]*(?=\n)")


class Heading(NamedTuple):
    """A heading before the tree is built: where its line starts and its body, and its level."""

    start: int
    body: int
    level: int
    title: str


class Lines:
    r"""The lines of a text whose only line end is ``\n``; lines count from 0 here.

    Attributes:
        text: the text.
        starts: code point at which each line starts, and the end of the text as a last entry.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        starts = [0]
        at = text.find("\n")
        while at != -1:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        if starts[-1] != len(text) or len(starts) == 1:
            starts.append(len(text))
        self.starts = starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def start(self, line: int) -> int:
        """Where a line starts; the end of the text for lines beyond the last."""
        return self.starts[min(line, len(self.starts) - 1)]

    def line(self, line: int) -> str:
        """A line without its end."""
        return self.text[self.start(line) : self.start(line + 1)].rstrip("\n")

    def at(self, position: int) -> int:
        """The line a position lies in."""
        return min(bisect_right(self.starts, position) - 1, len(self) - 1)

    def span(self, first: int, last: int) -> Span:
        """Lines `first` to before `last`, without blanks around them."""
        return trim(self.text, self.start(first), self.start(last))


def trim(text: str, start: int, end: int) -> Span:
    """The span without blanks at either end; empty (at `end`) when all of it is blank."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def paragraphs(text: str, start: int, end: int) -> Iterator[Span]:
    """The parts of a span that blank lines separate, trimmed, empty ones left out."""
    at = start
    for blank in _BLANK_LINE.finditer(text, start, end):
        span = trim(text, at, blank.start())
        if span.end > span.start:
            yield span
        at = blank.end()
    span = trim(text, at, end)
    if span.end > span.start:
        yield span


def fill_gaps(text: str, blocks: Sequence[Block], kind: str = "paragraph") -> tuple[Block, ...]:
    """The blocks with what lies between them added as blocks of `kind`, one a paragraph.

    `blocks` are in order; a block inside another one (an inner unit) follows it.
    """
    result: list[Block] = []
    done = 0
    for block in blocks:
        if block.start > done:
            result += (Block(kind, s.start, s.end) for s in paragraphs(text, done, block.start))
        result.append(block)
        done = max(done, block.end)
    result += (Block(kind, s.start, s.end) for s in paragraphs(text, done, len(text)))
    return tuple(result)


def section_tree(headings: Iterable[Heading], end: int) -> tuple[Section, ...]:
    """Sections of headings in document order, each up to the next one of its level or above."""
    found = list(headings)
    ends = [end] * len(found)
    open_: list[int] = []
    for i, heading in enumerate(found):
        while open_ and found[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.start
        open_.append(i)
    return tuple(
        Section(h.start, e, h.level, h.title, min(h.body, e))
        for h, e in zip(found, ends, strict=True)
    )
