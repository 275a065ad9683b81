"""The one entry to all chunkers, and what holds for the pieces of each of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import replace

from ragdebug.chunk.borders import trim
from ragdebug.chunk.fixed import fixed
from ragdebug.chunk.labels import SectionPaths, compose, label_of, token_count
from ragdebug.chunk.measure import measure_for
from ragdebug.chunk.recursive import recursive
from ragdebug.chunk.sentences import sentences
from ragdebug.chunk.structure import structure
from ragdebug.chunk.whole import whole
from ragdebug.protocols import Measure, TokenCounter
from ragdebug.records import Chunk, Document, ParsedDocument, Piece
from ragdebug.settings import ChunkingSettings

# Raised whenever a change here gives other spans, contexts or labels for the same settings.
CHUNKER_VERSION = 1

Chunker = Callable[[ParsedDocument, ChunkingSettings, Measure], list[Piece]]

REGISTRY: dict[str, Chunker] = {
    "structure": structure,
    "recursive": recursive,
    "sentences": sentences,
    "fixed": fixed,
    "document": whole,
}


def pieces(doc: ParsedDocument, settings: ChunkingSettings, measure: Measure) -> list[Piece]:
    """Cut a document.

    Args:
        doc: the document as its parser gave it.
        settings: what to cut by; they have been validated when they were made.
        measure: from `measure_for`, for this text and these settings.

    Returns:
        Pieces whose starts and ends strictly increase. None begins or ends with a blank, none lies
        inside another, and together they hold every non-blank character. None is longer than the
        size, except a single character of more tokens than that.
    """
    return _tidy(doc.text, REGISTRY[settings.strategy](doc, settings, measure))


def _tidy(text: str, found: Iterable[Piece]) -> list[Piece]:
    """Trim all pieces; leave out blank ones and those inside a neighbour."""
    kept: list[Piece] = []
    for piece in found:
        start, end = trim(text, piece.start, piece.end)
        if start == end or (kept and end <= kept[-1].end):
            continue
        while kept and kept[-1].start >= start:
            kept.pop()
        same = start == piece.start and end == piece.end
        kept.append(piece if same else replace(piece, start=start, end=end))
    return kept


def chunk(
    doc: Document, settings: ChunkingSettings, counter: TokenCounter | None, label_room: int
) -> list[Chunk]:
    """Cut a document and put labels on the chunks.

    Args:
        doc: one version of one document.
        settings: what to cut by.
        counter: the tokenizer that the settings name; may be None where they count characters.
        label_room: most tokens that a label may have: what size and special tokens leave of the
            embedder's window. Labels never change the spans.

    Raises:
        InvalidSetting: when tokens are to be counted without a counter.
    """
    text, parsed = doc.text, doc.parsed
    measure = measure_for(text, settings, counter)
    paths = SectionPaths(parsed)
    labels: dict[tuple[str, ...], str] = {}
    page_starts = [p.start for p in parsed.pages]
    prefix = f"{doc.id}.{doc.version[:8]}:"
    chunks: list[Chunk] = []
    for piece in pieces(parsed, settings, measure):
        start, end = piece.start, piece.end
        path = paths.of(start, end)
        if path not in labels:
            room = label_room if settings.label else 0
            labels[path] = label_of(path, room, token_count(counter)) if room > 0 else ""
        at = bisect_right(page_starts, start) - 1
        page = parsed.pages[at] if at >= 0 else None
        indexed = (start, end) if piece.index_start < 0 else (piece.index_start, piece.index_end)
        own = text[start:end]
        chunks.append(
            Chunk(
                id=f"{prefix}{start}-{end}"
                + (f"/{indexed[0]}-{indexed[1]}" if indexed != (start, end) else ""),
                document=doc.id,
                version=doc.version,
                source=doc.source,
                start=start,
                end=end,
                index_text=compose(labels[path], piece.context, text[indexed[0] : indexed[1]]),
                text=own,
                label=labels[path],
                context=piece.context,
                section=path,
                page=page.number if page else None,
                page_label=page.label if page else "",
                size=measure.size(start, end),
            )
        )
    return chunks
