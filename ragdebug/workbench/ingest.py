"""Documents in: compare hashes, parse what is new or changed, move, remove, and say what happened.

Nothing is changed before the whole difference is known, so that a dry run and the question about a
half-empty folder come first. One bad file never stops the others.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from ragdebug import __version__
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.parse import parse
from ragdebug.errors import DocumentError, MassRemoval, MissingFile
from ragdebug.protocols import Progress, silent
from ragdebug.records import DocumentInfo, ParsedDocument
from ragdebug.settings import fingerprint
from ragdebug.store.documents import DocState, DocumentStore, StoredDocument
from ragdebug.store.paths import path_of
from ragdebug.store.uploads import UploadStore
from ragdebug.workbench.names import Names
from ragdebug.workbench.reports import IngestReport
from ragdebug.workbench.sources import (
    RECORD,
    Item,
    Listing,
    Unread,
    below,
    file_hash,
    list_paths,
    list_uploads,
    numbered,
)

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


class Ingestion:
    """One ingest at a time into one workspace."""

    def __init__(
        self,
        documents: DocumentStore,
        uploads: UploadStore,
        count_tokens: Callable[[Sequence[str]], list[int]],
        limits: Limits | None = None,
    ) -> None:
        self._documents = documents
        self._uploads = uploads
        self._count_tokens = count_tokens
        self._limits = limits or Limits()

    def paths(
        self, paths: Iterable[str | Path], request: IngestRequest, progress: Progress = silent
    ) -> IngestReport:
        """Ingest files, folders (by reference) and zip archives."""
        listing = list_paths(paths, self._limits, request.folder_key)
        return self._run(listing, request, progress)

    def files(
        self,
        files: Sequence[tuple[str, bytes]],
        request: IngestRequest,
        on_conflict: str = "ask",
        progress: Progress = silent,
    ) -> IngestReport:
        """Ingest uploads; `on_conflict` is ask, replace or keep_both.

        Raises:
            NameTaken: with ``ask``, when another file has the same name; nothing is changed.
        """
        listing = list_uploads(files, self._limits)
        Names(self._documents.states()).settle(listing, on_conflict)
        return self._run(listing, request, progress)

    def taken(self, files: Sequence[tuple[str, bytes]]) -> tuple[str, ...]:
        """Names of uploads that are already here with other content, in order."""
        return tuple(Names(self._documents.states()).taken(list_uploads(files, self._limits)))

    # One run --------------------------------------------------------------------------------------

    def _run(self, listing: Listing, request: IngestRequest, progress: Progress) -> IngestReport:
        states = self._documents.states()
        run = _Run(self, listing, request, states, progress)
        return run.go()


class _Run:
    """The state of one ingest while it goes on."""

    def __init__(
        self,
        ingestion: Ingestion,
        listing: Listing,
        request: IngestRequest,
        states: Mapping[str, DocState],
        progress: Progress,
    ) -> None:
        self.store = ingestion._documents
        self.uploads = ingestion._uploads
        self.count_tokens = ingestion._count_tokens
        self.limits = ingestion._limits
        self.listing = listing
        self.request = request
        self.progress = progress
        self.by_file: dict[str, list[DocState]] = defaultdict(list)
        for state in states.values():
            self.by_file[state.source_key.split(RECORD)[0]].append(state)
        self.sources = {s.source: s.id for s in states.values() if s.version}
        self.ids = {s.id for s in states.values()}
        self.folders = [Path(r).as_posix() for r in listing.roots if Path(r).is_dir()]
        self.results: list[DocumentInfo] = []
        self.waiting: list[StoredDocument] = []
        self.flushed_at = time.monotonic()

    def go(self) -> IngestReport:
        hashes = self._hash_all()
        gone = self._gone()
        moves = self._moves(gone, hashes)
        gone = [key for key in gone if key not in moves.values()]
        self._ask_about(gone)
        for unread in self.listing.failed:
            self._failed(unread, unread.error)
        total = len(self.listing.items)
        for done, item in enumerate(self.listing.items):
            self.progress(done, total, "files")
            digest = hashes[item.key]
            if isinstance(digest, DocumentError):
                self._failed(item, digest)
            else:
                self._one(item, digest, moves.get(item.key))
            self._flush_if_due()
        self._flush()
        self._remove(gone)
        self.progress(total, total, "files")
        return IngestReport(tuple(self.results), self.request.dry_run, tuple(self.listing.skipped))

    def _hash_all(self) -> dict[str, str | DocumentError]:
        hashes: dict[str, str | DocumentError] = {}
        total = len(self.listing.items)
        for done, item in enumerate(self.listing.items):
            if done % 20 == 0:
                self.progress(done, total, "files compared")
            try:
                hashes[item.key] = file_hash(item.read())
            except DocumentError as e:
                hashes[item.key] = e
        return hashes

    # What is no longer there ----------------------------------------------------------------------

    def _gone(self) -> list[str]:
        """File keys that once came from one of the given roots and are not in it any more.

        What is there and could not be looked at is not gone.
        """
        seen = {i.key for i in self.listing.items} | {u.key for u in self.listing.failed}
        return [
            key
            for key, states in self.by_file.items()
            if key not in seen
            and not below(key, self.listing.unseen)
            and any(self._covered(s) and not s.removed for s in states)
        ]

    def _covered(self, state: DocState) -> bool:
        """Whether the given roots hold all of the root that a file came from."""
        if state.root in self.listing.roots:
            return True
        # A folder inside a given one; an archive inside it is not opened, so nothing is known.
        return (
            bool(state.root)
            and state.origin in ("file", "folder")
            and below(Path(state.root).as_posix(), self.folders)
        )

    def _moves(
        self, gone: Sequence[str], hashes: Mapping[str, str | DocumentError]
    ) -> dict[str, str]:
        """New file key -> old file key, where the same bytes left one place and came to another."""
        lost: dict[str, list[str]] = defaultdict(list)
        for key, states in self.by_file.items():
            active = [s for s in states if not s.removed]
            if active and active[0].version and (key in gone or _vanished(key, active[0])):
                lost[active[0].file_hash].append(key)
        moves: dict[str, str] = {}
        for item in self.listing.items:
            digest = hashes[item.key]
            if item.key in self.by_file or isinstance(digest, DocumentError):
                continue
            if lost.get(digest):
                moves[item.key] = lost[digest].pop(0)
        return moves

    def _ask_about(self, gone: Sequence[str]) -> None:
        gone = [key for key in gone if any(s.version for s in self.by_file[key])]
        if self.request.yes or self.request.dry_run or not gone:
            return
        known = [
            key
            for key, states in self.by_file.items()
            if any(self._covered(s) and not s.removed and s.version for s in states)
        ]
        if len(gone) * 2 > len(known):
            raise MassRemoval(
                f"{len(gone)} of {len(known)} files that came from here are missing now. "
                "Nothing was changed.",
                hint="Look at the difference with --dry-run; say --yes if they should be removed.",
            )

    def _remove(self, gone: Sequence[str]) -> None:
        states = [s for key in gone for s in self.by_file[key] if not s.removed]
        self._remove_states(states)

    def _remove_states(self, states: Sequence[DocState]) -> None:
        if states and not self.request.dry_run:
            self.store.remove([s.id for s in states])
        for s in states:
            if s.version:  # a file that was never read is forgotten without a word
                self.results.append(
                    DocumentInfo(id=s.id, version=s.version, source=s.source, status="removed")
                )

    # One file -------------------------------------------------------------------------------------

    def _one(self, item: Item, digest: str, moved_from: str | None) -> None:
        options = self._options(item)
        states = self.by_file.get(moved_from or item.key, [])
        active = [s for s in states if not s.removed and s.version]
        if moved_from:
            active = self._move(item, active)
        same = all(s.file_hash == digest and s.options == options and not s.failed for s in active)
        if active and same:
            self._adopt(item, active)
            for s in active:
                status = "moved" if moved_from else "unchanged"
                self.results.append(
                    DocumentInfo(id=s.id, version=s.version, source=s.source, status=status)
                )
            return
        try:
            data = item.read()
            parsed = parse(data, item.name, self.request.options_of(item), self.limits)
        except DocumentError as e:
            self._failed(item, e)
            return
        upload = ""
        if item.origin in ("upload", "archive") and not self.request.dry_run:
            upload = self.uploads.put(data)
        known = {s.source_key.partition(RECORD)[2]: s for s in states if s.version}
        left = {s.id: s for s in active}
        for one, tokens in zip(parsed, self.count_tokens([p.text for p in parsed]), strict=True):
            old = known.get(one.key)
            stored = self._stored(item, one, tokens, digest, options, upload, old)
            left.pop(stored.id, None)
            self._result(stored, old, bool(moved_from))
            if not self.request.dry_run:
                self.waiting.append(stored)
        self._remove_states(list(left.values()))

    def _options(self, item: Item) -> str:
        """What besides the bytes decides how a file is read; a new release reads all anew."""
        own = self.request.options_of(item).fingerprint()
        return fingerprint([own, self._metadata(item), __version__])

    def _metadata(self, item: Item) -> dict[str, str]:
        return {**item.metadata, **(self.request.metadata or {})}

    def _adopt(self, item: Item, states: Sequence[DocState]) -> None:
        """A file that was given by itself and now is found in a folder goes when it leaves it."""
        alone = [s for s in states if item.root and not s.root]
        if alone and not self.request.dry_run:
            self.store.rekey_many([(s.id, s.source, s.source_key, item.root) for s in alone])

    def _move(self, item: Item, states: Sequence[DocState]) -> list[DocState]:
        moved = []
        for s in states:
            key = s.source_key.partition(RECORD)[2]
            source = self._source(item, key, s)
            self.sources.pop(s.source, None)
            self.sources[source] = s.id
            source_key = item.key + (RECORD + key if key else "")
            moved.append(replace(s, source=source, source_key=source_key, root=item.root))
        if not self.request.dry_run:
            self.store.rekey_many([(s.id, s.source, s.source_key, s.root) for s in moved])
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
        source = old.source if old else self._source(item, one.key, None)
        document_id = old.id if old else self._id(source)
        self.sources[source] = document_id
        self.ids.add(document_id)
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
            version=fingerprint([one.text, one.parser]),
            tokens=tokens,
            upload=upload,
            tenant=metadata.get("tenant"),
        )

    def _source(self, item: Item, key: str, old: DocState | None) -> str:
        """A name nobody else has: the item's own, else with its root's name, else with a number."""
        tail = f"#{key}" if key else ""
        root = PurePosixPath(item.root.removeprefix("upload:")).name
        for name in (item.name, f"{root}/{item.name}" if root else item.name):
            taken_by = self.sources.get(name + tail)
            if taken_by is None or (old is not None and taken_by == old.id):
                return name + tail
        files = set(self.sources)
        n = 2
        while (made := numbered(item.name, n) + tail) in files:
            n += 1
        return made

    def _id(self, source: str) -> str:
        """Ten hex digits from the source name, the same on every machine."""
        n = 0
        while True:
            made = fingerprint([source, n] if n else source)[:10]
            if made not in self.ids:
                return made
            n += 1

    def _result(self, stored: StoredDocument, old: DocState | None, moved: bool) -> None:
        if old is None or old.removed:
            status = "added"
        elif old.version != stored.version:
            status = "changed"
        else:
            status = "moved" if moved else "unchanged"
        p = stored.parsed
        self.results.append(
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
        states = [s for s in self.by_file.get(item.key, []) if not s.removed and s.version]
        self.results.append(
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
        if not self.request.dry_run and not isinstance(error, MissingFile):
            self.store.failed(
                item.key, item.name, error.message, error.hint, root=item.root, origin=item.origin
            )

    # Batches --------------------------------------------------------------------------------------

    def _flush_if_due(self) -> None:
        late = time.monotonic() - self.flushed_at > FLUSH_S
        if late or len(self.waiting) >= FLUSH_DOCUMENTS:
            self._flush()

    def _flush(self) -> None:
        if self.waiting:
            self.store.save(self.waiting)
            self.waiting = []
        self.flushed_at = time.monotonic()


def _vanished(key: str, state: DocState) -> bool:
    """Whether a local file that was once ingested is no longer where it was."""
    try:
        return state.origin in ("file", "folder") and not path_of(key).exists()
    except OSError:  # its folder may not be looked into
        return False
