"""The last queries, and saved states of a view under a short id."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from ragdebug.store.clean import clean, dump, iso, now
from ragdebug.store.connection import Database
from ragdebug.store.rows import PastQuery
from ragdebug.store.sql import one

KEEP = 50
_ID_LENGTH = 8


class QueryStore:
    """Queries and view states of a workspace."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def add(
        self, query: str, state: Mapping[str, Any] | None = None, tenant: str | None = None
    ) -> None:
        """Note a query asked now; the same one asked before moves up. The last 50 are kept."""
        row = [clean(query), dump(dict(state or {})), now(), tenant and clean(tenant)]
        with self.db.transaction(counted=False) as cursor:
            cursor.execute("DELETE FROM queries WHERE query = ? AND state = ?", row[:2])
            cursor.execute("INSERT INTO queries VALUES (?, ?, ?, ?)", row)
            cursor.execute(
                "DELETE FROM queries WHERE rowid NOT IN"
                f" (SELECT rowid FROM queries ORDER BY asked_at DESC, rowid DESC LIMIT {KEEP})"
            )

    def recent(self, most: int = KEEP) -> list[PastQuery]:
        """The last queries, newest first."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT query, state, asked_at FROM queries"
                " ORDER BY asked_at DESC, rowid DESC LIMIT ?",
                [max(0, most)],
            ).fetchall()
        return [PastQuery(row[0], json.loads(row[1]), iso(row[2])) for row in rows]

    def clear(self) -> None:
        """Forget all queries."""
        with self.db.transaction(counted=False) as cursor:
            cursor.execute("DELETE FROM queries")

    def save_state(self, state: Any, tenant: str | None = None) -> str:  # noqa: ANN401 - JSON
        """Keep a JSON value; returns its short id, always the same for the same value."""
        text = dump(state)
        digest = hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
        with self.db.transaction(counted=False) as cursor:
            for length in range(_ID_LENGTH, len(digest) + 1, 4):
                made = digest[:length]
                row = one(cursor, "SELECT state FROM view_states WHERE id = ?", [made])
                if row is None:
                    cursor.execute(
                        "INSERT INTO view_states VALUES (?, ?, ?, ?)",
                        [made, text, now(), tenant and clean(tenant)],
                    )
                    return made
                if json.loads(row[0]) == json.loads(text):
                    return made
        raise AssertionError("two states with one SHA-256")

    def state(self, state_id: str) -> Any | None:  # noqa: ANN401 - any JSON value
        """The value kept under an id, None when there is none."""
        with self.db.cursor() as cursor:
            row = one(cursor, "SELECT state FROM view_states WHERE id = ?", [clean(state_id)])
        return None if row is None else json.loads(row[0])

    def quoting(self, words: Mapping[str, str]) -> list[str]:
        """Sentences naming the queries and states that mention one of some words.

        `words` maps what to look for (an id, a source) to how people call it.
        """
        with self.db.cursor() as cursor:
            queries = cursor.execute("SELECT query, state FROM queries").fetchall()
            states = cursor.execute("SELECT id, state FROM view_states").fetchall()
        found = []
        for word, name in words.items():
            plain, marked = _whole(word), _whole(dump(word)[1:-1])
            found += [
                f"The query {query!r} mentions {name}."
                for query, state in queries
                if plain.search(query) or marked.search(state)
            ]
            found += [
                f"The link {at} mentions {name}." for at, state in states if marked.search(state)
            ]
        return list(dict.fromkeys(found))


def _whole(word: str) -> re.Pattern[str]:
    """Finds a word where it does not stand inside a longer one."""
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
