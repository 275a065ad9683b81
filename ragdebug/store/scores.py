"""Rerank scores by (model fingerprint, query, hash of the text)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ragdebug.store.clean import clean, finite
from ragdebug.store.connection import Database
from ragdebug.store.sql import changed, one


class ScoreStore:
    """A `ScoreCache` in the workspace's file of vectors."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def get(self, model: str, query: str, hashes: Sequence[str]) -> dict[str, float]:
        """Known scores by hash."""
        if not hashes:
            return {}
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT hash, score FROM scores WHERE model = ? AND query = ?"
                " AND hash IN (SELECT unnest(?::VARCHAR[]))",
                [model, clean(query), list(hashes)],
            ).fetchall()
        return dict(rows)

    def put(self, model: str, query: str, scores: Mapping[str, float]) -> None:
        """Keep scores; those already there stay, and numbers that are not finite are not kept."""
        good = {h: v for h, s in scores.items() if (v := finite(s)[0]) is not None}
        if not good:
            return
        asked = clean(query)
        with self.db.transaction(counted=False) as cursor:
            cursor.execute(
                "INSERT INTO scores SELECT ?, ?, i.hash, i.score FROM"
                " (SELECT unnest(?::VARCHAR[]) AS hash, unnest(?::DOUBLE[]) AS score) i"
                " WHERE NOT EXISTS (SELECT 1 FROM scores s"
                " WHERE s.model = ? AND s.query = ? AND s.hash = i.hash)",
                [model, asked, list(good), list(good.values()), model, asked],
            )

    def get_many(self, model: str, queries: Sequence[str]) -> dict[tuple[str, str], float]:
        """All known scores of some queries, by (query, hash)."""
        asked = {clean(q): q for q in queries}
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT query, hash, score FROM scores WHERE model = ?"
                " AND query IN (SELECT unnest(?::VARCHAR[]))",
                [model, list(asked)],
            ).fetchall()
        return {(asked[query], text): score for query, text, score in rows}

    def put_many(self, model: str, scores: Mapping[tuple[str, str], float]) -> None:
        """Keep scores by (query, hash), as `put` does, in one insert."""
        good = [(clean(q), h, v) for (q, h), s in scores.items() if (v := finite(s)[0]) is not None]
        if not good:
            return
        queries, hashes, values = zip(*good, strict=True)
        with self.db.transaction(counted=False) as cursor:
            cursor.execute(
                "INSERT INTO scores SELECT ?, i.query, i.hash, i.score FROM"
                " (SELECT unnest(?::VARCHAR[]) AS query, unnest(?::VARCHAR[]) AS hash,"
                " unnest(?::DOUBLE[]) AS score) i"
                " WHERE NOT EXISTS (SELECT 1 FROM scores s"
                " WHERE s.model = ? AND s.query = i.query AND s.hash = i.hash)",
                [model, list(queries), list(hashes), list(values), model],
            )

    def count(self) -> int:
        """How many scores are kept."""
        with self.db.cursor() as cursor:
            row = one(cursor, "SELECT count(*) FROM scores")
        return int(row[0]) if row else 0

    def delete(self, hashes: Iterable[str]) -> int:
        """Delete the scores of texts; returns how many."""
        with self.db.transaction(counted=False) as cursor:
            return changed(
                cursor,
                "DELETE FROM scores WHERE hash IN (SELECT unnest(?::VARCHAR[]))",
                [list(hashes)],
            )
