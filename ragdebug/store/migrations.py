"""Numbered changes of the tables, each in a transaction of its own.

The number of the last one applied is saved in the same transaction, so a crash leaves the old
state or the new one. Each step may also find its work done already (by hand, or by a release that
saved the number separately) and then changes nothing. To change a table, add a migration; never
edit one that was released.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdebug.store.answer_tables import ANSWERS
from ragdebug.store.brought_tables import BROUGHT
from ragdebug.store.evaluation_tables import EVALUATION
from ragdebug.store.sql import changed, one

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

META = "store_meta"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; its statements must be harmless where their work is done already."""

    number: int
    name: str
    statements: tuple[str, ...]


def newest(migrations: Sequence[Migration]) -> int:
    """Number of the last migration, 0 when there is none."""
    return max((m.number for m in migrations), default=0)


def version_of(cursor: DuckDBPyConnection) -> int:
    """Number of the last migration applied to a database; 0 for one that is not ours yet."""
    there = one(
        cursor,
        "SELECT count(*) FROM duckdb_tables() WHERE table_name = ? AND NOT internal"
        " AND database_name = current_database()",
        [META],
    )
    if not there or not there[0]:
        return 0
    row = one(cursor, f"SELECT value FROM {META} WHERE key = 'schema'")
    return int(row[0]) if row else 0


def is_empty(cursor: DuckDBPyConnection) -> bool:
    """Whether the database has no table at all."""
    row = one(
        cursor,
        "SELECT count(*) FROM duckdb_tables() WHERE NOT internal"
        " AND database_name = current_database()",
    )
    return not row or not row[0]


def apply(cursor: DuckDBPyConnection, migrations: Sequence[Migration]) -> list[int]:
    """Bring a database up to date.

    Returns:
        Numbers of the migrations applied now, in order.
    """
    cursor.execute(
        f"CREATE TABLE IF NOT EXISTS {META} (key VARCHAR NOT NULL, value VARCHAR NOT NULL)"
    )
    done = version_of(cursor)
    applied = []
    for migration in sorted(migrations, key=lambda m: m.number):
        if migration.number <= done:
            continue
        cursor.execute("BEGIN")
        try:
            for statement in migration.statements:
                cursor.execute(statement)
            write_meta(cursor, "schema", str(migration.number))
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise
        applied.append(migration.number)
    return applied


def read_meta(cursor: DuckDBPyConnection, key: str) -> str:
    """A value of the store's own notes, "" when it has none."""
    row = one(cursor, f"SELECT max(value) FROM {META} WHERE key = ?", [key])
    return str(row[0]) if row and row[0] is not None else ""


def write_meta(cursor: DuckDBPyConnection, key: str, value: str) -> None:
    """Save a value of the store's own notes, in the transaction at hand."""
    there = changed(cursor, f"UPDATE {META} SET value = ? WHERE key = ?", [value, key])
    if not there:
        cursor.execute(f"INSERT INTO {META} VALUES (?, ?)", [key, value])


# Texts are not compressed: DuckDB would unpack some two thousand of them to read one.
FACTS: tuple[Migration, ...] = (
    Migration(
        1,
        "documents, their versions, settings, queries",
        (
            """CREATE TABLE IF NOT EXISTS documents (
                id VARCHAR PRIMARY KEY,
                version VARCHAR NOT NULL,  -- '' for a file that was never read
                source VARCHAR NOT NULL,
                source_key VARCHAR NOT NULL,
                root VARCHAR NOT NULL,
                origin VARCHAR NOT NULL,
                file_hash VARCHAR NOT NULL,
                options VARCHAR NOT NULL,
                upload VARCHAR NOT NULL,
                kind VARCHAR NOT NULL,
                title VARCHAR NOT NULL,
                chars BIGINT NOT NULL,
                tokens BIGINT NOT NULL,
                pages BIGINT NOT NULL,
                language VARCHAR NOT NULL,
                metadata VARCHAR NOT NULL,  -- JSON, as the file says
                warnings VARCHAR NOT NULL,  -- JSON
                user_language VARCHAR,  -- as a person says; wins
                user_metadata VARCHAR NOT NULL,  -- JSON; null hides a key of the file
                error VARCHAR NOT NULL,
                hint VARCHAR NOT NULL,
                removed_at TIMESTAMP,
                created_at TIMESTAMP NOT NULL,
                updated_at TIMESTAMP NOT NULL,
                tenant VARCHAR
            )""",
            """CREATE TABLE IF NOT EXISTS document_versions (
                document VARCHAR NOT NULL,
                version VARCHAR NOT NULL,
                text VARCHAR NOT NULL USING COMPRESSION uncompressed,
                parsed BLOB NOT NULL USING COMPRESSION uncompressed,
                file_hash VARCHAR NOT NULL,
                upload VARCHAR NOT NULL,
                saved_at TIMESTAMP NOT NULL,
                tenant VARCHAR,
                PRIMARY KEY (document, version)
            )""",
            """CREATE TABLE IF NOT EXISTS settings (
                key VARCHAR PRIMARY KEY,
                value VARCHAR NOT NULL,
                tenant VARCHAR
            )""",
            """CREATE TABLE IF NOT EXISTS queries (
                query VARCHAR NOT NULL,
                state VARCHAR NOT NULL,  -- JSON
                asked_at TIMESTAMP NOT NULL,
                tenant VARCHAR
            )""",
            """CREATE TABLE IF NOT EXISTS view_states (
                id VARCHAR PRIMARY KEY,
                state VARCHAR NOT NULL,  -- JSON
                saved_at TIMESTAMP NOT NULL,
                tenant VARCHAR
            )""",
        ),
    ),
    Migration(2, "questions, runs, measures", EVALUATION),
    Migration(3, "pieces, result lists, models and searchers from elsewhere", BROUGHT),
)

# No keys here: DuckDB would hold their indexes in memory, and what is computed from the same text
# is the same. Vectors do not compress; trying costs half of the time to write them.
VECTORS: tuple[Migration, ...] = (
    Migration(
        1,
        "vectors, scores, chunks",
        (
            """CREATE TABLE IF NOT EXISTS vectors (
                model VARCHAR NOT NULL,
                hash VARCHAR NOT NULL,
                vector FLOAT[] NOT NULL USING COMPRESSION uncompressed
            )""",
            """CREATE TABLE IF NOT EXISTS scores (
                model VARCHAR NOT NULL,
                query VARCHAR NOT NULL,
                hash VARCHAR NOT NULL,
                score DOUBLE NOT NULL
            )""",
            """CREATE TABLE IF NOT EXISTS chunks (
                document VARCHAR NOT NULL,
                version VARCHAR NOT NULL,
                chunking VARCHAR NOT NULL,
                count INTEGER NOT NULL,
                columns BLOB NOT NULL USING COMPRESSION uncompressed,  -- int32 arrays in a row
                digests BLOB NOT NULL USING COMPRESSION uncompressed,  -- 16 bytes a chunk
                strings BLOB NOT NULL USING COMPRESSION uncompressed  -- zlib of JSON
            )""",
        ),
    ),
    Migration(2, "answers of searchers", ANSWERS),
)
