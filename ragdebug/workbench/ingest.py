"""Documents in: files, folders, archives and uploads.

Nothing is changed before the whole difference is known, so that a dry run and the question about a
half-empty folder come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ragdebug.documents.options import Limits
from ragdebug.protocols import Progress, silent
from ragdebug.store.documents import DocumentStore
from ragdebug.store.uploads import UploadStore
from ragdebug.workbench.ingest_difference import Difference
from ragdebug.workbench.ingest_reading import IngestRequest, Reading
from ragdebug.workbench.names import Names
from ragdebug.workbench.pasting import Pasted
from ragdebug.workbench.reports import IngestReport
from ragdebug.workbench.sources import Listing, list_paths, list_uploads

__all__ = ["IngestRequest", "Ingestion"]


class Ingestion:
    """One ingest at a time into one workspace."""

    def __init__(
        self,
        documents: DocumentStore,
        uploads: UploadStore,
        count_tokens: Callable[[Sequence[str]], list[int]],
        pasted: Pasted,
        limits: Limits | None = None,
    ) -> None:
        self._documents = documents
        self._uploads = uploads
        self._count_tokens = count_tokens
        self._pasted = pasted
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

    def _run(self, listing: Listing, request: IngestRequest, progress: Progress) -> IngestReport:
        difference = Difference(listing, self._documents.states(), progress)
        if not (request.yes or request.dry_run):
            difference.ask()
        reading = Reading(
            self._documents,
            self._uploads,
            self._count_tokens,
            self._pasted,
            self._limits,
            request,
            difference,
        )
        return reading.run(listing, progress)
