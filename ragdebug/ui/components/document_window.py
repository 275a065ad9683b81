"""What of a long document is sent to the browser, and where everything stands in it.

Pure functions. Input is in code points, output in UTF-16 units of the whole document, so that a
position means the same in every window.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.records import Page
from ragdebug.ui.offsets import Utf16Map

WINDOW = 40_000  # code points sent at once
RAIL_MARKS = 400  # marks drawn on the strip that stands for the whole document
MOST_FOUND = 100_000  # matches counted


@dataclass(frozen=True, slots=True)
class ChunkMark:
    """A chunk to draw. `number` counts from 1 in the document; `note` is its tooltip."""

    id: str
    start: int
    end: int
    number: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Layers:
    """What is drawn on a document; all positions are code points.

    Attributes:
        chunks: alternating tint, a rule and a number where each starts; overlaps on their own.
        other: a second chunking: only where its chunks start, as a dashed rule in a gutter of its
            own; red inside evidence.
        evidence: (start, end) of passages that are expected.
        terms: (start, end) of the query's words.
        pages: page map of the document.
        selected: id of the chunk that is drawn strongly.
        titles: names of the two chunkings, for their gutters.
    """

    chunks: Sequence[ChunkMark] = ()
    other: Sequence[ChunkMark] = ()
    evidence: Sequence[tuple[int, int]] = ()
    terms: Sequence[tuple[int, int]] = ()
    pages: Sequence[Page] = ()
    selected: str = ""
    titles: tuple[str, str] = ("", "")


@dataclass(slots=True)
class View:
    """Where one reader is in one document.

    Attributes:
        at: code point around which text is sent.
        goto: code point range the browser should scroll to; None when it stays where it is.
        nonce: counts the scroll orders, so that each is followed once.
        query: what is searched for.
        match: index of the current match, -1 when there is none.
        focus: the last position that the page asked for.
    """

    at: int = 0
    goto: tuple[int, int] | None = None
    nonce: int = 0
    query: str = ""
    match: int = -1
    focus: tuple[int, int] | None = None
    token: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    def scroll_to(self, start: int, end: int) -> None:
        """Order the browser to show a range."""
        self.at, self.goto, self.nonce = start, (start, end), self.nonce + 1


@lru_cache(maxsize=4)
def utf16(text: str) -> Utf16Map:
    """Positions of a whole document; remembered for the last few."""
    return Utf16Map(text)


@lru_cache(maxsize=16)
def find(text: str, query: str) -> NDArray[np.int64]:
    """Starts of all places where `query` stands, whatever its case; blanks match any blanks.

    Returns:
        Shape (n, 2), int64: code point ranges in order, without overlaps, at most `MOST_FOUND`.
    """
    words = query.split()
    if not words:
        return np.empty((0, 2), dtype=np.int64)
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    spans: list[tuple[int, int]] = []
    for found in pattern.finditer(text):
        spans.append(found.span())
        if len(spans) == MOST_FOUND:
            break
    return np.array(spans, dtype=np.int64).reshape(-1, 2)


def step(view: View, text: str, direction: int, at: int) -> None:
    """Move to the next (1), previous (-1) or nearest following (0) match from `at`."""
    found = find(text, view.query)
    if not len(found):
        view.match = -1
        return
    if direction == 0 or view.match < 0:
        index = int(np.searchsorted(found[:, 0], at, "left"))
        view.match = (index - 1 if direction < 0 else index) % len(found)
    else:
        view.match = (view.match + direction) % len(found)
    start, end = found[view.match].tolist()
    view.scroll_to(start, end)


def bounds(text: str, at: int, size: int = WINDOW) -> tuple[int, int]:
    """The range of `text` that is sent: about `size` code points around `at`, whole lines if short.

    A line longer than a tenth of the window may be cut.
    """
    if len(text) <= size:
        return 0, len(text)
    start = min(max(0, at - size // 3), len(text) - size)
    end = start + size
    slack = size // 10
    if start > 0:
        line = text.find("\n", start, start + slack)
        start = line + 1 if line >= 0 else start
    if end < len(text):
        line = text.rfind("\n", end - slack, end)
        end = line + 1 if line >= 0 else end
    return start, end


def page_at(pages: Sequence[Page], at: int) -> Page | None:
    """The page a position is on."""
    index = bisect_left(pages, at + 1, key=lambda p: p.start) - 1
    return pages[index] if pages and index >= 0 else None


def page_named(pages: Sequence[Page], name: str) -> Page | None:
    """The page with this printed label, or with this number."""
    wanted = name.strip().casefold()
    for page in pages:
        if page.label and page.label.casefold() == wanted:
            return page
    return next((p for p in pages if str(p.number) == wanted), None)


def _inside(spans: Sequence[Any], start: int, end: int) -> list[Any]:
    """Those of some (start, end) pairs or marks that share something with a range."""
    out = []
    for span in spans:
        first, last = (span.start, span.end) if hasattr(span, "start") else span[:2]
        if last > start and first < end:
            out.append(span)
    return out


def payload(text: str, layers: Layers, view: View) -> dict[str, Any]:
    """All that the browser draws for one view of a document; see `document_view.js`."""
    start, end = bounds(text, view.at)
    to = utf16(text).to_utf16
    total = max(1, len(text))
    found = find(text, view.query)
    near = found[(found[:, 1] > start) & (found[:, 0] < end)] if len(found) else found
    chunks = list(layers.chunks)
    selected = next((c for c in (*chunks, *layers.other) if c.id == layers.selected), None)

    def marks(items: Sequence[ChunkMark]) -> list[list[Any]]:
        return [
            [c.id, to(c.start), to(c.end), c.number, c.note] for c in _inside(items, start, end)
        ]

    def pairs(items: Sequence[Any]) -> list[list[int]]:
        return [[to(int(a)), to(int(b))] for a, b in _inside(items, start, end)]

    current = found[view.match].tolist() if 0 <= view.match < len(found) else None
    first_page = page_at(layers.pages, start)
    pages = _inside(layers.pages, start, end)
    if first_page is not None and first_page not in pages:
        pages = [first_page, *pages]
    buckets = np.unique((found[:, 0] * RAIL_MARKS) // total) if len(found) else np.empty(0)
    return {
        "text": text[start:end],
        "base": to(start),
        "total": to(len(text)),
        "token": view.token,
        "chunks": marks(chunks),
        # Chunks that stand nowhere are not drawn, and are counted before those that are.
        "chunkCount": max((c.number for c in chunks), default=0),
        "other": marks(layers.other),
        "titles": list(layers.titles),
        "evidence": pairs(layers.evidence),
        "terms": pairs(layers.terms),
        "found": pairs(near.tolist()),
        "current": [to(current[0]), to(current[1])] if current else None,
        "pages": [[to(p.start), p.number, p.label] for p in pages],
        "pageCount": len(layers.pages),
        "selected": layers.selected if selected else "",
        "find": {
            "query": view.query,
            "count": len(found),
            "more": len(found) >= MOST_FOUND,
            "index": view.match,
        },
        "goto": [view.nonce, to(view.goto[0]), to(view.goto[1])] if view.goto else None,
        "rail": {
            "evidence": [[a / total, b / total] for a, b in layers.evidence[:RAIL_MARKS]],
            "found": (buckets / RAIL_MARKS).tolist(),
            "selected": [selected.start / total, selected.end / total] if selected else None,
            "window": [start / total, end / total],
        },
    }
