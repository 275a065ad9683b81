"""Pieces as chunks: each where it stands in its document, the others without a span."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ragdebug.chunk.borders import trim
from ragdebug.chunk.labels import SectionPaths
from ragdebug.errors import NotBrought
from ragdebug.pieces import GivenPiece, PiecePlacement, place_pieces
from ragdebug.protocols import Vectors, text_hash
from ragdebug.records import Chunk, Document
from ragdebug.store.pieces import KeptPiece, PieceSet, PieceStore
from ragdebug.table import ChunkTable, DocumentChunks, page_at
from ragdebug.workbench.kept import Kept

PLACES = 1 << 30  # below 0, where pieces that stand nowhere lie by their text


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece and the span it has; below 0 when it stands nowhere."""

    piece: KeptPiece
    start: int
    end: int
    placement: PiecePlacement


class PieceChunks:
    """Cuts documents the way other systems did.

    Args:
        store: the piece sets.
        load: gives a document in one version.
        count: tokens of texts, by the default model's tokenizer.
    """

    def __init__(
        self,
        store: PieceStore,
        load: Callable[[str, str], Document],
        count: Callable[[Sequence[str]], list[int]],
    ) -> None:
        self._store = store
        self._load = load
        self._count = count
        self._placed: Kept[tuple[PlacedPiece, ...]] = Kept(2000)
        self._rows: Kept[NDArray[np.int64]] = Kept(4)
        self._tables: Kept[PieceSet] = Kept(200)

    def set(self, name: str) -> PieceSet:
        """The set in use with a name.

        Raises:
            NotBrought: there is none.
        """
        found = self._store.named(name)
        if found is None:
            kind, _, outside = name.partition(":")
            what = f"{kind} {outside}" if outside else f"set of chunks {name}"
            raise NotBrought(
                f"There is no {what} here.",
                hint="Bring chunks in with: ragdebug ingest --chunks FILE --name NAME"
                if not outside
                else "See what there is with: ragdebug lists",
            )
        return found

    def pin(self, table: str, found: PieceSet) -> None:
        """Say of which set a table is made, by its fingerprint.

        Under the name of the set another may come while the table is in use.
        """
        self._tables.get(table, lambda: found)

    def of(self, name: str, table: ChunkTable) -> PieceSet:
        """The set that a table is made of; for one that was never pinned the set in use.

        Raises:
            NotBrought: there is none.
        """
        return self._tables.peek(table.fingerprint) or self.set(name)

    def place(self, set_id: str, document: Document) -> tuple[PlacedPiece, ...]:
        """The pieces of one document, in the order of their file."""
        key = (set_id, document.id, document.version)
        return self._placed.get(
            key, lambda: place(self._store.pieces(set_id, document.id), document)
        )

    def chunks(self, name: str, document: Document) -> list[Chunk]:
        """The pieces of one document as chunks, by position; those at one span are one."""
        placed = self.place(self.set(name).id, document)
        return [chunk for chunk, _ in self._chunks_of(placed, document)]

    def columns(self, found: PieceSet, document: Document) -> DocumentChunks:
        """The same in columns."""
        return self.columns_of(self.place(found.id, document), document)

    def columns_of(self, placed: Sequence[PlacedPiece], document: Document) -> DocumentChunks:
        """Placed pieces of one document in columns."""
        cut = self._chunks_of(placed, document)
        return DocumentChunks.of(
            # What is indexed in other words than the document's is kept as the context.
            [replace(c, context=c.index_text) if given else c for c, given in cut],
            [(at := max(c.start, 0), at) if given else (-1, -1) for c, given in cut],
        )

    def _chunks_of(
        self, placed: Sequence[PlacedPiece], document: Document
    ) -> list[tuple[Chunk, bool]]:
        by_span: dict[tuple[int, int], PlacedPiece] = {}
        for one in placed:
            by_span.setdefault((one.start, one.end), one)
        ordered = [by_span[span] for span in sorted(by_span)]
        texts = [one.piece.text or document.text[one.start : one.end] for one in ordered]
        sizes = self._count(texts)
        paths = SectionPaths(document.parsed)
        return [
            _chunk(one, size, document, paths) for one, size in zip(ordered, sizes, strict=True)
        ]

    def rows(self, name: str, table: ChunkTable) -> NDArray[np.int64]:
        """Shape (pieces,): the row of each piece in a table of its set, -1 for none.

        A piece has no row when its document was taken out.
        """
        found = self.of(name, table)
        return self._rows.get((found.id, table.fingerprint), lambda: self._find_rows(found, table))

    def _find_rows(self, found: PieceSet, table: ChunkTable) -> NDArray[np.int64]:
        rows = np.full(found.pieces, -1, np.int64)
        for document in self._store.documents(found.id):
            inside = table.rows_of(document)
            if not inside:
                continue
            version = table.document(inside.start).version
            note_rows(rows, table, document, self.place(found.id, self._load(document, version)))
        return rows

    def metadata(self, name: str, table: ChunkTable) -> list[list[Mapping[str, str]]]:
        """The metadata of the pieces that each chunk is, in the order of the rows."""
        found = self.of(name, table)
        own: list[list[Mapping[str, str]]] = [[] for _ in range(len(table))]
        rows = self.rows(name, table)
        for piece in self._store.pieces(found.id):
            if rows[piece.position] >= 0:
                own[int(rows[piece.position])].append(piece.metadata)
        return own

    def vectors(self, name: str, table: ChunkTable) -> tuple[NDArray[np.int64], Vectors]:
        """Rows that have a given vector, shape (n,), rising, and the vectors, of unit length."""
        found = self.of(name, table)
        positions, vectors = self._store.vectors(found.id)
        if not len(positions):  # those that had one were purged
            return positions, np.zeros((0, found.dimension), np.float32)
        rows = self.rows(name, table)[positions]
        keep = rows >= 0
        # Of pieces that are one chunk the first one's vector counts.
        rows, first = np.unique(rows[keep], return_index=True)
        vectors = vectors[keep][first]
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        unit = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return rows, unit


