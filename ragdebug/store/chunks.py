"""Chunks already cut, by document version and chunking, so that nothing is cut twice."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.store.clean import dump
from ragdebug.store.connection import Database
from ragdebug.store.sql import one
from ragdebug.table import DocumentChunks

DIGEST = 16  # bytes a chunk
_WIDTHS = {name: 2 if name.endswith("spans") else 1 for name in DocumentChunks.COLUMNS}
_NUMBERS = tuple(name for name in DocumentChunks.COLUMNS if name != "digests")

Pair = tuple[str, str]  # (document, version)


class ChunkStore:
    """Chunks in columns; a chunking is named by a fingerprint that covers the chunkers' version."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def put(self, chunks: Mapping[Pair, DocumentChunks], chunking: str) -> None:
        """Keep the chunks of document versions; those already there are left as they are."""
        import pyarrow as pa

        if not chunks:
            return
        table = pa.table(
            {
                "document": pa.array([d for d, _ in chunks], pa.string()),
                "version": pa.array([v for _, v in chunks], pa.string()),
                "count": pa.array([len(c) for c in chunks.values()], pa.int32()),
                "columns": pa.array([_numbers(c) for c in chunks.values()], pa.binary()),
                "digests": pa.array([c.digests.tobytes() for c in chunks.values()], pa.binary()),
                "strings": pa.array([_strings(c) for c in chunks.values()], pa.binary()),
            }
        )
        with self.db.transaction(counted=False) as cursor:
            cursor.register("incoming", table)
            try:
                cursor.execute(
                    "INSERT INTO chunks SELECT i.document, i.version, ?, i.count, i.columns,"
                    " i.digests, i.strings FROM incoming i WHERE NOT EXISTS (SELECT 1 FROM chunks c"
                    " WHERE c.document = i.document AND c.version = i.version AND c.chunking = ?)",
                    [chunking, chunking],
                )
            finally:
                cursor.unregister("incoming")

    def get(self, pairs: Iterable[Pair], chunking: str) -> dict[Pair, DocumentChunks]:
        """The chunks kept for these document versions; those never cut this way are left out."""
        wanted = set(pairs)
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT document, version, count, columns, digests, strings FROM chunks"
                " WHERE chunking = ? AND document IN (SELECT unnest(?::VARCHAR[]))",
                [chunking, sorted({d for d, _ in wanted})],
            ).fetchall()
        return {(r[0], r[1]): _read(*r[2:]) for r in rows if (r[0], r[1]) in wanted}

    def chunkings(self) -> dict[str, int]:
        """Fingerprints of the chunkings that chunks are kept of, with the number of chunks."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT chunking, sum(count)::BIGINT FROM chunks GROUP BY 1 ORDER BY 1"
            ).fetchall()
        return {row[0]: row[1] for row in rows}

    def drop(self, chunking: str) -> None:
        """Delete the chunks of one chunking."""
        with self.db.transaction(counted=False) as cursor:
            cursor.execute("DELETE FROM chunks WHERE chunking = ?", [chunking])

    def own_hashes(self, documents: Iterable[str]) -> set[str]:
        """Hashes of index texts that occur in these documents and in no other."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT document IN (SELECT unnest(?::VARCHAR[])), digests FROM chunks",
                [list(documents)],
            ).fetchall()
        theirs: set[bytes] = set()
        others: set[bytes] = set()
        for own, digests in rows:
            (theirs if own else others).update(
                digests[at : at + DIGEST] for at in range(0, len(digests), DIGEST)
            )
        return {digest.hex() for digest in theirs - others}

    def delete(self, documents: Iterable[str]) -> int:
        """Delete all chunks of documents, of every version and chunking; returns how many."""
        ids = list(documents)
        with self.db.transaction(counted=False) as cursor:
            row = one(
                cursor,
                "SELECT coalesce(sum(count), 0)::BIGINT FROM chunks"
                " WHERE document IN (SELECT unnest(?::VARCHAR[]))",
                [ids],
            )
            cursor.execute(
                "DELETE FROM chunks WHERE document IN (SELECT unnest(?::VARCHAR[]))", [ids]
            )
        return int(row[0]) if row else 0


def _numbers(chunks: DocumentChunks) -> bytes:
    return b"".join(
        np.ascontiguousarray(getattr(chunks, name), np.int32).tobytes() for name in _NUMBERS
    )


def _strings(chunks: DocumentChunks) -> bytes:
    return zlib.compress(dump(list(chunks.strings)).encode(), 1)


def _read(count: int, columns: bytes, digests: bytes, strings: bytes) -> DocumentChunks:
    arrays: dict[str, NDArray[Any]] = {}
    flat, at = np.frombuffer(columns, np.int32), 0
    for name in _NUMBERS:
        width = _WIDTHS[name]
        part = flat[at : at + count * width]
        arrays[name] = part.reshape(count, width) if width > 1 else part
        at += count * width
    arrays["digests"] = np.frombuffer(digests, np.uint8).reshape(count, DIGEST)
    texts: Sequence[str] = json.loads(zlib.decompress(strings))
    return DocumentChunks(**arrays, strings=tuple(texts))
