"""Columns of a page: gutters that hardly any line crosses, and the order between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from math import ceil
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragdebug.documents.pdf_lines import Line
    from ragdebug.documents.pdfium import Box

CELL = 3.0  # points
NARROWEST = 9.0  # points; blanks of justified text are narrower
MOST_CROSSED = 0.6  # lines that may cross a gutter, as a share of those beside it: title, abstract
FEWEST_LINES = 3
MOST_CELLS = 5000


@dataclass(frozen=True, slots=True)
class Gutter:
    """A blank strip between two columns, in points."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """Its centre."""
        return (self.left + self.right) / 2


def have_gaps(runs: Sequence[Box]) -> bool:
    """Whether some rows have a blank as wide as a gutter between runs drawn one after the other."""
    gaps = 0
    for a, b in pairwise(runs):
        apart = b[0] - a[2] > NARROWEST or a[0] - b[2] > NARROWEST
        if apart and a[1] < b[3] and b[1] < a[3]:
            gaps += 1
    return gaps >= FEWEST_LINES


def find_gutters(rects: Sequence[Box]) -> list[Gutter]:
    """Strips that few runs of text cover while more cover either side, from left to right."""
    if len(rects) < 2 * FEWEST_LINES:
        return []
    origin = min(rect[0] for rect in rects)
    width = max(rect[2] for rect in rects) - origin
    to_the_right = sum(rect[0] > origin + 0.15 * width for rect in rects)
    cells = int(width / CELL) + 2
    if to_the_right < FEWEST_LINES or not 3 < cells < MOST_CELLS:
        return []  # most pages: all lines start at the left margin
    steps = [0] * (cells + 1)
    for left, _, right, _ in rects:
        steps[int((left - origin) / CELL)] += 1
        steps[min(ceil((right - origin) / CELL), cells)] -= 1
    cover = list(accumulate(steps[:cells]))
    peak_left = accumulate(cover, max)
    peak_right = list(accumulate(reversed(cover), max))[::-1]
    beside = list(map(min, peak_left, peak_right))
    blank = [
        here <= MOST_CROSSED * lower and lower >= FEWEST_LINES
        for here, lower in zip(cover, beside, strict=True)
    ]
    gutters: list[Gutter] = []
    if True not in blank:
        return gutters
    for is_blank, run in groupby(range(cells), blank.__getitem__):
        if is_blank:
            strip = list(run)
            gutter = _emptiest(cover, strip[0], strip[-1] + 1, origin)
            if gutter is not None:
                gutters.append(gutter)
    return gutters


def _emptiest(cover: Sequence[int], start: int, end: int, origin: float) -> Gutter | None:
    """The widest stretch of lowest cover: ragged right edges make the strip look wider."""
    lowest = min(cover[start:end])
    widest: list[int] = []
    for is_lowest, run in groupby(range(start, end), lambda cell: cover[cell] == lowest):
        stretch = list(run)
        if is_lowest and len(stretch) > len(widest):
            widest = stretch
    if len(widest) * CELL < NARROWEST:
        return None
    return Gutter(origin + widest[0] * CELL, origin + (widest[-1] + 1) * CELL)


def column_of(line: Line, gutters: Sequence[Gutter]) -> int:
    """Number of the line's column from 0, or -1 when it runs across a gutter."""
    column = 0
    for gutter in gutters:
        if line.x0 < gutter.middle < line.x1:
            return -1
        column += line.x0 >= gutter.middle
    return column


def alternates(lines: Sequence[Line], gutters: Sequence[Gutter]) -> bool:
    """Whether lines, as they were drawn, change their column at nearly every step."""
    columns = [c for c in (column_of(line, gutters) for line in lines) if c >= 0]
    changes = sum(a != b for a, b in pairwise(columns))
    return len(columns) >= 2 * FEWEST_LINES and 1.5 * changes > len(columns)


def is_prose(lines: Sequence[Line], texts: Sequence[str], gutters: Sequence[Gutter]) -> str:
    """Whether the columns are text to be read downwards: "prose", "table" or "unsure".

    Cells of a table are short and leave their column half empty. Lines of prose fill it, and many
    start in the middle of a sentence; without such starts, full cells look the same.
    """
    columns: dict[int, list[tuple[Line, str]]] = {}
    for line, text in zip(lines, texts, strict=True):
        columns.setdefault(column_of(line, gutters), []).append((line, text))
    columns.pop(-1, None)
    if len(columns) <= len(gutters) or min(map(len, columns.values())) < FEWEST_LINES:
        return "table"
    verdict = "prose"
    for members in columns.values():
        left = min(line.x0 for line, _ in members)
        width = max(line.x1 for line, _ in members) - left
        full = median(line.x1 - line.x0 for line, _ in members) / max(width, 1.0)
        words = median(text.count(" ") + 1 for _, text in members)
        if words < 2 or full < 0.4:
            return "table"
        inside = sum(_starts_inside(text) for _, text in members) / len(members)
        if words < 3 or full < 0.55 or inside < 0.3:
            verdict = "unsure"
    return verdict


def _starts_inside(text: str) -> bool:
    """Whether a line starts like the middle of a sentence; scripts without case always do."""
    return text[0].isalpha() and not text[0].isupper()


def reading_order(lines: Sequence[Line], gutters: Sequence[Gutter]) -> list[Line]:
    """Lines column by column; lines that run across part the page into bands.

    Each line's `flow` is set: it changes where reading leaves a column.
    """
    ranked = sorted(lines, key=lambda line: -line.top)
    apart = _margin_lines(ranked)
    ordered: list[Line] = []
    band: list[tuple[int, Line]] = []
    flow = 0

    def close() -> None:
        nonlocal flow
        for column in sorted({c for c, _ in band}):
            flow += 1
            for member_column, line in band:
                if member_column == column:
                    line.flow = flow
                    ordered.append(line)
        band.clear()

    across = False
    for line in ranked:
        column = column_of(line, gutters)
        if column < 0 or id(line) in apart:
            if band:
                close()
            flow += not across
            across = True
            line.flow = flow
            ordered.append(line)
        else:
            across = False
            band.append((column, line))
    close()
    return ordered


def _margin_lines(ranked: Sequence[Line]) -> set[int]:
    """Running heads and feet: the outermost rows, when more than a blank line parts them."""
    apart: set[int] = set()
    for order in (ranked, ranked[::-1]):
        edge = order[0]
        row = [line for line in order if _same_row(line, edge)]
        rest = [line for line in order if not _same_row(line, edge)]
        if not rest:
            continue
        if order is ranked:
            gap = min(line.bottom for line in row) - max(line.top for line in rest)
        else:
            gap = min(line.bottom for line in rest) - max(line.top for line in row)
        if gap > 1.2 * edge.height:
            apart.update(map(id, row))
    return apart


def _same_row(line: Line, other: Line) -> bool:
    return min(line.top, other.top) - max(line.bottom, other.bottom) > 0.5 * min(
        line.height, other.height
    )
