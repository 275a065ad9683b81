"""Documents and their versions: saved in batches, kept, tagged, removed and brought back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ragdebug.store import saving
from ragdebug.store.clean import clean, dump, now
from ragdebug.store.parsed import clean_metadata, encode, warnings_value
from ragdebug.store.reading import DocumentReader
from ragdebug.store.rows import DocState, StoredDocument, VersionInfo
from ragdebug.store.saving import RECORD

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from ragdebug.records import ParsedDocument

__all__ = ["RECORD", "DocState", "DocumentStore", "StoredDocument", "VersionInfo"]


class DocumentStore(DocumentReader):
    """The documents of a workspace. A row in `documents` is the present state of each."""

    # Saving ------------------------------------------------------------------------------------

    def save(self, items: Sequence[StoredDocument]) -> None:
        """Save a batch: all of it or, after an error, none of it.

        A document that is there already gets the new version; its earlier texts, and what people
        set by hand, stay. Saving brings a removed document back and clears an earlier failure.
        """
        if items:
            with self.db.transaction() as cursor:
                saving.save(cursor, items)

    def failed(
        self,
        source_key: str,
        source: str,
        error: str,
        hint: str = "",
        *,
        root: str = "",
        origin: str = "",
        tenant: str | None = None,
    ) -> None:
        """Note that a file could not be read; forgotten when it can be again.

        A document that was read from it before keeps its last text and shows the error.
        """
        with self.db.transaction() as cursor:
            saving.save_failed(cursor, source_key, source, error, hint, root, origin, tenant)

    def rekey(self, document: str, source: str, source_key: str, root: str) -> None:
        """Note that a document's file has moved; its id stays."""
        self.rekey_many([(document, source, source_key, root)])

    def rekey_many(self, moves: Sequence[tuple[str, str, str, str]]) -> None:
        """`rekey` for many: (document, source, source_key, root) each, in one transaction."""
        with self.db.transaction() as cursor:
            cursor.execute(
                "UPDATE documents d SET source = m.source, source_key = m.source_key,"
                " root = m.root, updated_at = ? FROM (SELECT unnest(?::VARCHAR[]) AS id,"
                " unnest(?::VARCHAR[]) AS source, unnest(?::VARCHAR[]) AS source_key,"
                " unnest(?::VARCHAR[]) AS root) m WHERE d.id = m.id",
                [now(), *([clean(move[at]) for move in moves] for at in range(4))],
            )

    def set_text(self, document: str, parsed: ParsedDocument, version: str, tokens: int) -> None:
        """Give a document another text, of the same file; its earlier versions stay."""
        moment = now()
        with self.db.transaction() as cursor:
            cursor.execute(
                "INSERT INTO document_versions"
                " SELECT v.document, ?, ?, ?, v.file_hash, v.upload, ?,"
                " v.tenant FROM document_versions v JOIN documents d ON d.id = v.document AND"
                " d.version = v.version WHERE d.id = ? AND NOT EXISTS (SELECT 1 FROM"
                " document_versions o WHERE o.document = d.id AND o.version = ?)",
                [version, clean(parsed.text), encode(parsed), moment, document, version],
            )
            cursor.execute(
                "UPDATE documents SET version = ?, chars = ?, tokens = ?, warnings = ?,"
                " updated_at = ? WHERE id = ?",
                [
                    *(version, len(parsed.text), tokens),
                    *(dump(warnings_value(parsed.warnings)), moment, document),
                ],
            )

    # What people change ---------------------------------------------------------------------------

    def tag(
        self, documents: Iterable[str], values: Mapping[str, str], unset: Iterable[str] = ()
    ) -> None:
        """Set and remove metadata. It wins over what the file says, now and after every ingest."""
        ids = list(documents)
        changes: dict[str, str | None] = {clean(key): None for key in unset}
        changes |= clean_metadata(values)

        def change(cursor: DuckDBPyConnection) -> None:
            rows = cursor.execute(
                "SELECT id, user_metadata FROM documents WHERE id IN (SELECT unnest(?::VARCHAR[]))",
                [ids],
            ).fetchall()
            cursor.execute(
                "UPDATE documents d SET user_metadata = n.value, updated_at = ? FROM"
                " (SELECT unnest(?::VARCHAR[]) AS id, unnest(?::VARCHAR[]) AS value) n"
                " WHERE d.id = n.id",
                [now(), [row[0] for row in rows], [dump(json.loads(r[1]) | changes) for r in rows]],
            )

        self.db.write(change)

    def set_language(self, document: str, code: str) -> None:
        """Correct the detected language; "" goes back to it."""

        def change(cursor: DuckDBPyConnection) -> None:
            cursor.execute(
                "UPDATE documents SET user_language = ?, updated_at = ? WHERE id = ?",
                [clean(code) or None, now(), document],
            )

        self.db.write(change)

    def remove(self, documents: Iterable[str]) -> None:
        """Take documents out of the corpus; all is kept. Files never read are just forgotten."""
        ids = list(documents)

        def change(cursor: DuckDBPyConnection) -> None:
            cursor.execute(
                "DELETE FROM documents WHERE version = '' AND id IN (SELECT unnest(?::VARCHAR[]))",
                [ids],
            )
            cursor.execute(
                "UPDATE documents SET removed_at = ?, updated_at = ?"
                " WHERE removed_at IS NULL AND id IN (SELECT unnest(?::VARCHAR[]))",
                [now(), now(), ids],
            )

        self.db.write(change)

    def restore(self, documents: Iterable[str]) -> None:
        """Bring removed documents back."""
        ids = list(documents)

        def change(cursor: DuckDBPyConnection) -> None:
            cursor.execute(
                "UPDATE documents SET removed_at = NULL, updated_at = ?"
                " WHERE removed_at IS NOT NULL AND id IN (SELECT unnest(?::VARCHAR[]))",
                [now(), ids],
            )

        self.db.write(change)
