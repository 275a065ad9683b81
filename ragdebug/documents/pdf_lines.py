"""Lines of a page with their places, in the order in which a person reads them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from functools import cache
from statistics import median

from ragdebug.documents.pdf_columns import (
    FEWEST_LINES,
    Gutter,
    alternates,
    find_gutters,
    have_gaps,
    is_prose,
    reading_order,
)
from ragdebug.documents.pdfium import Box, TextPage

# A line at least this share of the widest one has no room for a heading's blank to its right.
FULL_LINE = 0.85
LEAST_HEIGHT = 0.5  # points; some fonts state none
HYPHEN = "\ufffe"


@dataclass(slots=True)
class Line:
    """A line, or the part of it inside one column.

    Attributes:
        start: first character that is not blank, in the page's raw text.
        end: one past the last one that is not blank; a hyphen that pdfium marked is left out.
        x0, x1, bottom, top: the place in points as the page is shown, y upwards.
        size: size of its type in points.
        bold: whether its font is a bold one; looked up for short lines only.
        flow: number of the column run it belongs to; a new number means reading went elsewhere.
        hyphen: the hyphen that ended it and was taken away: "-", U+00AD, or "".
    """

    start: int
    end: int
    x0: float
    x1: float
    bottom: float
    top: float
    size: float = 0.0
    bold: bool = False
    flow: int = 0
    hyphen: str = ""

    @property
    def height(self) -> float:
        """Height of the line's box in points."""
        return self.top - self.bottom


@dataclass(slots=True)
class PageLines:
    """What was read of one page: pdfium's text and the lines in reading order.

    Attributes:
        turn: quarter turns, clockwise, after which the lines' places are given.
        columns: "" for one column or certain ones, ``suspected`` where the order is a guess.
    """

    text: str
    lines: list[Line] = field(default_factory=list)
    turn: int = 0
    columns: str = ""


def read_page(page: TextPage, sizes: dict[float, float] | None = None) -> PageLines:
    """All lines of a page; call it while the lock of pdfium is held.

    `sizes` remembers what was learned of fonts on the pages before.
    """
    lines = _cut(page)
    result = PageLines(page.text, lines)
    if not lines:
        return result
    turn = result.turn = _place(page, lines)
    _describe(page, lines, {} if sizes is None else sizes)
    if len(lines) >= FEWEST_LINES:
        runs = _turned(page.rects(), turn) if page.count_rects() > len(lines) else []
        if not have_gaps(runs):  # then no line holds a gutter, and the lines themselves will do
            runs = [(x.x0, x.bottom, x.x1, x.top) for x in lines]
        gutters = find_gutters(runs)
        if gutters:
            _set_in_columns(page, result, gutters, turn)
    return result


def _cut(page: TextPage) -> list[Line]:
    """Lines as pdfium breaks them, cut once more where it pulled up a hyphenated word."""
    text = page.text
    lines: list[Line] = []
    at = 0
    for whole in text.split("\r\n"):
        start, part = at, whole
        at += len(whole) + 2
        while HYPHEN in part:
            cut = _next_hyphen(page, part, start)
            if cut < 0:
                break
            hyphen = "\xad" if page.is_soft_hyphen(start + cut) else "-"
            _add(lines, part[:cut], start, hyphen)
            start, part = start + cut + 1, part[cut + 1 :]
        _add(lines, part, start, "")
    return lines


def _next_hyphen(page: TextPage, part: str, start: int) -> int:
    cut = part.find(HYPHEN)
    while cut >= 0 and not page.is_hyphen(start + cut):
        cut = part.find(HYPHEN, cut + 1)
    return cut


def _add(lines: list[Line], part: str, start: int, hyphen: str) -> None:
    inner = part.lstrip()
    if inner:
        first = start + len(part) - len(inner)
        lines.append(Line(first, first + len(inner.rstrip()), 0, 0, 0, 0, hyphen=hyphen))


def _place(page: TextPage, lines: list[Line]) -> int:
    """Give every line its box; returns the quarter turns that make its text upright."""
    ends = [at for line in lines for at in (line.start, line.end - 1)]
    boxes = page.boxes(ends)
    turn = page.rotation or _lying(boxes)
    boxes = _turned(boxes, turn)
    uneven = []
    for line, first, last in zip(lines, boxes[::2], boxes[1::2], strict=True):
        line.x0 = first[0] if first[0] < last[0] else last[0]
        line.x1 = first[2] if first[2] > last[2] else last[2]
        line.bottom, line.top = first[1], max(first[3], first[1] + LEAST_HEIGHT)
        if first[1] != last[1] or first[3] != last[3]:
            uneven.append(line)  # a bullet, a raised number: what stands between them counts
    between = _turned(page.boxes([_middle(page.text, line) for line in uneven]), turn)
    for line, (_, line.bottom, _, line.top) in zip(uneven, between, strict=True):
        line.top = max(line.top, line.bottom + LEAST_HEIGHT)
    return turn


