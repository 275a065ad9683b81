"""What a text consists of: headings, paragraphs, list items, tables, code, in order, without gaps.

Parsers may leave text between their blocks, nest blocks, or give sections whose first line is no
heading block. Chunkers see none of that: they get runs, which together hold every non-blank
character, each with the mark whether a new section begins there.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ragdebug.chunk.borders import trim
from ragdebug.records import Block, ParsedDocument, Span

TEXT_KINDS = ("paragraph", "list_item", "quote")
_WHOLE_KINDS = ("table", "code")
_BLANK_LINE = re.compile(r"\n(?:[^\S\n]*\n)+")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one kind, without blanks at its ends.

    Attributes:
        kind: heading, paragraph, list_item, quote, table, code or unit.
        start: first code point.
        end: one past the last.
        level: of the section that begins here, where one does; of a heading.
        border: a new section begins here, so that no chunk may reach across.
        rows: spans of a table's rows.
        header: the part of a table to be repeated, or None.
        inner: what a unit of source code consists of, without gaps; empty when it is one piece.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    border: bool = False
    rows: tuple[Span, ...] = ()
    header: Span | None = None
    inner: tuple[Run, ...] = ()


def layout(parsed: ParsedDocument) -> list[Run]:
    """The runs of a document; for source code a forest of units, else a flat list."""
    if parsed.kind == "code":
        return list(_code_runs(parsed))
    cuts = _cuts(parsed)
    runs: list[Run] = []
    for run in _leaves(parsed):
        runs.extend([run] if run.kind in _WHOLE_KINDS else _split(parsed.text, run, cuts))
    return _marked(parsed, runs)


def paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans between blank lines, trimmed, none of them blank."""
    at = start
    for found in _BLANK_LINE.finditer(text, start, end):
        yield from _solid(text, at, found.start())
        at = found.end()
    yield from _solid(text, at, end)


def lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans between line ends, trimmed, none of them blank."""
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        yield from _solid(text, at, stop)
        at = stop + 1


def section_starts(parsed: ParsedDocument) -> list[int]:
    """Where sections and headings begin, ascending: no overlap reaches across these."""
    found = {s.start for s in parsed.sections}
    return sorted(found | {b.start for b in parsed.blocks if b.kind == "heading"})


def _solid(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    span = trim(text, start, end) if start < end else (end, end)
    if span[0] < span[1]:
        yield span


# Prose --------------------------------------------------------------------------------------------


def _ordered(blocks: Iterable[Block], length: int) -> list[Block]:
    inside = (b for b in blocks if 0 <= b.start < b.end <= length)
    return sorted(inside, key=lambda b: (b.start, -b.end))


def _leaves(parsed: ParsedDocument) -> Iterator[Run]:
    """Blocks without the containers, and the text between them."""
    text = parsed.text
    blocks = _ordered(parsed.blocks, len(text))
    open_: list[Block] = []  # containers around the place we are at
    at = 0
    for block, following in zip(blocks, [*blocks, None][1:], strict=True):
        if block.end <= at or (block.start < at and block.kind in _WHOLE_KINDS):
            continue  # inside a leaf that was taken whole
        for stop in _closing(open_, block.start):
            yield from _between(text, at, stop, open_)
            at = max(at, stop)
            open_.pop()
        yield from _between(text, at, block.start, open_)
        at = max(at, block.start)
        nested = following is not None and following.start < block.end
        if block.kind == "unit" or (nested and block.kind not in _WHOLE_KINDS):
            open_.append(block)
            continue
        start, end = trim(text, at, block.end)
        if start < end:
            yield Run(block.kind, start, end, block.level, rows=block.rows, header=block.header)
        at = block.end
    for stop in _closing(open_, len(text)):
        yield from _between(text, at, stop, open_)
        at = max(at, stop)
        open_.pop()
    yield from _between(text, at, len(text), open_)


def _closing(open_: list[Block], until: int) -> list[int]:
    """Ends of the containers that close at or before `until`, innermost first."""
    ends = []
    for block in reversed(open_):
        if block.end > until:
            break
        ends.append(block.end)
    return ends


def _between(text: str, start: int, end: int, open_: list[Block]) -> Iterator[Run]:
    kind = open_[-1].kind if open_ and open_[-1].kind in TEXT_KINDS else "paragraph"
    for low, high in paragraphs(text, start, end):
        yield Run(kind, low, high)


def _cuts(parsed: ParsedDocument) -> list[int]:
    """Places where a run of text has to be split: sections, their bodies, units."""
    places = {p for s in parsed.sections for p in (s.start, s.body)}
    places |= {p for b in parsed.blocks if b.kind == "unit" for p in (b.start, b.end)}
    return sorted(places)


def _split(text: str, run: Run, cuts: list[int]) -> Iterator[Run]:
    inside = cuts[bisect_right(cuts, run.start) : bisect_left(cuts, run.end)]
    if not inside:
        yield run
        return
    for low, high in zip([run.start, *inside], [*inside, run.end], strict=True):
        for start, end in _solid(text, low, high):
            yield replace(run, start=start, end=end)


def _marked(parsed: ParsedDocument, runs: list[Run]) -> list[Run]:
    """The runs with borders and heading lines marked."""
    starts = {s.start for s in parsed.sections}
    starts |= {p for b in parsed.blocks if b.kind == "unit" for p in (b.start, b.end)}
    borders = sorted(starts)
    sections = sorted(parsed.sections, key=lambda s: s.start)
    marked: list[Run] = []
    border = section = 0
    for run in runs:
        begins = run.kind == "heading"
        while border < len(borders) and borders[border] <= run.start:
            border += 1
            begins = True
        level = run.level
        opened = section
        while section < len(sections) and sections[section].start <= run.start:
            section += 1
        if section > opened:
            level = sections[opened].level
        # The last section that starts at or before this run decides whether it is a heading line.
        last = sections[section - 1] if section else None
        if last and run.end <= last.body and run.kind in TEXT_KINDS:
            run = replace(run, kind="heading", level=last.level)
        marked.append(replace(run, border=True, level=level) if begins else run)
    return marked


# Source code --------------------------------------------------------------------------------------


def _code_runs(parsed: ParsedDocument) -> Iterator[Run]:
    units = [b for b in parsed.blocks if b.kind == "unit"]
    spans = {(b.start, b.end) for b in units}
    for block in units:
        # Rows of one line each are lines, not inner units.
        several = (r for r in block.rows if "\n" in parsed.text[r.start : r.end].strip())
        spans |= {(r.start, r.end) for r in several}
    if not units:
        spans = {(s.start, s.end) for s in parsed.sections}
    length = len(parsed.text)
    ordered = sorted((s for s in spans if 0 <= s[0] < s[1] <= length), key=lambda s: (s[0], -s[1]))
    yield from _nest(parsed.text, 0, length, ordered)


def _nest(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> Iterator[Run]:
    """Units of ``[start, end)`` with what stands between them; `spans` outer before inner."""
    at = start
    index = 0
    while index < len(spans):
        low, high = spans[index]
        stop = index + 1
        while stop < len(spans) and spans[stop][0] < high:
            stop += 1
        inner, index = [s for s in spans[index + 1 : stop] if s[1] <= high], stop
        low, high = max(low, at), min(high, end)
        for gap in _solid(text, at, low):
            yield Run("code", *gap)
        for unit in _solid(text, low, high):
            parts = tuple(_nest(text, *unit, inner)) if inner else ()
            yield Run("unit", *unit, border=True, inner=parts)
        at = max(at, high)
    for gap in _solid(text, at, end):
        yield Run("code", *gap)