def note_rows(
    rows: NDArray[np.int64], table: ChunkTable, document: str, placed: Sequence[PlacedPiece]
) -> None:
    """Write the row of each placed piece of a document at its position; -1 where it has none."""
    inside = table.rows_of(document)
    spans = table.spans[inside.start : inside.stop].tolist()
    at = {(start, end): inside.start + i for i, (start, end) in enumerate(spans)}
    for one in placed:
        rows[one.piece.position] = at.get((one.start, one.end), -1)


def place(pieces: Sequence[KeptPiece], document: Document) -> tuple[PlacedPiece, ...]:
    """Give each piece of a document its span."""
    text = document.text
    worded = [p for p in pieces if p.text.strip()]
    given = [GivenPiece(p.text, p.source, p.id, p.page, p.start, p.end, p.metadata) for p in worded]
    found = dict(
        zip(
            (p.position for p in worded),
            place_pieces(text, given, document.parsed.pages),
            strict=True,
        )
    )
    return tuple(
        _placed(p, found.get(p.position) or _by_position_alone(p, text), text) for p in pieces
    )


def _by_position_alone(piece: KeptPiece, text: str) -> PiecePlacement:
    """A piece without words stands where its offsets say, or nowhere."""
    if piece.start is not None and piece.end is not None and 0 <= piece.start <= len(text):
        start, end = trim(text, piece.start, min(piece.end, len(text)))
        if start < end:
            return PiecePlacement(start, end, "offsets")
    return PiecePlacement(-1, -1, "", "It has no text.")


def _placed(piece: KeptPiece, placement: PiecePlacement, text: str) -> PlacedPiece:
    if placement.placed:
        return PlacedPiece(piece, placement.start, placement.end, placement)
    # By its words, so that one passage lies at one place whoever returned it.
    words = piece.text or piece.id or str(piece.position)
    end = -1 - int(text_hash(words)[:8], 16) % PLACES
    return PlacedPiece(piece, end - max(1, len(words)), end, placement)


def _chunk(
    one: PlacedPiece, size: int, document: Document, paths: SectionPaths
) -> tuple[Chunk, bool]:
    """A chunk, and whether it is indexed in other words than those of its span."""
    piece, start, end = one.piece, one.start, one.end
    placed = one.placement.placed
    own = document.text[start:end] if placed else piece.text
    page = page_at(document.parsed.pages, start) if placed else None
    given = bool(piece.text) and piece.text != own or not placed
    name = f"{start}-{end}" if placed else f"not-placed-{-end}"
    chunk = Chunk(
        id=f"{document.id}.{document.version[:8]}:{name}",
        document=document.id,
        version=document.version,
        source=document.source,
        start=start,
        end=end,
        index_text=piece.text or own,
        text=own,
        section=paths.of(start, end) if placed else (),
        page=page.number if page else piece.page,
        page_label=page.label if page else "",
        size=size,
    )
    return chunk, given
