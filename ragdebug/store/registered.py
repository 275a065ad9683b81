"""Models and searchers of elsewhere, by kind and name: settings as JSON, never a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragdebug.store.clean import clean, cleaned, dump, now
from ragdebug.store.connection import Database
from ragdebug.store.sql import changed, one


class RegisteredStore:
    """What is registered in a workspace. What is removed is kept and can be brought back."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def get(self, kind: str, name: str) -> dict[str, Any] | None:
        """The value under a name, None when there is none."""
        with self.db.cursor() as cursor:
            row = one(
                cursor,
                "SELECT value FROM registered WHERE kind = ? AND name = ? AND removed_at IS NULL",
                [kind, clean(name)],
            )
        return None if row is None else json.loads(row[0])

    def all(self, kind: str, removed: bool = False) -> dict[str, dict[str, Any]]:
        """Name -> value of a kind, by name; those that are in use, or those removed."""
        state = "IS NOT NULL" if removed else "IS NULL"
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                f"SELECT name, value FROM registered WHERE kind = ? AND removed_at {state}"
                " ORDER BY name, saved_at",
                [kind],
            ).fetchall()
        return {row[0]: json.loads(row[1]) for row in rows}

    def put(
        self, kind: str, name: str, value: Mapping[str, Any], tenant: str | None = None
    ) -> None:
        """Keep a value under a name; what had the name before, removed or not, is replaced."""
        row = [kind, clean(name), dump(cleaned(value)), now(), None, tenant and clean(tenant)]
        with self.db.transaction() as cursor:
            cursor.execute("DELETE FROM registered WHERE kind = ? AND name = ?", row[:2])
            cursor.execute("INSERT INTO registered VALUES (?, ?, ?, ?, ?, ?)", row)

    def remove(self, kind: str, name: str) -> bool:
        """Take a name out of use; whether it was there."""
        with self.db.transaction() as cursor:
            return bool(
                changed(
                    cursor,
                    "UPDATE registered SET removed_at = ?"
                    " WHERE kind = ? AND name = ? AND removed_at IS NULL",
                    [now(), kind, clean(name)],
                )
            )

    def restore(self, kind: str, name: str) -> bool:
        """Bring a removed name back; whether there was one."""
        with self.db.transaction() as cursor:
            return bool(
                changed(
                    cursor,
                    "UPDATE registered SET removed_at = NULL"
                    " WHERE kind = ? AND name = ? AND removed_at IS NOT NULL",
                    [kind, clean(name)],
                )
            )
