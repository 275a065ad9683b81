"""Documents and their versions: saved in batches, kept, tagged, removed and brought back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdebug.errors import DocumentNotFound, StoreDamaged
from ragdebug.records import Document, DocumentInfo, ParsedDocument
from ragdebug.store import saving
from ragdebug.store.clean import clean, dump, iso, now
from ragdebug.store.connection import Database
from ragdebug.store.parsed import clean_metadata, decode, read_warnings
from ragdebug.store.rows import DocState, StoredDocument, VersionInfo
from ragdebug.store.saving import RECORD
from ragdebug.store.sql import one

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from ragdebug.store.uploads import UploadStore

__all__ = ["RECORD", "DocState", "DocumentStore", "StoredDocument", "VersionInfo"]

BATCH_CHARS = 8_000_000  # text read at a time by `load_many`


class DocumentStore:
    """The documents of a workspace. A row in `documents` is the present state of each."""

    def __init__(self, db: Database) -> None:
        self.db = db

    # Saving ---------------------------------------------------------------------------------------

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
            for document, source, source_key, root in moves:
                cursor.execute(
                    "UPDATE documents SET source = ?, source_key = ?, root = ?, updated_at = ?"
                    " WHERE id = ?",
                    [clean(source), clean(source_key), clean(root), now(), document],
                )

    # Reading --------------------------------------------------------------------------------------

    def infos(self, removed: bool = False, ids: Iterable[str] | None = None) -> list[DocumentInfo]:
        """Documents without their texts, by source; failed files too, removed ones if asked for.

        `status` is failed, removed, or unchanged. A failed file has a version only if it was read
        before.
        """
        where, values = ["true"], []
        if not removed:
            where.append("removed_at IS NULL")
        if ids is not None:
            where.append("id IN (SELECT unnest(?::VARCHAR[]))")
            values.append(list(ids))
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                f"SELECT {_INFO} FROM documents WHERE {' AND '.join(where)} ORDER BY source, id",
                values,
            ).fetchall()
        return [_info(row) for row in rows]

    def states(self, root: str | None = None, origin: str | None = None) -> dict[str, DocState]:
        """State of each document by source key, removed and failed ones too."""
        where, values = ["true"], []
        for column, value in (("root", root), ("origin", origin)):
            if value is not None:
                where.append(f"{column} = ?")
                values.append(clean(value))
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT id, version, source, source_key, root, origin, file_hash, options,"
                " removed_at IS NOT NULL, error <> '' FROM documents"
                f" WHERE {' AND '.join(where)}"
                # Where two rows have one key, the active and newest one is to win: it comes last.
                " ORDER BY removed_at IS NULL, updated_at, id",
                values,
            ).fetchall()
        return {row[3]: DocState(*row) for row in rows}

    def load(self, document: str, version: str = "") -> Document:
        """A document with its text; the present version when none is named.

        Metadata and language that a person set stand in place of the file's.

        Raises:
            DocumentNotFound: there is no such document or version.
        """
        found = next(self.load_many([(document, version)]), None)
        if found is None:
            what = f"document {document}" + (f" of version {version}" if version else "")
            raise DocumentNotFound(f"There is no {what}.", hint="It may have been purged.")
        return found

    def load_many(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Document]:
        """Documents of (id, version) pairs, in order, a few at a time; unknown ones are left out.

        A version of "" means the present one.
        """
        for batch in self._batches(list(pairs)):
            with self.db.cursor() as cursor:
                rows = cursor.execute(
                    "WITH wanted AS (SELECT unnest(?::VARCHAR[]) AS id,"
                    " unnest(?::VARCHAR[]) AS version, unnest(?::BIGINT[]) AS place)"
                    " SELECT d.id, v.version, d.source, v.text, v.parsed, d.user_metadata,"
                    " d.user_language FROM wanted w JOIN documents d ON d.id = w.id"
                    " JOIN document_versions v ON v.document = d.id AND v.version = w.version"
                    " ORDER BY w.place",
                    [[b[0] for b in batch], [b[1] for b in batch], list(range(len(batch)))],
                ).fetchall()
            for row in rows:
                yield _document(row)

    def _batches(self, pairs: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
        """The pairs with their versions filled in, in batches of bounded size."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT d.id, d.version, d.chars FROM documents d"
                " WHERE d.id IN (SELECT unnest(?::VARCHAR[]))",
                [list({p[0] for p in pairs})],
            ).fetchall()
        present = {row[0]: (row[1], row[2]) for row in rows}
        batch: list[tuple[str, str]] = []
        chars = 0
        for document, version in pairs:
            if document not in present:
                continue
            batch.append((document, version or present[document][0]))
            chars += present[document][1]
            if chars > BATCH_CHARS:
                yield batch
                batch, chars = [], 0
        if batch:
            yield batch

    def texts(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Canonical text of (id, version) pairs; unknown ones are left out."""
        wanted = list(pairs)
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "WITH wanted AS (SELECT DISTINCT unnest(?::VARCHAR[]) AS document,"
                " unnest(?::VARCHAR[]) AS version)"
                " SELECT v.document, v.version, v.text FROM wanted"
                " JOIN document_versions v USING (document, version)",
                [[p[0] for p in wanted], [p[1] for p in wanted]],
            ).fetchall()
        return {(row[0], row[1]): row[2] for row in rows}

    def versions(self, document: str) -> list[VersionInfo]:
        """All kept versions of a document, newest first."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT version, length(text), saved_at, upload FROM document_versions"
                " WHERE document = ? ORDER BY saved_at DESC, version",
                [document],
            ).fetchall()
        return [VersionInfo(row[0], row[1], iso(row[2]), row[3]) for row in rows]

    def original(self, document: str, uploads: UploadStore) -> tuple[str, bytes] | None:
        """Name and bytes of the file the present version was read from.

        None when it is no longer there, or is not the same file any more.
        """
        with self.db.cursor() as cursor:
            row = one(
                cursor,
                "SELECT source_key, source, upload, file_hash FROM documents WHERE id = ?",
                [document],
            )
        if row is None:
            return None
        source_key, source, upload, file_hash = row
        key, _, record = source_key.partition(RECORD)
        name = Path(source.removesuffix(f"#{record}") if record else source).name
        if upload:
            try:
                data = uploads.get(upload)
            except StoreDamaged:
                return None
            return None if data is None else (name, data)
        try:
            data = Path(key).read_bytes()
        except (OSError, ValueError):
            return None
        return (name, data) if hashlib.sha256(data).hexdigest() == file_hash else None

    # What people change ---------------------------------------------------------------------------

    def tag(
        self, documents: Iterable[str], values: Mapping[str, str], unset: Iterable[str] = ()
    ) -> None:
        """Set and remove metadata. It wins over what the file says, now and after every ingest."""
        changes: dict[str, str | None] = {clean(key): None for key in unset}
        changes |= clean_metadata(values)

        def change(cursor: DuckDBPyConnection) -> None:
            for document, old in _read(cursor, documents, "user_metadata"):
                new = dump(json.loads(old) | changes)
                if new != old:
                    cursor.execute(
                        "UPDATE documents SET user_metadata = ?, updated_at = ? WHERE id = ?",
                        [new, now(), document],
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

    # Change ---------------------------------------------------------------------------------------

    def revision(self) -> int:
        """A number that differs after any save by anybody; cheap, takes no lock."""
        return self.db.revision()

    def fingerprint(self) -> str:
        """Sixteen hex digits that stand for the active documents and their versions."""
        with self.db.cursor() as cursor:
            rows = cursor.execute(
                "SELECT id, version FROM documents WHERE removed_at IS NULL AND version <> ''"
                " ORDER BY id"
            ).fetchall()
        lines = "".join(f"{row[0]} {row[1]}\n" for row in rows)
        return hashlib.sha256(lines.encode()).hexdigest()[:16]


_INFO = (
    "id, version, source, kind, title, chars, tokens, pages, language, metadata, warnings,"
    " user_language, user_metadata, error, hint, removed_at, origin, updated_at, tenant"
)


def _info(row: tuple[Any, ...]) -> DocumentInfo:
    (
        document, version, source, kind, title, chars, tokens, pages, language, metadata, warnings,
        user_language, user_metadata, error, hint, removed_at, origin, updated_at, tenant,
    ) = row  # fmt: skip
    status = "failed" if error else "removed" if removed_at else "unchanged"
    return DocumentInfo(
        id=document,
        version=version,
        source=source,
        status=status,
        kind=kind,
        title=title,
        chars=chars,
        tokens=tokens,
        pages=pages,
        language=user_language or language,
        metadata=_overlaid(json.loads(metadata), user_metadata),
        warnings=read_warnings(json.loads(warnings)),
        error=error,
        hint=hint,
        tenant=tenant,
        removed=removed_at is not None,
        origin=origin,
        updated_at=iso(updated_at),
    )


def _document(row: tuple[Any, ...]) -> Document:
    document, version, source, text, data, user_metadata, user_language = row
    parsed: ParsedDocument = decode(data, text)
    metadata = _overlaid(parsed.metadata, user_metadata)
    language = user_language or parsed.language
    return Document(
        document, version, source, replace(parsed, metadata=metadata, language=language)
    )


def _overlaid(metadata: Mapping[str, str], changes: str) -> dict[str, str]:
    """Metadata of a file with what a person changed on top; null hides a key."""
    merged = {**metadata, **json.loads(changes)}
    return {key: value for key, value in merged.items() if value is not None}


def _read(
    cursor: DuckDBPyConnection, documents: Iterable[str], column: str
) -> list[tuple[str, str]]:
    return cursor.execute(
        f"SELECT id, {column} FROM documents WHERE id IN (SELECT unnest(?::VARCHAR[]))",
        [list(documents)],
    ).fetchall()
