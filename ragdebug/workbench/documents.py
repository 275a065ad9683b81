"""Documents in, looked at, tagged, removed and brought back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from ragdebug.documents.columns import ColumnGuess, guess_columns
from ragdebug.documents.options import ParseOptions
from ragdebug.documents.pasted import page_text, with_page
from ragdebug.documents.version import version_of
from ragdebug.protocols import Progress, silent
from ragdebug.records import DocumentInfo
from ragdebug.settings import DEFAULT_EMBEDDER
from ragdebug.store.exclusive import exclusive
from ragdebug.store.rows import PurgeReport
from ragdebug.tokens import counter
from ragdebug.workbench.base import Base
from ragdebug.workbench.ingest import Ingestion, IngestRequest
from ragdebug.workbench.pasting import Pasted
from ragdebug.workbench.reports import IngestReport

INGEST_LOCK = "ingest.lock"


class Documents(Base):
    """Use cases on documents."""

    def ingest(
        self,
        paths: Iterable[str | Path],
        options: ParseOptions | None = None,
        metadata: Mapping[str, str] | None = None,
        *,
        folder_key: str = "",
        dry_run: bool = False,
        yes: bool = False,
        progress: Progress = silent,
    ) -> IngestReport:
        """Read files, folders (by reference) and zip archives; only changes are read again.

        Raises:
            MassRemoval: when most files of a folder are missing and `yes` was not said.
        """
        request = IngestRequest(options or ParseOptions(), metadata, folder_key, dry_run, yes)
        if dry_run:
            return self._ingestion().paths(list(paths), request, progress)
        with self._turn(progress):
            return self._ingestion().paths(list(paths), request, progress)

    def ingest_files(
        self,
        files: Sequence[tuple[str, bytes]],
        options: ParseOptions | None = None,
        metadata: Mapping[str, str] | None = None,
        *,
        on_conflict: str = "ask",
        by_name: Mapping[str, ParseOptions] | None = None,
        dry_run: bool = False,
        progress: Progress = silent,
    ) -> IngestReport:
        """Read uploaded files; `on_conflict` is ask, replace or keep_both.

        `by_name` has options of single files, such as the columns of one table.

        Raises:
            NameTaken: with ``ask``, when another file of the same name is already there.
        """
        request = IngestRequest(
            options or ParseOptions(),
            metadata,
            dry_run=dry_run,
            yes=True,
            by_name=by_name or {},
        )
        if dry_run:
            return self._ingestion().files(files, request, on_conflict, progress)
        with self._turn(progress):
            return self._ingestion().files(files, request, on_conflict, progress)

    def _turn(self, progress: Progress) -> AbstractContextManager[None]:
        """Ingests go one after the other: two at once would give one name to two files."""
        told = False

        def waiting() -> None:
            nonlocal told
            if not told and self.store.facts.on_wait:
                self.store.facts.on_wait("waiting for another ingest into this workspace")
            told = True
            progress(0, 0, "files")  # where a person can stop it

        return exclusive(self.path / INGEST_LOCK, waiting)

    def names_taken(self, files: Sequence[tuple[str, bytes]]) -> tuple[str, ...]:
        """Names of uploads that are already here with other content; nothing is read in."""
        return self._ingestion().taken(files)

    def _ingestion(self) -> Ingestion:
        tokens = counter(DEFAULT_EMBEDDER)
        pasted = Pasted(self.store.settings)
        return Ingestion(self.store.documents, self.store.uploads, tokens.count_many, pasted)

    @staticmethod
    def guess_columns(name: str, data: bytes) -> ColumnGuess:
        """Which columns of a table or of records are text, id and metadata, with a sample.

        Raises:
            DocumentError: when the file cannot be read.
        """
        return guess_columns(data, name)

    def documents(self, removed: bool = False) -> list[DocumentInfo]:
        """All documents by source, failed files among them; with `removed`, only the removed."""
        if removed:
            return self._removed()
        return list(self._snapshot())

    def original(self, document: str) -> tuple[str, bytes] | None:
        """Name and bytes of the file a document came from, None when it is no longer there."""
        return self.store.documents.original(document, self.store.uploads)

    def page_image(self, document: str, page: int, width_px: int = 900) -> bytes | None:
        """PNG of one page of a PDF, None when the document has no pictures of pages."""
        from ragdebug.documents.pdf_image import page_image

        shown = self.document(document)
        if shown.parsed.kind != "pdf":
            return None

        def draw() -> bytes | None:
            found = self.original(document)
            return None if found is None else page_image(found[1], page, width_px)

        return self._images.get((document, shown.version, page, width_px), draw)

    def tag(
        self, documents: Sequence[str], values: Mapping[str, str], unset: Sequence[str] = ()
    ) -> None:
        """Set and remove metadata; what a person sets wins over what the file says."""
        self.store.documents.tag(documents, dict(values), list(unset))

    def set_language(self, document: str, code: str) -> None:
        """Correct the detected language."""
        self.store.documents.set_language(document, code)
        # Sentences end differently in another language: its chunks are cut again.
        self.store.chunks.delete([document])
        with self._lock:
            self._texts = OrderedDict((k, d) for k, d in self._texts.items() if k[0] != document)
            self._text_chars = sum(len(d.text) for d in self._texts.values())
        self._reports.clear()

    def paste_page(self, document: str, page: int, text: str) -> DocumentInfo:
        """Give a page a better text than its parser read; the file and that version stay.

        The text is taken again whenever the file is read anew, as long as the page says the same.
        Questions whose quotes stand in the new text go with them. An empty text takes the pasted
        one away.

        Args:
            document: id.
            page: number of the sheet, from 1.
            text: of the whole page.

        Raises:
            DocumentNotFound: there is no such document.
            InvalidSetting: there is no such page.
        """
        pasted = Pasted(self.store.settings)
        base = self.document(document, pasted.base(document))
        if text.strip():
            with_page(base.parsed, page, text)  # refuses what cannot be
            pasted.keep(document, base.version, base.parsed, page, text)
        else:
            page_text(base.parsed, page)
            pasted.forget([document], page)
        made = pasted.apply(document, base.parsed)
        (tokens,) = counter(DEFAULT_EMBEDDER).count_many([made.text])
        version = version_of(made)
        self.store.documents.set_text(document, made, version, tokens)
        return self.info(document)

    def page_text(self, document: str, page: int, version: str = "") -> str:
        """The text of a page, from 1, in the present version when none is named.

        Raises:
            DocumentNotFound: there is no such document or version.
            InvalidSetting: there is no such page.
        """
        return page_text(self.document(document, version).parsed, page)

    def pasted_pages(self, document: str) -> tuple[int, ...]:
        """Pages of a document whose text a person has pasted."""
        return Pasted(self.store.settings).pages(document)

    def remove(self, documents: Sequence[str]) -> None:
        """Take documents out of every index; `restore` brings them back."""
        self.store.documents.remove(list(documents))

    def restore(self, documents: Sequence[str]) -> None:
        """Bring removed documents back."""
        self.store.documents.restore(list(documents))

    def purge(self, documents: Sequence[str]) -> PurgeReport:
        """Delete text, chunks, vectors, scores and upload for good."""
        from ragdebug.models import forget

        Pasted(self.store.settings).forget(documents)
        report = self.store.purge(list(documents))
        forget()  # late interaction keeps token vectors by text
        with self._lock:
            self._texts.clear()
            self._text_chars = 0
            self._documents = None
        self._images.clear()
        self._reports.clear()
        self.indexes.forget()
        self._purged()
        return report

    def metadata_keys(self) -> dict[str, dict[str, int]]:
        """Key -> value -> number of active documents, for filters."""
        keys: dict[str, dict[str, int]] = {}
        for info in self._active():
            values = {"language": info.language, "kind": info.kind, **info.metadata}
            for key, value in values.items():
                if value:
                    counts = keys.setdefault(key, {})
                    counts[value] = counts.get(value, 0) + 1
        return keys
