"""Reads documents: lists without texts, states for comparing, whole documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdebug.errors import DocumentNotFound, StoreDamaged
from ragdebug.records import Document, DocumentInfo, ParsedDocument
from ragdebug.store.clean import clean, iso
from ragdebug.store.connection import Database
from ragdebug.store.parsed import decode, read_warnings
from ragdebug.store.paths import path_of
from ragdebug.store.rows import DocState, VersionInfo
from ragdebug.store.saving import RECORD
from ragdebug.store.sql import one

if TYPE_CHECKING:
    from ragdebug.store.uploads import UploadStore

BATCH_CHARS = 8_000_000  # text read at a time by `load_many`


class DocumentReader:
    """The reading half of `DocumentStore`."""

    def __init__(self, db: Database) -> None:
        self.db = db

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

    def mark(self) -> str:
        """Differs once anything differs that `infos` says; much cheaper than reading it all."""
        with self.db.cursor() as cursor:
            row = one(cursor, "SELECT count(*), coalesce(sum(hash(d)), 0) FROM documents d")
        return str(row)

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
        with self.db.cursor() as cursor:
            present = one(cursor, "SELECT version FROM documents WHERE id = ?", [document])
            version = version or (str(present[0]) if present else "")
            row = one(
                cursor, f"{_DOCUMENT} WHERE v.document = ? AND v.version = ?", [document, version]
            )
        if row is None:
            what = f"document {document}" + (f" of version {version}" if version else "")
            raise DocumentNotFound(f"There is no {what}.", hint="It may have been purged.")
        return _document(row)

    def load_many(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Document]:
        """Documents of (id, version) pairs, in order, a few at a time; unknown ones are left out.

        A version of "" means the present one.
        """
        for batch in self._batches(list(pairs)):
            with self.db.cursor() as cursor:
                rows = cursor.execute(
                    "WITH wanted AS (SELECT unnest(?::VARCHAR[]) AS id,"
                    " unnest(?::VARCHAR[]) AS version, unnest(?::BIGINT[]) AS place)"
                    f" {_DOCUMENT} JOIN wanted w ON w.id = v.document AND w.version = v.version"
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
            data = path_of(key).read_bytes()
        except (OSError, ValueError):
            return None
        return (name, data) if hashlib.sha256(data).hexdigest() == file_hash else None

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


_DOCUMENT = (
    "SELECT d.id, v.version, d.source, v.text, v.parsed, d.user_metadata, d.user_language"
    " FROM document_versions v JOIN documents d ON d.id = v.document"
)
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
