"""What all use cases share: the store, the list of documents, their texts, the indexes, jobs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from ragdebug.errors import DocumentNotFound
from ragdebug.protocols import Progress, silent
from ragdebug.records import Document, DocumentInfo, ParseWarning
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_WORKSPACE, fingerprint
from ragdebug.store.workspace import Store
from ragdebug.table import DocumentRef
from ragdebug.tokens import counter
from ragdebug.workbench.chunking import DocumentReport
from ragdebug.workbench.indexing import Indexes
from ragdebug.workbench.jobs import Jobs
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.outside.elsewhere import is_elsewhere, stand_in, stand_in_info
from ragdebug.workbench.pieces.cutting import PieceChunks
from ragdebug.workbench.reports import PROMPT_TOKENS, CorpusSummary

TEXT_CACHE_CHARS = 64_000_000  # canonical texts kept in memory


class Base:
    """One open workspace; safe to share between threads."""

    def __init__(
        self,
        path: str | Path = DEFAULT_WORKSPACE,
        *,
        on_wait: Callable[[str], None] | None = None,
        wait_s: float = 15.0,
    ) -> None:
        self.path = Path(path)
        self.store = Store(self.path, wait_s=wait_s, on_wait=on_wait)
        self.jobs = Jobs()
        self._lock = threading.RLock()
        self._documents: _State | None = None
        self._texts: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._text_chars = 0
        self._reports: Kept[DocumentReport] = Kept(16)
        self._images: Kept[bytes | None] = Kept(32)
        self.pieces = PieceChunks(self.store.pieces, self.document, _count)
        self.indexes = Indexes(
            self.store.documents,
            self.store.chunks,
            self.store.vectors,
            self.store.indexes,
            self.pieces,
            self._text,
            self._refs,
            lambda: self.corpus().language,
        )

    def close(self) -> None:
        """Stop jobs and release the store."""
        self.jobs.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _state(self) -> _State:
        """Active documents, read again only when somebody changed one.

        Saves of questions and runs count up the revision too: then a mark of all documents tells.
        """
        revision = self.store.documents.revision()
        with self._lock:
            known = self._documents
        if known is not None and known.revision == revision:
            return known
        mark = self.store.documents.mark()
        if known is not None and known.mark == mark:
            with self._lock:
                self._documents = replace(known, revision=revision)
            return known
        infos = _with_duplicates(
            [d for d in self.store.documents.infos(removed=False) if not d.removed]
        )
        state = _State.of(revision, mark, infos)
        with self._lock:
            self._documents = state
        return state

    def _snapshot(self) -> list[DocumentInfo]:
        return self._state().infos

    def _active(self) -> list[DocumentInfo]:
        return self._state().active

    def _by_id(self) -> Mapping[str, DocumentInfo]:
        """Active documents that have been read, by id."""
        return self._state().by_id

    def _refs(self) -> tuple[str, list[DocumentRef]]:
        state = self._state()
        return state.summary.fingerprint, state.refs

    def _removed(self) -> list[DocumentInfo]:
        return [d for d in self.store.documents.infos(removed=True) if d.removed]

    def info(self, document: str) -> DocumentInfo:
        """One active document without its text; of one that is not here its name."""
        if (known := self._by_id().get(document)) is not None:
            return known
        for info in self._snapshot():
            if info.id == document:
                return info
        if is_elsewhere(document):
            return stand_in_info(document, self.store.pieces.source_of(document))
        raise DocumentNotFound(f"There is no document {document}.", hint="It may be removed.")

    def resolve(self, name: str, removed: bool | None = False) -> DocumentInfo:
        """A document by id or by source.

        Args:
            name: id or source.
            removed: look among the active (False), the removed (True) or all (None).

        Raises:
            DocumentNotFound: when nothing, or more than one document, has that name.
        """
        infos = [] if removed else self._snapshot()
        if removed is not False:
            infos = [*infos, *self._removed()]
        found = [d for d in infos if d.id and d.id == name] or [
            d for d in infos if d.source == name
        ]
        if len(found) != 1:
            raise DocumentNotFound(
                f"{'No document is' if not found else 'Several documents are'} called {name}.",
                hint="List them with: ragdebug documents list" + (" --removed" if removed else ""),
            )
        return found[0]

    def document(self, document: str, version: str = "") -> Document:
        """A document with its text; the present version when none is named.

        Raises:
            DocumentNotFound: when there is no such document or version.
        """
        if is_elsewhere(document):
            return stand_in(document, self.store.pieces.source_of(document))
        version = version or self.info(document).version
        key = (document, version)
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
                return self._texts[key]
        loaded = self.store.documents.load(document, version)
        self._keep_text(loaded)
        return loaded

    def _read_ahead(self, infos: Iterable[DocumentInfo], progress: Progress = silent) -> None:
        """Read texts that are soon wanted, many at a time: one by one takes ten times as long.

        Args:
            infos: read documents; what would not fit beside other texts in memory is left out.
            progress: called with documents read.
        """
        wanted: list[tuple[str, str]] = []
        chars = 0
        for info in infos:
            chars += info.chars
            if chars > TEXT_CACHE_CHARS // 2:
                break
            if (info.id, info.version) not in self._texts:
                wanted.append((info.id, info.version))
        for at, document in enumerate(self.store.documents.load_many(wanted)):
            progress(at, len(wanted), "documents read")
            self._keep_text(document)

    def _keep_text(self, loaded: Document) -> None:
        """Keep a text in memory, in place of those that nobody has asked for longest."""
        key = (loaded.id, loaded.version)
        with self._lock:
            if key in self._texts:
                return
            self._texts[key] = loaded
            self._text_chars += len(loaded.text)
            while self._text_chars > TEXT_CACHE_CHARS and len(self._texts) > 1:
                _, old = self._texts.popitem(last=False)
                self._text_chars -= len(old.text)

    def _purged(self) -> None:
        """Forget what was made of documents that are gone for good. For those who keep some."""

    def _text(self, document: str, version: str) -> str:
        return self.document(document, version).text

    def corpus(self) -> CorpusSummary:
        """The active documents as a whole."""
        return self._state().summary


def _count(texts: Sequence[str]) -> list[int]:
    return counter(DEFAULT_EMBEDDER).count_many(texts)


@dataclass(frozen=True, slots=True)
class _State:
    """The active documents as they were at one revision of the store."""

    revision: int
    mark: str
    infos: list[DocumentInfo]
    active: list[DocumentInfo]
    by_id: dict[str, DocumentInfo]
    refs: list[DocumentRef]
    summary: CorpusSummary

    @classmethod
    def of(cls, revision: int, mark: str, infos: list[DocumentInfo]) -> _State:
        active = [d for d in infos if d.version]
        return cls(
            revision,
            mark,
            infos,
            active,
            {d.id: d for d in active},
            [DocumentRef(d.id, d.version, d.source) for d in active],
            _summary(infos, active),
        )


def _summary(infos: Sequence[DocumentInfo], active: Sequence[DocumentInfo]) -> CorpusSummary:
    languages: dict[str, int] = {}
    for d in active:
        languages[d.language] = languages.get(d.language, 0) + 1
    tokens = sum(d.tokens for d in active)
    return CorpusSummary(
        documents=len(active),
        failed=sum(d.status == "failed" for d in infos),
        chars=sum(d.chars for d in active),
        tokens=tokens,
        languages=languages,
        fingerprint=fingerprint([(d.id, d.version, d.source, d.language) for d in active]),
        fits_prompt=0 < tokens <= PROMPT_TOKENS,
    )


def _with_duplicates(infos: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """The same documents, those whose text another one has too marked with a warning."""
    first: dict[str, DocumentInfo] = {}
    result = []
    for info in sorted(infos, key=lambda d: (d.source, d.id)):
        other = first.setdefault(info.version, info) if info.version else info
        if other is not info:
            warning = ParseWarning("duplicate", f"Same text as {other.source}.")
            info = replace(info, warnings=(*info.warnings, warning))
        result.append(info)
    return result
