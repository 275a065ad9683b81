"""Ways to ask a cursor that leave nothing behind.

A result of which rows are left keeps its cursor busy, and the file locked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection


def one(
    cursor: DuckDBPyConnection, query: str, values: Sequence[Any] = ()
) -> tuple[Any, ...] | None:
    """The first row of an answer, None when it has none."""
    rows = cursor.execute(query, list(values)).fetchall()
    return rows[0] if rows else None


def changed(cursor: DuckDBPyConnection, statement: str, values: Sequence[Any] = ()) -> int:
    """How many rows an INSERT, UPDATE or DELETE changed."""
    row = one(cursor, statement, values)
    return int(row[0]) if row else 0


@contextmanager
def incoming(cursor: DuckDBPyConnection, table: pa.Table) -> Iterator[None]:
    """Rows that come in: the table ``incoming`` of the statements in the block."""
    cursor.register("incoming", table)
    try:
        yield
    finally:
        cursor.unregister("incoming")


def insert(cursor: DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Add rows to a table whose last column is the tenant, for none."""
    if len(rows):
        with incoming(cursor, rows):
            cursor.execute(f"INSERT INTO {table} SELECT i.*, NULL FROM incoming i")
