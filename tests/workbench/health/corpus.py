"""Documents and tables without a store: what the checks look at, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragdebug.records import Chunk, DocumentInfo
from ragdebug.table import ChunkTable, DocumentChunks, DocumentRef

Spans = Sequence[tuple[int, int]]


def info(source: str, text: str = "x" * 100, **more: Any) -> DocumentInfo:
    """A document whose id is its source and whose version is its text."""
    return DocumentInfo(source, text, source, "added", chars=len(text), **more)


def text_of(document: str, version: str) -> str:
    """The text of a document made by `info`."""
    return version


def table(infos: Sequence[DocumentInfo], spans: Sequence[Spans]) -> ChunkTable:
    """A table of these documents whose chunks have these spans."""
    parts = []
    for one, pairs in zip(infos, spans, strict=True):
        text = one.version
        chunks = [Chunk("", one.id, text, one.source, a, b, text[a:b], text[a:b]) for a, b in pairs]
        parts.append(DocumentChunks.of(chunks))
    refs = [DocumentRef(d.id, d.version, d.source) for d in infos]
    return ChunkTable("t", "fixed:9/0", refs, parts, text_of, lambda _l, _c, text: text)
