"""The outline of a PDF (its bookmarks), and where each entry stands in the text."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragdebug.documents.canonical import one_line
from ragdebug.documents.pdf_layout import LARGER, Layout, TextLine
from ragdebug.documents.pdfium import PdfFile, address_of, api

_NO_LETTERS = re.compile(r"[\W_]+")
MORE = 20  # characters a heading may have that its entry has not: a number, a page
MOST_ENTRIES = 20_000
DEEPEST = 32


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline.

    Attributes:
        page: index of the page it leads to, from 0.
        top: where on it, in points from its lower edge; None when the whole page is meant.
    """

    level: int
    title: str
    page: int
    top: float | None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in the canonical text; without lines of its own `end` is `start`."""

    level: int
    title: str
    start: int
    end: int


def read_outline(document: PdfFile) -> list[Bookmark]:
    """Entries that lead to a page, in order; loops and endless outlines are cut.

    Call it while the lock of pdfium is held.
    """
    raw = api()
    found: list[Bookmark] = []
    seen: set[int] = set()
    waiting = [(raw.FPDFBookmark_GetFirstChild(document.raw, None), 1)]
    while waiting and len(seen) < MOST_ENTRIES:
        item, level = waiting.pop()
        address = address_of(item)
        if not address or address in seen:
            continue
        seen.add(address)
        waiting.append((raw.FPDFBookmark_GetNextSibling(document.raw, item), level))
        if level < DEEPEST:
            waiting.append((raw.FPDFBookmark_GetFirstChild(document.raw, item), level + 1))
        bookmark = _bookmark(document, item, level)
        if bookmark:
            found.append(bookmark)
    return found


def _bookmark(document: PdfFile, item: object, level: int) -> Bookmark | None:
    raw = api()
    size = min(raw.FPDFBookmark_GetTitle(item, None, 0), 8192)
    buffer = ctypes.create_string_buffer(max(size, 2))
    raw.FPDFBookmark_GetTitle(item, buffer, size)
    title = one_line(buffer.raw[: max(0, size - 2)].decode("utf-16-le", "replace"))
    target = raw.FPDFBookmark_GetDest(document.raw, item)
    if not target:
        action = raw.FPDFBookmark_GetAction(item)
        target = raw.FPDFAction_GetDest(document.raw, action) if action else None
    page = raw.FPDFDest_GetDestPageIndex(document.raw, target) if target else -1
    if not title or page < 0:
        return None
    return Bookmark(level, title, page, _top(target))


def _top(target: object) -> float | None:
    raw = api()
    count, values = ctypes.c_ulong(), (ctypes.c_float * 4)()
    view = raw.FPDFDest_GetView(target, count, values)
    if view == raw.PDFDEST_VIEW_XYZ and count.value >= 2:
        has = [ctypes.c_int() for _ in range(3)]
        place = [ctypes.c_float() for _ in range(3)]
        if raw.FPDFDest_GetLocationInPage(target, *has, *place) and has[1].value:
            return float(place[1].value)
    if view in (raw.PDFDEST_VIEW_FITH, raw.PDFDEST_VIEW_FITBH) and count.value >= 1:
        return float(values[0])
    return None


def place_outline(
    bookmarks: Sequence[Bookmark], layout: Layout, turned: Sequence[bool]
) -> list[Heading]:
    """Find each entry's heading in the text, in text order.

    `turned` says of each page whether its lines' places are after a turn; `Bookmark.top` is not.

    The line that reads like the entry, nearest to where the entry points, is its heading. Without
    such a line the section starts at the first line below the place, or with the page.
    """
    by_page: dict[int, list[TextLine]] = {mark.page: [] for mark in bookmarks}
    for line in layout.lines:
        if line.page in by_page:
            by_page[line.page].append(line)
    plain: dict[int, list[str]] = {}
    longest: dict[int, int] = {}  # characters a heading on that page may have
    for mark in bookmarks:
        longest[mark.page] = max(longest.get(mark.page, 0), len(mark.title) + MORE)
    headings = []
    after: dict[int, int] = {}  # entries of one page follow each other
    for mark in bookmarks:
        if mark.page >= len(layout.pages):
            continue
        lines = by_page[mark.page]
        if mark.page not in plain:
            plain[mark.page] = [_plain_title(layout, line, longest[mark.page]) for line in lines]
        if turned[mark.page]:
            mark = replace(mark, top=None)
        found = _matching(mark, lines, plain[mark.page], after.get(mark.page, -1), layout.body_size)
        if found:
            first, last = found
            after[mark.page] = first.start
            headings.append(Heading(mark.level, mark.title, first.start, last.end))
        else:
            start = _below(mark, lines, layout.pages[mark.page][0])
            headings.append(Heading(mark.level, mark.title, start, start))
    return sorted(headings, key=lambda heading: heading.start)


def _matching(
    mark: Bookmark, lines: Sequence[TextLine], plain: Sequence[str], after: int, body: float
) -> tuple[TextLine, TextLine] | None:
    wanted = _plain(mark.title)
    best: tuple[tuple[float, int], TextLine, TextLine] | None = None
    for i, line in enumerate(lines if wanted else ()):
        if not (plain[i] in wanted or wanted in plain[i]):
            continue  # most lines
        away = 0.0 if mark.top is None else abs(line.line.top - mark.top)
        near = mark.top is not None and away < 3 * line.line.height
        likely = near or line.line.size >= LARGER * body
        text = ""
        for last, part in zip(lines[i : i + 3], plain[i : i + 3], strict=True):
            text += part  # a long heading takes two or three lines
            starts = last is line and likely and text.startswith(wanted)
            if text == wanted or starts or (last is line and _same_title(text, wanted)):
                worse = 10_000 * (line.start <= after) + 5_000 * line.running
                rank = (away + worse + 1_000 * (text != wanted), i)
                if best is None or rank < best[0]:
                    best = (rank, line, last)
            elif len(text) > len(wanted):
                break
    return (best[1], best[2]) if best else None


def _same_title(text: str, wanted: str) -> bool:
    """Equal but for a number in front of one of them ("2.1 Naming" and "Naming")."""
    longer, shorter = (text, wanted) if len(text) > len(wanted) else (wanted, text)
    head = longer[: len(longer) - len(shorter)]
    return len(shorter) >= 3 and longer.endswith(shorter) and head.strip("0123456789ivx") == ""


def _plain_title(layout: Layout, line: TextLine, longest: int) -> str:
    """Letters and digits of a line that could be a heading's; full lines of text cannot."""
    if line.end - line.start > longest and line.line.size < LARGER * layout.body_size:
        return "-"
    return _plain(layout.text[line.start : line.end])


def _plain(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())


def _below(mark: Bookmark, lines: Sequence[TextLine], page_start: int) -> int:
    if mark.top is None or not lines:
        return page_start
    limit = mark.top
    under = [x for x in lines if x.line.top <= limit + 0.3 * x.line.height]
    return max(under, key=lambda x: x.line.top).start if under else lines[-1].start
