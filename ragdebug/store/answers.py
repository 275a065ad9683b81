"""What searchers answered to the questions of an evaluation, so that a stopped one goes on.

They can be asked again: this stands in the file of what can be computed again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragdebug.store.clean import clean, cleaned, dump, now
from ragdebug.store.connection import Database


class AnswerStore:
    """Answers by key and query: those of the evaluation at hand, and of the last whole one."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def get(self, key: str, whole: bool) -> dict[str, dict[str, Any]]:
        """Query -> answer of the last whole evaluation, or of one that was stopped."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT query, answer FROM answers WHERE key = ? AND whole = ?", [key, whole]
            ).fetchall()
        return {query: json.loads(answer) for query, answer in rows}

    def put(self, key: str, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep answers of the evaluation at hand, by query."""
        rows = [[key, clean(q), dump(cleaned(a)), False, now()] for q, a in answers.items()]
        if rows:
            with self.db.transaction(counted=False) as cursor:
                cursor.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", rows)

    def finish(self, key: str) -> None:
        """The evaluation at hand is whole; its answers take the place of the last one's."""
        with self.db.transaction(counted=False) as cursor:
            cursor.execute("DELETE FROM answers WHERE key = ? AND whole", [key])
            cursor.execute("UPDATE answers SET whole = true WHERE key = ?", [key])

    def clear(self) -> None:
        """Delete all: their passages may be of a document that has to be gone."""
        with self.db.transaction(counted=False) as cursor:
            cursor.execute("DELETE FROM answers")