def _middle(text: str, line: Line) -> int:
    """A character inside the line that was drawn: pdfium makes up blanks, which have no font."""
    middle = (line.start + line.end) // 2
    while middle > line.start and text[middle] == " ":
        middle -= 1
    return middle


def _lying(boxes: list[Box]) -> int:
    """Quarter turns of text that runs up or down an upright page; 0 for most pages."""
    rises = [
        last[1] - first[1]
        for first, last in zip(boxes[::2], boxes[1::2], strict=True)
        if abs(last[1] - first[1]) > 2 * abs(last[0] - first[0]) + 5
    ]
    if 4 * len(rises) <= len(boxes):
        return 0
    return 1 if median(rises) > 0 else 3


def _turned(boxes: list[Box], turn: int) -> list[Box]:
    """Boxes as they stand after quarter turns, clockwise, about the origin."""
    if turn % 4 == 1:
        return [(bottom, -right, top, -left) for left, bottom, right, top in boxes]
    if turn % 4 == 2:
        return [(-right, -top, -left, -bottom) for left, bottom, right, top in boxes]
    if turn % 4 == 3:
        return [(-top, left, -bottom, right) for left, bottom, right, top in boxes]
    return boxes


def _describe(page: TextPage, lines: list[Line], sizes: dict[float, float]) -> None:
    """Size of type of every line, and weight of the short ones.

    Boxes of one height are of one font and size, so that most lines cost no further call.
    """
    widest = max(line.x1 - line.x0 for line in lines)
    short = FULL_LINE * widest if len(lines) >= FEWEST_LINES else widest + 1
    for line in lines:
        height = round(line.top - line.bottom, 3)
        size = sizes.get(height)
        if size is None:
            size = sizes[height] = page.font_size(_middle(page.text, line))
        line.size = size
        if line.x1 - line.x0 < short:
            line.bold = is_bold(page.font_name(line.start))


@cache
def is_bold(font: str) -> bool:
    """Whether a font's name says that it is heavier than the text's."""
    name = font.lower()
    return any(word in name for word in ("bold", "black", "heavy", "demi", "cmbx", "sfbx"))


def _set_in_columns(page: TextPage, result: PageLines, gutters: list[Gutter], turn: int) -> None:
    """Cut lines at the gutters and order them by column, where the columns hold prose."""
    parts: list[Line] = []
    for line in result.lines:
        parts += _split(page, line, gutters, turn)
    cut = len(parts) > len(result.lines)
    if not cut and not alternates(parts, gutters):
        return  # drawn column by column, or cell by cell: that order is meant
    texts = [page.text[part.start : part.end] for part in parts]
    verdict = is_prose(parts, texts, gutters)
    if verdict == "prose":
        result.lines = reading_order(parts, gutters)
    elif verdict == "unsure":
        result.columns = "suspected"


def _split(page: TextPage, line: Line, gutters: list[Gutter], turn: int) -> list[Line]:
    """The line in parts, one a column; the line alone when it runs across the gutter."""
    for gutter in gutters:
        if not (line.x0 < gutter.left and line.x1 > gutter.right):
            continue
        text = page.text
        blanks = [i for i in range(line.start, line.end) if text[i] == " "]
        found = bisect_left(
            blanks, gutter.middle, key=lambda i: _turned(page.boxes([i + 1]), turn)[0][0]
        )
        if found == len(blanks):
            continue
        blank = blanks[found]
        before, after, first = _turned(page.boxes([blank - 1, blank + 1, line.start]), turn)
        if before[2] > gutter.left + 2 or after[0] < gutter.right - 2:
            continue
        # Lines side by side need not stand at one height.
        head = replace(line, end=blank, x1=before[2], bottom=first[1], top=first[3], hyphen="")
        tail = replace(line, start=blank + 1, x0=after[0], bottom=after[1], top=after[3])
        return [head, *_split(page, tail, gutters, turn)]
    return [line]
