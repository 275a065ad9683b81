"""Reads the files of an ingest: parse what is new or changed, move, remove, and say what happened.

One bad file never stops the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragdebug import __version__
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.parse import parse
from ragdebug.documents.version import version_of
from ragdebug.errors import DocumentError, MissingFile
from ragdebug.protocols import Progress
from ragdebug.records import DocumentInfo, ParsedDocument
from ragdebug.settings import fingerprint
from ragdebug.store.documents import DocState, DocumentStore, StoredDocument
from ragdebug.store.uploads import UploadStore
from ragdebug.workbench.ingest_difference import Difference
from ragdebug.workbench.ingest_names import SourceNames
from ragdebug.workbench.pasting import Pasted
from ragdebug.workbench.reports import IngestReport
from ragdebug.workbench.sources import RECORD, Item, Listing, Unread

READERS = 2  # raised when what a reader makes of the same bytes changes, so that all is read anew
FLUSH_S = 1.0
FLUSH_DOCUMENTS = 200


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """Choices of one ingest.

    Attributes:
        options: how files are read.
        metadata: keys and values every document gets; they win over those in the file.
        folder_key: the first folder below a root is the value of this key; "" for none.
        dry_run: only say what would change.
        yes: go on although most files of a folder are missing.
        by_name: options of single uploads by the name they were given, where they differ.
    """

    options: ParseOptions = ParseOptions()
    metadata: Mapping[str, str] | None = None
    folder_key: str = ""
    dry_run: bool = False
    yes: bool = False
    by_name: Mapping[str, ParseOptions] = field(default_factory=dict)

    def options_of(self, item: Item) -> ParseOptions:
        """How one file is read."""
        return self.by_name.get(item.given or item.name, self.options)


class Reading:
    """The state of one ingest while it goes on."""

    def __init__(
        self,
        documents: DocumentStore,
        uploads: UploadStore,
        count_tokens: Callable[[Sequence[str]], list[int]],
        pasted: Pasted,
        limits: Limits,
        request: IngestRequest,
        difference: Difference,
    ) -> None:
        self._store = documents
        self._uploads = uploads
        self._count_tokens = count_tokens
        self._pasted = pasted
        self._limits = limits
        self._request = request
        self._difference = difference
        self._by_file = difference.by_file
        self._names = SourceNames(difference.states)
        self._results: list[DocumentInfo] = []
        self._waiting: list[StoredDocument] = []
        self._flushed_at = time.monotonic()

    def run(self, listing: Listing, progress: Progress) -> IngestReport:
        """Read what is new or changed, save in batches, take out what is gone."""
        for unread in listing.failed:
            self._failed(unread, unread.error)
        total = len(listing.items)
        for done, item in enumerate(listing.items):
            progress(done, total, "files")
            digest = self._difference.hashes[item.key]
            if isinstance(digest, DocumentError):
                self._failed(item, digest)
            else:
                self._one(item, digest, self._difference.moves.get(item.key))
            self._flush_if_due()
        self._flush()
        self._remove(self._difference.gone)
        progress(total, total, "files")
        return IngestReport(tuple(self._results), self._request.dry_run, tuple(listing.skipped))

    def _remove(self, gone: Sequence[str]) -> None:
        states = [s for key in gone for s in self._by_file[key] if not s.removed]
        self._remove_states(states)

    def _remove_states(self, states: Sequence[DocState]) -> None:
        if states and not self._request.dry_run:
            self._store.remove([s.id for s in states])
        for s in states:
            if s.version:  # a file that was never read is forgotten without a word
                self._results.append(
                    DocumentInfo(id=s.id, version=s.version, source=s.source, status="removed")
                )

    # One file -------------------------------------------------------------------------------------

    def _one(self, item: Item, digest: str, moved_from: str | None) -> None:
        options = self._options(item)
        states = self._by_file.get(moved_from or item.key, [])
        active = [s for s in states if not s.removed and s.version]
        if moved_from:
            active = self._move(item, active)
        same = all(s.file_hash == digest and s.options == options and not s.failed for s in active)
        if active and same:
            self._adopt(item, active)
            for s in active:
                status = "moved" if moved_from else "unchanged"
                self._results.append(
                    DocumentInfo(id=s.id, version=s.version, source=s.source, status=status)
                )
            return
        try:
            data = item.read()
            parsed = parse(data, item.name, self._request.options_of(item), self._limits)
        except DocumentError as e:
            self._failed(item, e)
            return
        upload = ""
        if item.origin in ("upload", "archive") and not self._request.dry_run:
            upload = self._uploads.put(data)
        known = {s.source_key.partition(RECORD)[2]: s for s in states if s.version}
        left = {s.id: s for s in active}
        for one, tokens in zip(parsed, self._count_tokens([p.text for p in parsed]), strict=True):
            old = known.get(one.key)
            stored = self._stored(item, one, tokens, digest, options, upload, old)
            if old and self._pasted.pages(old.id):
                stored = self._with_pasted(stored)
            left.pop(stored.id, None)
            self._result(stored, old, bool(moved_from))
            if not self._request.dry_run:
                self._waiting.append(stored)
        self._remove_states(list(left.values()))

    def _with_pasted(self, read: StoredDocument) -> StoredDocument:
        """The document with the pages that somebody pasted; the text as it was read is kept too."""
        made = self._pasted.apply(read.id, read.parsed)
        if not self._request.dry_run:
            self._store.save([read])
            self._pasted.rebase(read.id, read.version)
        (tokens,) = self._count_tokens([made.text])
        version = version_of(made)
        return replace(read, parsed=made, version=version, tokens=tokens)

    def _options(self, item: Item) -> str:
        """What besides the bytes decides how a file is read; a new release reads all anew."""
        own = self._request.options_of(item).fingerprint()
        return fingerprint([own, self._metadata(item), __version__, READERS])

    def _metadata(self, item: Item) -> dict[str, str]:
        return {**item.metadata, **(self._request.metadata or {})}

    def _adopt(self, item: Item, states: Sequence[DocState]) -> None:
        """A file that was given by itself and now is found in a folder goes when it leaves it."""
        alone = [s for s in states if item.root and not s.root]
        if alone and not self._request.dry_run:
            self._store.rekey_many([(s.id, s.source, s.source_key, item.root) for s in alone])

    def _move(self, item: Item, states: Sequence[DocState]) -> list[DocState]:
        moved = []
        for s in states:
            key = s.source_key.partition(RECORD)[2]
            source = self._names.free(item, key, s)
            self._names.take(source, s.id, instead_of=s.source)
            source_key = item.key + (RECORD + key if key else "")
            moved.append(replace(s, source=source, source_key=source_key, root=item.root))
        if not self._request.dry_run:
            self._store.rekey_many([(s.id, s.source, s.source_key, s.root) for s in moved])
        return moved

    def _stored(
        self,
        item: Item,
        one: ParsedDocument,
        tokens: int,
        digest: str,
        options: str,
        upload: str,
        old: DocState | None,
    ) -> StoredDocument:
        metadata = {**one.metadata, **self._metadata(item)}
        one = replace(one, metadata=metadata)
        source = old.source if old else self._names.free(item, one.key)
        document_id = old.id if old else self._names.new_id(source)
        self._names.take(source, document_id)
        return StoredDocument(
            id=document_id,
            source=source,
            source_key=item.key + (RECORD + one.key if one.key else ""),
            # A file of a folder that is given by itself stays a file of the folder.
            root=item.root or (old.root if old else ""),
            origin=item.origin,
            file_hash=digest,
            options=options,
            parsed=one,
            version=version_of(one),
            tokens=tokens,
            upload=upload,
            tenant=metadata.get("tenant"),
        )

    def _result(self, stored: StoredDocument, old: DocState | None, moved: bool) -> None:
        if old is None or old.removed:
            status = "added"
        elif old.version != stored.version:
            status = "changed"
        else:
            status = "moved" if moved else "unchanged"
        p = stored.parsed
        self._results.append(
            DocumentInfo(
                id=stored.id,
                version=stored.version,
                source=stored.source,
                status=status,
                kind=p.kind,
                title=p.title,
                chars=len(p.text),
                tokens=stored.tokens,
                pages=len(p.pages),
                language=p.language,
                metadata=p.metadata,
                warnings=p.warnings,
                tenant=stored.tenant,
                origin=stored.origin,
            )
        )

    def _failed(self, item: Item | Unread, error: DocumentError) -> None:
        states = [s for s in self._by_file.get(item.key, []) if not s.removed and s.version]
        self._results.append(
            DocumentInfo(
                id=states[0].id if states else "",
                version=states[0].version if states else "",
                source=item.name,
                status="failed",
                error=error.message,
                hint=error.hint,
                origin=item.origin,
            )
        )
        # A mistyped path says nothing about the corpus and is not remembered.
        if not self._request.dry_run and not isinstance(error, MissingFile):
            self._store.failed(
                item.key, item.name, error.message, error.hint, root=item.root, origin=item.origin
            )

    # Batches --------------------------------------------------------------------------------------

    def _flush_if_due(self) -> None:
        late = time.monotonic() - self._flushed_at > FLUSH_S
        if late or len(self._waiting) >= FLUSH_DOCUMENTS:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._store.save(self._waiting)
            self._waiting = []
        self._flushed_at = time.monotonic()
