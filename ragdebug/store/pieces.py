"""Sets of pieces that other systems cut: kept as they were given, under a name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.protocols import Vectors
from ragdebug.store.clean import clean, cleaned, dump, iso, now
from ragdebug.store.connection import Database
from ragdebug.store.sql import changed, insert

WRITE_BYTES = 32_000_000  # vectors of one insert


@dataclass(frozen=True, slots=True)
class PieceSet:
    """A set of pieces without them.

    Attributes:
        id: of its name and content.
        name: what it is called here; one set in use has it.
        file: where it came from.
        model: of the given vectors, "" without.
        dimension: of the given vectors, 0 without.
        pieces: how many.
        about: columns taken, problems, and what else was said when it came; plain values.
    """

    id: str
    name: str
    file: str
    model: str = ""
    dimension: int = 0
    pieces: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)
    created_at: str = ""
    removed: bool = False

    @property
    def content(self) -> tuple[str, ...]:
        """What decides what is computed from it: the model can be named later, with the same id."""
        return (self.id, self.model) if self.dimension else (self.id,)


@dataclass(frozen=True, slots=True)
class KeptPiece:
    """One piece as it was given, and the document it belongs to.

    Attributes:
        position: 0, 1, ... in the order of the file.
        document: id of a document here.
        source: what the file calls the document.
    """

    position: int
    document: str
    source: str
    id: str
    text: str
    start: int | None
    end: int | None
    page: int | None
    metadata: Mapping[str, str]


_SET = "id, name, file, model, dimension, pieces, about, created_at, removed_at IS NOT NULL"


class PieceStore:
    """The piece sets of a workspace. One that is replaced or removed is kept."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def add(
        self, made: PieceSet, pieces: Sequence[KeptPiece], vectors: Vectors | None = None
    ) -> None:
        """Save a set, all or nothing; one in use with its name is set aside.

        Args:
            made: `created_at` and `removed` are not looked at.
            pieces: in the order of the file.
            vectors: shape (pieces, dimension); rows of NaN are pieces without one.
        """
        import pyarrow as pa

        rows = pa.table(
            {
                "piece_set": pa.array([made.id] * len(pieces), pa.string()),
                "position": pa.array([p.position for p in pieces], pa.int32()),
                "document": pa.array([clean(p.document) for p in pieces], pa.string()),
                "source": pa.array([clean(p.source) for p in pieces], pa.string()),
                "given_id": pa.array([clean(p.id) for p in pieces], pa.string()),
                "text": pa.array([clean(p.text) for p in pieces], pa.string()),
                "start_char": pa.array([p.start for p in pieces], pa.int64()),
                "end_char": pa.array([p.end for p in pieces], pa.int64()),
                "page": pa.array([p.page for p in pieces], pa.int32()),
                "metadata": pa.array([dump(cleaned(p.metadata)) for p in pieces], pa.string()),
            }
        )
        with self.db.transaction() as cursor:
            for table, key in (("piece_sets", "id"), *((t, "piece_set") for t in _PARTS)):
                cursor.execute(f"DELETE FROM {table} WHERE {key} = ?", [made.id])
            cursor.execute(
                "UPDATE piece_sets SET removed_at = ? WHERE name = ? AND removed_at IS NULL",
                [now(), clean(made.name)],
            )
            cursor.execute(
                "INSERT INTO piece_sets VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                [
                    *(made.id, clean(made.name), clean(made.file), clean(made.model)),
                    *(made.dimension, len(pieces), dump(cleaned(made.about)), now()),
                ],
            )
            insert(cursor, "pieces", rows)
            if vectors is not None and len(vectors):
                there = np.flatnonzero(np.isfinite(vectors).all(axis=1))
                step = max(1, WRITE_BYTES // max(1, 4 * vectors.shape[1]))
                for at in range(0, len(there), step):
                    some = there[at : at + step]
                    insert(cursor, "piece_vectors", _vector_rows(made.id, some, vectors[some]))

    def sets(self, removed: bool = False) -> list[PieceSet]:
        """Sets in use, by name; or those set aside, newest first."""
        where = "removed_at IS NULL ORDER BY name"
        if removed:
            where = "removed_at IS NOT NULL ORDER BY removed_at DESC, name"
        with self.db.cursor() as cursor:
            found = cursor.execute(f"SELECT {_SET} FROM piece_sets WHERE {where}").fetchall()
        return [_set(row) for row in found]

    def named(self, name: str) -> PieceSet | None:
        """The set in use with a name."""
        return next((s for s in self.sets() if s.name == clean(name)), None)

    def pieces(self, set_id: str, document: str | None = None) -> list[KeptPiece]:
        """Pieces of a set, of one document or of all, in the order of the file."""
        query, values = "", [set_id]
        if document is not None:
            query, values = " AND document = ?", [set_id, document]
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT position, document, source, given_id, text, start_char, end_char, page,"
                f" metadata FROM pieces WHERE piece_set = ?{query} ORDER BY position",
                values,
            ).fetchall()
        return [
            KeptPiece(p, d, source, own, text, start, end, page, json.loads(metadata))
            for p, d, source, own, text, start, end, page, metadata in rows
        ]

    def documents(self, set_id: str) -> dict[str, tuple[str, int]]:
        """Document id -> what the file calls it, and how many pieces it has there."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT document, min(source), count(*) FROM pieces WHERE piece_set = ?"
                " GROUP BY document ORDER BY min(position)",
                [set_id],
            ).fetchall()
        return {row[0]: (row[1], int(row[2])) for row in rows}

    def source_of(self, document: str) -> str:
        """What the first file with pieces of a document calls it; "" where there is none."""
        with self.db.cursor() as cursor:
            row = cursor.execute(
                "SELECT source FROM pieces WHERE document = ? LIMIT 1", [document]
            ).fetchone()
        return str(row[0]) if row else ""

    def vectors(self, set_id: str) -> tuple[NDArray[np.int64], Vectors]:
        """Positions that have a vector, shape (n,), rising, and the vectors, shape (n, d)."""
        with self.db.cursor() as cursor:
            table: Any = cursor.sql(
                "SELECT position, vector FROM piece_vectors WHERE piece_set = ? ORDER BY position",
                params=[set_id],
            ).to_arrow_table()
        positions: NDArray[np.int64] = table["position"].to_numpy().astype(np.int64)
        if not len(positions):
            return positions, np.zeros((0, 0), np.float32)
        parts = [part.flatten().to_numpy(zero_copy_only=False) for part in table["vector"].chunks]
        return positions, np.concatenate(parts).astype(np.float32).reshape(len(positions), -1)

    def set_model(self, name: str, model: str) -> bool:
        """Say which model the given vectors of a set are of; whether there is such a set."""
        with self.db.transaction() as cursor:
            return bool(
                changed(
                    cursor,
                    "UPDATE piece_sets SET model = ? WHERE name = ? AND removed_at IS NULL",
                    [clean(model), clean(name)],
                )
            )

    def remove(self, name: str) -> bool:
        """Take a set out of use; whether there was one."""
        with self.db.transaction() as cursor:
            return bool(
                changed(
                    cursor,
                    "UPDATE piece_sets SET removed_at = ? WHERE name = ? AND removed_at IS NULL",
                    [now(), clean(name)],
                )
            )

    def restore(self, set_id: str) -> bool:
        """Bring a set back, in place of the one that has its name now; whether there was one."""
        with self.db.transaction() as cursor:
            cursor.execute(
                "UPDATE piece_sets SET removed_at = ? WHERE removed_at IS NULL AND id <> ?"
                " AND name IN (SELECT name FROM piece_sets WHERE id = ?)",
                [now(), set_id, set_id],
            )
            return bool(
                changed(
                    cursor,
                    "UPDATE piece_sets SET removed_at = NULL"
                    " WHERE id = ? AND removed_at IS NOT NULL",
                    [set_id],
                )
            )

    def forget(self, documents: Iterable[str]) -> int:
        """Delete the pieces of documents for good, in every set; returns how many."""
        ids = list(documents)
        with self.db.transaction() as cursor:
            cursor.execute(
                "DELETE FROM piece_vectors v WHERE EXISTS (SELECT 1 FROM pieces p WHERE"
                " p.piece_set = v.piece_set AND p.position = v.position"
                " AND p.document IN (SELECT unnest(?::VARCHAR[])))",
                [ids],
            )
            return changed(
                cursor,
                "DELETE FROM pieces WHERE document IN (SELECT unnest(?::VARCHAR[]))",
                [ids],
            )


_PARTS = ("pieces", "piece_vectors")


def _set(row: tuple[Any, ...]) -> PieceSet:
    own, name, file, model, dimension, pieces, about, created_at, removed = row
    return PieceSet(
        *(own, name, file, model, dimension, pieces),
        *(json.loads(about), iso(created_at), bool(removed)),
    )


def _vector_rows(set_id: str, positions: NDArray[np.int64], vectors: Vectors) -> Any:  # noqa: ANN401
    import pyarrow as pa

    n, width = vectors.shape
    ends = pa.array(np.arange(0, n * width + 1, width, dtype=np.int32))
    flat = pa.array(np.ascontiguousarray(vectors, np.float32).reshape(-1))
    return pa.table(
        {
            "piece_set": pa.array([set_id] * n, pa.string()),
            "position": pa.array(positions.astype(np.int32)),
            "vector": pa.ListArray.from_arrays(ends, flat),
        }
    )
