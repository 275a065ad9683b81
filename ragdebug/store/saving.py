"""Writes document rows in bulk: through Arrow, updating what is there, inserting what is not.

Nothing is deleted to be inserted again: after a crash DuckDB's log would have to be replayed over
its own key index, which has failed for others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragdebug.store.clean import clean, dump, now
from ragdebug.store.parsed import clean_metadata, encode, warnings_value
from ragdebug.store.rows import StoredDocument
from ragdebug.store.sql import changed, one

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

RECORD = "\x1f"  # between a file's key and the key of a record inside it

# Written at every save; the columns people change (user_*), and created_at, are not among them.
_COLUMNS = (
    "version", "source", "source_key", "root", "origin", "file_hash", "options", "upload", "kind",
    "title", "chars", "tokens", "pages", "language", "metadata", "warnings", "tenant",
)  # fmt: skip


def file_key(source_key: str) -> str:
    """The key of the file that a document, or a record of it, was read from."""
    return source_key.partition(RECORD)[0]


def save(cursor: DuckDBPyConnection, items: Sequence[StoredDocument]) -> None:
    """Save documents in the transaction at hand; of two with one id the later one counts."""
    last = {item.id: item for item in items}
    table = _table(list(last.values()))
    moment = now()
    cursor.register("incoming", table)
    try:
        cursor.execute(
            "UPDATE document_versions v SET parsed = i.parsed FROM incoming i"
            " WHERE v.document = i.id AND v.version = i.version AND v.parsed <> i.parsed"
        )
        cursor.execute(
            "INSERT INTO document_versions SELECT i.id, i.version, i.text, i.parsed, i.file_hash,"
            " i.upload, ?, i.tenant FROM incoming i WHERE NOT EXISTS (SELECT 1 FROM"
            " document_versions v WHERE v.document = i.id AND v.version = i.version)",
            [moment],
        )
        sets = ", ".join(f"{c} = i.{c}" for c in _COLUMNS)
        cursor.execute(
            f"UPDATE documents d SET {sets}, error = '', hint = '', removed_at = NULL,"
            " updated_at = ? FROM incoming i WHERE d.id = i.id",
            [moment],
        )
        names = ", ".join(_COLUMNS)
        values = ", ".join(f"i.{c}" for c in _COLUMNS)
        cursor.execute(
            f"INSERT INTO documents (id, {names}, user_metadata, error, hint, created_at,"
            f" updated_at) SELECT i.id, {values}, '{{}}', '', '', ?, ? FROM incoming i"
            " WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = i.id)",
            [moment, moment],
        )
        # The file could be read: what was noted while it could not is over.
        cursor.execute(
            "DELETE FROM documents WHERE version = '' AND source_key IN"
            " (SELECT split_part(source_key, chr(31), 1) FROM incoming)"
        )
    finally:
        cursor.unregister("incoming")


def _table(items: Sequence[StoredDocument]) -> pa.Table:
    import pyarrow as pa

    def texts(values: list[str]) -> pa.Array:
        return pa.array([clean(v) for v in values], pa.large_string())

    def numbers(values: list[int]) -> pa.Array:
        return pa.array(values, pa.int64())

    parsed = [item.parsed for item in items]
    return pa.table(
        {
            "id": texts([i.id for i in items]),
            "version": texts([i.version for i in items]),
            "text": texts([p.text for p in parsed]),
            "parsed": pa.array([encode(p) for p in parsed], pa.large_binary()),
            "source": texts([i.source for i in items]),
            "source_key": texts([i.source_key for i in items]),
            "root": texts([i.root for i in items]),
            "origin": texts([i.origin for i in items]),
            "file_hash": texts([i.file_hash for i in items]),
            "options": texts([i.options for i in items]),
            "upload": texts([i.upload for i in items]),
            "kind": texts([p.kind for p in parsed]),
            "title": texts([p.title for p in parsed]),
            "chars": numbers([len(p.text) for p in parsed]),
            "tokens": numbers([i.tokens for i in items]),
            "pages": numbers([len(p.pages) for p in parsed]),
            "language": texts([p.language for p in parsed]),
            "metadata": texts([dump(clean_metadata(p.metadata)) for p in parsed]),
            "warnings": texts([dump(warnings_value(p.warnings)) for p in parsed]),
            "tenant": pa.array(
                [None if i.tenant is None else clean(i.tenant) for i in items], pa.large_string()
            ),
        }
    )


def save_failed(
    cursor: DuckDBPyConnection,
    source_key: str,
    source: str,
    error: str,
    hint: str,
    root: str,
    origin: str,
    tenant: str | None,
) -> None:
    """Note a file that could not be read, in the transaction at hand."""
    key = clean(source_key)
    said = [clean(error) or "The file could not be read.", clean(hint), now()]
    # The hash is taken away, so that the next ingest reads the file again whatever it holds.
    noted = changed(
        cursor,
        "UPDATE documents SET error = ?, hint = ?, updated_at = ?, file_hash = ''"
        " WHERE source_key = ? AND removed_at IS NULL",
        [*said, key],
    )
    if noted:
        return
    document = _free_id(cursor, key)
    cursor.execute(
        "INSERT INTO documents (id, version, source, source_key, root, origin, file_hash, options,"
        " upload, kind, title, chars, tokens, pages, language, metadata, warnings, user_metadata,"
        " error, hint, created_at, updated_at, tenant)"
        " VALUES (?, '', ?, ?, ?, ?, '', '', '', '', '', 0, 0, 0, '', '{}', '[]', '{}',"
        " ?, ?, ?, ?, ?)",
        [
            *(document, clean(source), key, clean(root), clean(origin)),
            *(*said, said[2], tenant and clean(tenant)),
        ],
    )


def _free_id(cursor: DuckDBPyConnection, key: str) -> str:
    """An id that follows from the file's key; another one where a removed document has it."""
    n = 0
    while True:
        made = hashlib.sha256(f"{key}{n or ''}".encode()).hexdigest()[:10]
        if one(cursor, "SELECT 1 FROM documents WHERE id = ?", [made]) is None:
            return made
        n += 1
