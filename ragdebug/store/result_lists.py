"""What other systems returned: ranked pieces by query, under a name."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ragdebug.store.clean import clean, cleaned, dump, iso, now
from ragdebug.store.connection import Database
from ragdebug.store.sql import changed, insert


@dataclass(frozen=True, slots=True)
class ReturnedPiece:
    """One hit. `score` is NaN where the system says none."""

    piece: int
    score: float = math.nan


@dataclass(frozen=True, slots=True)
class ReturnedList:
    """What was returned for one query, best first.

    Attributes:
        query: its text; "" where only the question's id is known.
        question: id of the question it was asked for, "" when unknown.
        hits: pieces by position in the set.
        elapsed_s: seconds it took, NaN when unknown.
    """

    query: str
    hits: tuple[ReturnedPiece, ...]
    question: str = ""
    elapsed_s: float = math.nan


@dataclass(frozen=True, slots=True)
class ResultListInfo:
    """Result lists of many queries, without them.

    Attributes:
        id: of its name and content.
        name: what it is called here; one in use has it.
        file: where it came from.
        pieces: id of the set that its hits are pieces of.
        queries: how many queries.
        about: depth, problems, and what else was said when it came; plain values.
    """

    id: str
    name: str
    file: str
    pieces: str
    queries: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)
    created_at: str = ""
    removed: bool = False


_COLUMNS = "id, name, file, piece_set, queries, about, created_at, removed_at IS NOT NULL"


class ResultListStore:
    """The result lists of a workspace. Those replaced or removed are kept."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def add(self, made: ResultListInfo, lists: Sequence[ReturnedList]) -> None:
        """Save lists, all or nothing; one in use with the name is set aside."""
        import pyarrow as pa

        rows = [
            (x.query, x.question, rank, hit.piece, hit.score)
            for x in lists
            for rank, hit in enumerate(x.hits, 1)
        ]
        # A row of rank 0 says that the query was asked; its score is the seconds it took.
        rows += [(x.query, x.question, 0, -1, x.elapsed_s) for x in lists]
        columns = list(zip(*rows, strict=True)) or [()] * 5
        table = pa.table(
            {
                "result_list": pa.array([made.id] * len(rows), pa.string()),
                "query": pa.array([clean(q) for q in columns[0]], pa.string()),
                "question": pa.array([clean(q) for q in columns[1]], pa.string()),
                "rank": pa.array(columns[2], pa.int32()),
                "piece": pa.array(columns[3], pa.int32()),
                "score": pa.array(
                    [s if math.isfinite(s) else None for s in columns[4]], pa.float64()
                ),
            }
        )
        with self.db.transaction() as cursor:
            cursor.execute("DELETE FROM result_lists WHERE id = ?", [made.id])
            cursor.execute("DELETE FROM result_list_hits WHERE result_list = ?", [made.id])
            cursor.execute(
                "UPDATE result_lists SET removed_at = ? WHERE name = ? AND removed_at IS NULL",
                [now(), clean(made.name)],
            )
            cursor.execute(
                "INSERT INTO result_lists VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                [
                    *(made.id, clean(made.name), clean(made.file), made.pieces),
                    *(len(lists), dump(cleaned(made.about)), now()),
                ],
            )
            insert(cursor, "result_list_hits", table)

    def lists(self, removed: bool = False) -> list[ResultListInfo]:
        """Lists in use, by name; or those set aside, newest first."""
        where = "removed_at IS NULL ORDER BY name"
        if removed:
            where = "removed_at IS NOT NULL ORDER BY removed_at DESC, name"
        with self.db.cursor() as cursor:
            rows = cursor.execute(f"SELECT {_COLUMNS} FROM result_lists WHERE {where}").fetchall()
        return [
            ResultListInfo(
                *(own, name, file, pieces, int(queries), json.loads(about)),
                *(iso(created_at), bool(gone)),
            )
            for own, name, file, pieces, queries, about, created_at, gone in rows
        ]

    def named(self, name: str) -> ResultListInfo | None:
        """The list in use with a name."""
        return next((x for x in self.lists() if x.name == clean(name)), None)

    def returned(self, list_id: str) -> list[ReturnedList]:
        """All queries of a list with their hits, in the order they came."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT query, question, rank, piece, score FROM result_list_hits"
                " WHERE result_list = ? ORDER BY rowid",
                [list_id],
            ).fetchall()
        hits: dict[tuple[str, str], list[tuple[int, ReturnedPiece]]] = {}
        seconds: dict[tuple[str, str], float] = {}
        for query, question, rank, piece, score in rows:
            value = math.nan if score is None else float(score)
            key = (query, question)
            hits.setdefault(key, [])
            if rank:
                hits[key].append((rank, ReturnedPiece(piece, value)))
            else:
                seconds[key] = value
        return [
            ReturnedList(
                query,
                tuple(hit for _, hit in sorted(found, key=lambda item: item[0])),
                question,
                seconds.get((query, question), math.nan),
            )
            for (query, question), found in hits.items()
        ]

    def remove(self, name: str) -> bool:
        """Take a list out of use; whether there was one."""
        with self.db.transaction() as cursor:
            return bool(
                changed(
                    cursor,
                    "UPDATE result_lists SET removed_at = ? WHERE name = ? AND removed_at IS NULL",
                    [now(), clean(name)],
                )
            )

    def restore(self, list_id: str) -> bool:
        """Bring a list back, in place of the one that has its name now; whether there was one."""
        with self.db.transaction() as cursor:
            cursor.execute(
                "UPDATE result_lists SET removed_at = ? WHERE removed_at IS NULL AND id <> ?"
                " AND name IN (SELECT name FROM result_lists WHERE id = ?)",
                [now(), list_id, list_id],
            )
            return bool(
                changed(
                    cursor,
                    "UPDATE result_lists SET removed_at = NULL"
                    " WHERE id = ? AND removed_at IS NOT NULL",
                    [list_id],
                )
            )

    def quoting(self, names: Iterable[str]) -> list[str]:
        """Sentences naming the lists whose pieces are of some documents, by id."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT DISTINCT l.name FROM result_lists l JOIN pieces p"
                " ON p.piece_set = l.piece_set WHERE p.document IN (SELECT unnest(?::VARCHAR[]))"
                " ORDER BY 1",
                [list(names)],
            ).fetchall()
        return [f"The result list {row[0]} holds passages of it." for row in rows]
