"""``recursive``: separators tried in order, the next one only for parts that are still too long.

Separators are literal text, never patterns, and stay at the end of the part they close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ragdebug.chunk.borders import is_cluster_border, trim
from ragdebug.chunk.layout import section_starts
from ragdebug.chunk.packer import Packer
from ragdebug.chunk.sentence_spans import sentence_spans
from ragdebug.protocols import Measure
from ragdebug.records import ParsedDocument, Piece
from ragdebug.settings import ChunkingSettings

Level = Callable[[int, int], Iterator[tuple[int, int]]]


def recursive(parsed: ParsedDocument, settings: ChunkingSettings, measure: Measure) -> list[Piece]:
    """Cut a document at the strongest separators that make it fit.

    Without separators of its own the order is blank line, line end, sentence end, blank, anywhere;
    with them it is those, then anywhere. See `ragdebug.chunk.run.pieces`.
    """
    text = parsed.text

    def sentences(start: int, end: int) -> Iterator[tuple[int, int]]:
        return iter(sentence_spans(text, start, end, parsed.language))

    def literal(separator: str) -> Level:
        return lambda start, end: _parts(text, separator, start, end)

    levels: list[Level] = [literal(s) for s in settings.separators if s]
    words = not settings.separators
    if words:
        levels = [literal("\n\n"), literal("\n"), sentences]
    packer = Packer(
        text, measure, settings, lambda: [s for s, _ in sentences(0, len(text))],
        walls=section_starts(parsed),
    )  # fmt: skip

    def descend(start: int, end: int, level: int) -> None:
        if not packer.too_long(start, end):
            packer.add(start, end)
            return
        if level == len(levels):
            packer.pour(start, end, words=words)
            return
        for low, high in levels[level](start, end):
            if (low, high) != (start, end) and packer.too_long(low, high):
                packer.close()
            descend(low, high, level + 1)

    descend(*trim(text, 0, len(text)), 0)
    packer.close()
    return packer.pieces


def _parts(text: str, separator: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts of ``text[start:end]``, each with the separator that closes it, none of them blank."""
    at = start
    while at < end:
        found = text.find(separator, at, end)
        stop = end if found < 0 else found + len(separator)
        while stop < end and not is_cluster_border(text, stop):  # a mark on top of the separator
            stop += 1
        low, high = trim(text, at, stop)
        if low < high:
            yield low, high
        at = stop
