"""A chunk table of what another system returned. It lives in memory: nothing is indexed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ragdebug.chunk.labels import compose
from ragdebug.records import Document, DocumentInfo
from ragdebug.store.pieces import KeptPiece
from ragdebug.table import ChunkTable, DocumentRef
from ragdebug.workbench.outside.elsewhere import is_elsewhere, stand_in
from ragdebug.workbench.pieces.cutting import PieceChunks, note_rows, place


@dataclass(frozen=True, slots=True)
class PieceTable:
    """Returned pieces as chunks.

    Attributes:
        table: the chunks.
        rows: shape (pieces,), the row of each piece; -1 where its document was taken out.
        not_placed: how many pieces have no span.
    """

    table: ChunkTable
    rows: NDArray[np.int64]

    @property
    def not_placed(self) -> int:
        """How many chunks have no span."""
        return self.table.not_placed


def piece_table(
    key: str,
    chunking: str,
    pieces: Sequence[KeptPiece],
    infos: Sequence[DocumentInfo],
    load: Callable[[str], Document],
    chunks: PieceChunks,
    text_of: Callable[[str, str], str],
) -> PieceTable:
    """Place pieces and put them into a table.

    Args:
        key: fingerprint of the pieces and the corpus.
        chunking: text form the table goes by.
        pieces: from `identify`.
        infos: the active documents.
        load: gives a document.
        chunks: makes chunks of placed pieces.
        text_of: canonical text of (document, version).
    """
    here = {i.id: i for i in infos}
    by_document: dict[str, list[KeptPiece]] = {}
    for piece in pieces:
        if piece.document in here or is_elsewhere(piece.document):
            by_document.setdefault(piece.document, []).append(piece)
    documents = [
        load(d) if d in here else stand_in(d, some[0].source) for d, some in by_document.items()
    ]
    documents.sort(key=lambda d: (d.source, d.id))
    placed = {d.id: place([_whole(p, d) for p in by_document[d.id]], d) for d in documents}
    table = ChunkTable(
        key,
        chunking,
        [DocumentRef(d.id, d.version, d.source) for d in documents],
        [chunks.columns_of(placed[d.id], d) for d in documents],
        lambda d, v: "" if is_elsewhere(d) else text_of(d, v),
        compose,
    )
    rows = np.full(max((p.position for p in pieces), default=-1) + 1, -1, np.int64)
    for document in documents:
        note_rows(rows, table, document.id, placed[document.id])
    return PieceTable(table, rows)


def _whole(piece: KeptPiece, document: Document) -> KeptPiece:
    """A hit that names a document, or a page, and nothing in it stands for all of it."""
    if piece.text.strip() or piece.start is not None:
        return piece
    if piece.page is not None:
        page = next((p for p in document.parsed.pages if p.number == piece.page), None)
        return piece if page is None else replace(piece, start=page.start, end=page.end)
    return replace(piece, start=0, end=len(document.text))
