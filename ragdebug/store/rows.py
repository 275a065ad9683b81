"""The records that go into the store and come out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragdebug.records import ParsedDocument


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document version to be saved.

    Attributes:
        id: stable id.
        source: what people call it; unique among the active documents.
        source_key: where it came from; the records of a file share the file's key, followed by
            U+001F and the record's own key.
        root: folder or archive it was found in, "" for a file named by itself.
        origin: folder, file, archive or upload.
        file_hash: SHA-256 of the file's bytes, hexadecimal.
        options: what besides the bytes decides how the file is read, as a fingerprint.
        parsed: what the parser made of it.
        version: hash of canonical text and parser.
        tokens: counted by the workspace's tokenizer.
        upload: SHA-256 under which the original is kept, "" when it is not.
        tenant: whose it is; None where there are no tenants.
    """

    id: str
    source: str
    source_key: str
    root: str
    origin: str
    file_hash: str
    options: str
    parsed: ParsedDocument
    version: str
    tokens: int = 0
    upload: str = ""
    tenant: str | None = None


@dataclass(frozen=True, slots=True)
class DocState:
    """What is needed to tell whether a file has changed. `version` is "" when it was never read."""

    id: str
    version: str
    source: str
    source_key: str
    root: str
    origin: str
    file_hash: str
    options: str
    removed: bool
    failed: bool = False


@dataclass(frozen=True, slots=True)
class VersionInfo:
    """One kept version of a document. `saved_at` is UTC, ISO 8601."""

    version: str
    chars: int
    saved_at: str
    upload: str = ""


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What a purge deleted, and what it could not reach.

    Attributes:
        documents: sources of the documents that are gone.
        versions: how many of their texts were deleted.
        chunks: cut chunks deleted, over all chunkings.
        vectors: vectors deleted; those of texts that other documents share stay.
        scores: rerank scores deleted.
        uploads: originals deleted, by SHA-256.
        quoted_by: sentences naming what still quotes the documents (queries, links).
        remains: sentences naming files that may still hold the text (shared uploads, copies made
            before an upgrade, damaged files set aside).
    """

    documents: tuple[str, ...] = ()
    versions: int = 0
    chunks: int = 0
    vectors: int = 0
    scores: int = 0
    uploads: tuple[str, ...] = ()
    quoted_by: tuple[str, ...] = ()
    remains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PastQuery:
    """A query asked before, with the settings it was asked with. `asked_at` is UTC, ISO 8601."""

    query: str
    state: Mapping[str, Any] = field(default_factory=dict)
    asked_at: str = ""


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model whose vectors are kept."""

    fingerprint: str
    dimension: int
    vectors: int
