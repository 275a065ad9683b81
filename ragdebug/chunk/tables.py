"""Rows and headers of tables."""

from __future__ import annotations

import re

from ragdebug.chunk.borders import trim, word_cut
from ragdebug.chunk.layout import Run, lines
from ragdebug.protocols import Measure
from ragdebug.records import Span

_RULE = re.compile(r"[\s|:+=─━═┼┿╪-]+")


def row_spans(text: str, run: Run) -> list[tuple[int, int]]:
    """The rows of a table, its header as the first of them, without gaps between them."""
    head = run.header.end if run.header else run.start + 1
    rows = run.rows or tuple(Span(*s) for s in lines(text, run.start, run.end))
    starts = [r.start for r in rows if head <= r.start < run.end]
    edges = [run.start, *starts, run.end]
    spans = (trim(text, low, high) for low, high in zip(edges, edges[1:], strict=False))
    return [s for s in spans if s[0] < s[1]]


def repeated_header(text: str, run: Run, measure: Measure, limit: int) -> tuple[str, int]:
    """A table's header as context for its later rows, and its size.

    The rule under it says nothing to a reader of the index and is left out. Of a header of more
    than `limit` units the first ones are taken.
    """
    if run.header is None:
        return "", 0
    spans = lines(text, run.header.start, run.header.end)
    kept = [s for s in spans if not _RULE.fullmatch(text, *s)]
    if not kept:
        return "", 0
    start, end = kept[0][0], kept[-1][1]
    stop = measure.fit(start, max(1, limit))
    if stop < end:
        cut = word_cut(text, start, stop)
        stop = trim(text, start, cut if cut > 0 else stop)[1]
        kept = [(start, stop)]
    return (
        "\n".join(text[low:high] for low, high in kept),
        sum(measure.size(low, high) for low, high in kept),
    )
