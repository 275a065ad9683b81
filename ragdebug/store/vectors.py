"""Vectors by (model fingerprint, hash of the embedded text): every text is embedded once, ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import ModelMismatch, StoreError
from ragdebug.protocols import Vectors
from ragdebug.store.connection import Database
from ragdebug.store.rows import KeptModel
from ragdebug.store.sql import changed, one

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

WRITE_BYTES = 32_000_000  # vectors of one transaction, about a second
READ_ROWS = 16_384


class VectorStore:
    """A `VectorCache` in a DuckDB file of its own."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def get(self, model: str, hashes: Sequence[str]) -> tuple[NDArray[np.int64], Vectors]:
        """Positions in `hashes` that are known, and their vectors.

        Returns:
            Positions, shape (m,), int64, rising; vectors, shape (m, d), float32, row for row. With
            nothing known, m and d are 0 (d is the model's width when any vector of it is kept).
        """
        if not len(hashes):
            return np.zeros(0, np.int64), np.zeros((0, 0), np.float32)
        with self.db.cursor() as cursor:
            cursor.register("wanted", _wanted(hashes))
            # One view of the table for both reads: a job may be adding vectors meanwhile.
            cursor.execute("BEGIN TRANSACTION")
            try:
                width = _width(cursor, model)
                # Positions first: the matrix is made once, at its size, and filled as rows come.
                found = _column(
                    cursor,
                    "SELECT place FROM wanted WHERE hash IN"
                    " (SELECT hash FROM vectors WHERE model = ?) ORDER BY place",
                    [model],
                )
                vectors = np.empty((len(found), width), np.float32)
                if len(found):
                    _fill(cursor, model, found, vectors)
            finally:
                cursor.execute("COMMIT")
                cursor.unregister("wanted")
        return found, vectors

    def put(self, model: str, hashes: Sequence[str], vectors: Vectors) -> None:
        """Keep vectors, shape (n, d); hashes already there are left as they are.

        Large puts are several transactions, so a crash keeps the first part.

        Raises:
            ModelMismatch: the model's vectors kept so far have another width.
            StoreError: shapes do not fit, or a number is not finite.
        """
        vectors = np.ascontiguousarray(vectors, np.float32)
        if vectors.ndim != 2 or len(vectors) != len(hashes):
            raise StoreError(
                f"{len(hashes)} texts came with vectors of shape {vectors.shape}; none was kept."
            )
        bad = int((~np.isfinite(vectors)).any(axis=1).sum())
        if bad:
            raise StoreError(
                f"{bad} of {len(vectors)} vectors hold numbers that are not finite; none was kept.",
                hint="The model gave them; try another one.",
            )
        first = dict(zip(reversed(hashes), range(len(hashes) - 1, -1, -1), strict=True))
        rows = np.fromiter(sorted(first.values()), np.int64, len(first))
        step = max(1, WRITE_BYTES // max(1, 4 * vectors.shape[1]))
        for at in range(0, len(rows), step):
            part = rows[at : at + step]
            self._put(model, [hashes[i] for i in part.tolist()], vectors[part])

    def _put(self, model: str, hashes: Sequence[str], vectors: Vectors) -> None:
        import pyarrow as pa

        n, width = vectors.shape
        ends = pa.array(np.arange(0, (n + 1) * width, width or 1, dtype=np.int32)[: n + 1])
        table = pa.table(
            {
                "hash": pa.array(hashes, pa.string()),
                "vector": pa.ListArray.from_arrays(ends, pa.array(vectors.reshape(-1))),
            }
        )
        with self.db.transaction(counted=False) as cursor:
            kept = _width(cursor, model)
            if kept not in (0, width):
                raise ModelMismatch(
                    f"Vectors of length {width} came for a model whose vectors have length {kept}.",
                    hint="The model has changed under its name; give the new one another revision.",
                )
            cursor.register("incoming", table)
            try:
                cursor.execute(
                    "INSERT INTO vectors SELECT ?, i.hash, i.vector FROM incoming i"
                    " WHERE NOT EXISTS (SELECT 1 FROM vectors v"
                    " WHERE v.model = ? AND v.hash = i.hash)",
                    [model, model],
                )
            finally:
                cursor.unregister("incoming")

    def known(self, model: str, hashes: Sequence[str]) -> NDArray[np.bool_]:
        """Shape (n,): whether each hash has a vector; reads no vectors."""
        known = np.zeros(len(hashes), bool)
        if not len(hashes):
            return known
        with self.db.cursor() as cursor:
            cursor.register("wanted", _wanted(hashes))
            try:
                known[
                    _column(
                        cursor,
                        "SELECT place FROM wanted WHERE hash IN"
                        " (SELECT hash FROM vectors WHERE model = ?)",
                        [model],
                    )
                ] = True
            finally:
                cursor.unregister("wanted")
        return known

    def count(self, model: str) -> int:
        """How many vectors of a model are kept."""
        with self.db.cursor() as cursor:
            row = one(cursor, "SELECT count(*) FROM vectors WHERE model = ?", [model])
        return int(row[0]) if row else 0

    def models(self) -> list[KeptModel]:
        """The models whose vectors are kept."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT model, max(len(vector)), count(*) FROM vectors GROUP BY 1 ORDER BY 1"
            ).fetchall()
        return [KeptModel(*row) for row in rows]

    def delete(self, hashes: Iterable[str], model: str | None = None) -> int:
        """Delete the vectors of texts, of one model or of all; returns how many."""
        where = "hash IN (SELECT unnest(?::VARCHAR[]))"
        values: list[Any] = [list(hashes)]
        if model is not None:
            where += " AND model = ?"
            values.append(model)
        with self.db.transaction(counted=False) as cursor:
            return changed(cursor, f"DELETE FROM vectors WHERE {where}", values)

    def delete_model(self, model: str) -> int:
        """Delete all vectors of a model; returns how many."""
        with self.db.transaction(counted=False) as cursor:
            return changed(cursor, "DELETE FROM vectors WHERE model = ?", [model])


def _wanted(hashes: Sequence[str]) -> pa.Table:
    import pyarrow as pa

    return pa.table(
        {
            "hash": pa.array(list(hashes), pa.string()),
            "place": np.arange(len(hashes), dtype=np.int64),
        }
    )


def _width(cursor: DuckDBPyConnection, model: str) -> int:
    row = one(cursor, "SELECT len(vector) FROM vectors WHERE model = ? LIMIT 1", [model])
    return int(row[0]) if row else 0


def _column(cursor: DuckDBPyConnection, query: str, values: list[Any]) -> NDArray[np.int64]:
    column = cursor.execute(query, values).fetchnumpy()["place"]
    return np.asarray(column, np.int64)


def _fill(
    cursor: DuckDBPyConnection, model: str, found: NDArray[np.int64], vectors: Vectors
) -> None:
    """Write the vector of position ``found[i]`` to row i, batch by batch."""
    relation = cursor.sql(
        "SELECT w.place, v.vector FROM vectors v JOIN wanted w USING (hash) WHERE v.model = ?",
        params=[model],
    )
    reader = relation.to_arrow_reader(READ_ROWS)
    filled = 0
    try:
        for batch in reader:
            at = batch.column(0).to_numpy()
            flat = batch.column(1).flatten().to_numpy()
            vectors[np.searchsorted(found, at)] = flat.reshape(len(at), vectors.shape[1])
            filled += len(at)
    finally:
        reader.close()
        del reader, relation  # as long as they live the file stays locked
    assert filled == len(found), "a hash is kept twice"
