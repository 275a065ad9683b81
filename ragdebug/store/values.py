"""Settings of the workspace as keys and values: its name, its tokenizer."""

from __future__ import annotations

from ragdebug.store.clean import clean
from ragdebug.store.connection import Database
from ragdebug.store.sql import one


class SettingStore:
    """Keys and values, both text."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def get(self, key: str, default: str = "") -> str:
        """The value of a key, `default` when it was never set."""
        with self.db.cursor() as cursor:
            row = one(cursor, "SELECT value FROM settings WHERE key = ?", [key])
        return default if row is None else str(row[0])

    def set(self, key: str, value: str, *, counted: bool = True) -> None:
        """Set a key; the later of two writers wins. `counted`: as in `Database.transaction`."""
        with self.db.transaction(counted=counted) as cursor:
            cursor.execute(
                "INSERT INTO settings (key, value) VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [clean(key), clean(value)],
            )

    def all(self) -> dict[str, str]:
        """All keys and values."""
        with self.db.cursor() as cursor:
            return dict(cursor.execute("SELECT key, value FROM settings ORDER BY key").fetchall())
