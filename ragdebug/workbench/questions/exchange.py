"""Questions in from files and out to them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from ragdebug.errors import RagDebugError
from ragdebug.records import Place
from ragdebug.workbench.questions import exporting, files
from ragdebug.workbench.questions.formats import csv_rows, registry
from ragdebug.workbench.questions.importing import Import
from ragdebug.workbench.questions.labelling import Labelling
from ragdebug.workbench.questions.records import ImportReport

_SUFFIX = {"jsonl": ".jsonl", "csv": ".csv", "spans": ".jsonl", "lines": ".txt"}


class Exchange(Labelling):
    """Use cases of import and export."""

    def import_questions(
        self,
        source: str | Path | bytes,
        format: str = "auto",  # noqa: A002 - what everybody calls it
        columns: Mapping[str, str] | None = None,
        *,
        name: str = "",
        dry_run: bool = False,
    ) -> ImportReport:
        """Take questions in. The same file again changes nothing.

        Questions are known again by id and text, labels by place and words. What a person has
        marked, accepted or judged since stays.

        Args:
            source: a file, a folder, or the bytes of an upload (of a zip, for a folder).
            format: one of `question_formats`, or ``auto``.
            columns: our names of columns -> the file's, where those differ (CSV, JSONL).
            name: of an upload.
            dry_run: only say what would happen.

        Raises:
            RagDebugError: nothing of the file can be read. A bad row does not stop the others.
        """
        called, texts = files.gather(source, name)
        chosen = registry.detect(texts) if format == "auto" else format
        rows = registry.read(texts, chosen, columns)
        with self._editing:
            self.questions()  # labels follow their documents first
            known = {q.id: q for q in self.store.questions.all(removed=None)}
            made, report = Import(called, known, self._place_finder()).run(rows)
            if made and not dry_run:
                before = {i: known[i] for i in made if i in known}
                self._save(f"import of {called}", before, list(made.values()))
        return report

    @staticmethod
    def unknown_columns(data: bytes, name: str) -> tuple[str, ...]:
        """Columns of an uploaded table of which somebody has to say which is the question.

        () for a table that names it, and for what is no table.
        """
        try:
            called, texts = files.gather(data, name)
            if registry.detect(texts) != "csv":
                return ()
        except RagDebugError:
            return ()  # the import says what is wrong
        return csv_rows.unknown_columns(texts[called], "." + called.rpartition(".")[2].casefold())

    @staticmethod
    def question_formats() -> dict[str, str]:
        """Formats of files of questions, each with what it is."""
        return dict(registry.FORMATS)

    def export_questions(
        self,
        format: str,  # noqa: A002
        path: str | Path,
        ids: Iterable[str] | None = None,
    ) -> Path:
        """Write questions to a file, or a folder for ``beir`` and ``trec``.

        ``jsonl`` and ``csv`` keep everything: taken in again where the same documents are, they
        give equal questions. ``spans`` keeps id, text and spans; ``beir`` and ``trec`` keep which
        documents answer; ``lines`` keeps the texts.

        Args:
            format: one of `question_formats`.
            path: where to; a file there is replaced.
            ids: which; all by default.

        Raises:
            RagDebugError: there is no such format, or the place cannot be written to.
        """
        made, target = self._files(format, ids), Path(path)
        try:
            for inner, text in made.items():
                file = target / inner if inner else target
                file.parent.mkdir(parents=True, exist_ok=True)
                # As bytes: no system may put its own line ends in.
                file.write_bytes(_bytes(format, text))
        except OSError as e:
            raise RagDebugError(
                f"{target} cannot be written: {e.strerror or e}.", title="Not written"
            ) from e
        return target

    def question_file(
        self,
        format: str,  # noqa: A002
        ids: Iterable[str] | None = None,
    ) -> tuple[str, bytes]:
        """Name and bytes of what `export_questions` writes, folders as a zip, for a download."""
        made = self._files(format, ids)
        if "" in made:
            return f"questions{_SUFFIX[format]}", _bytes(format, made[""])
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for inner, text in made.items():
                archive.writestr(inner, _bytes(format, text))
        return f"questions-{format}.zip", out.getvalue()

    def _files(self, format_: str, ids: Iterable[str] | None) -> dict[str, str]:
        wanted = None if ids is None else set(ids)
        questions = [q for q in self.questions() if wanted is None or q.id in wanted]
        rows = [row for q in questions for row in exporting.rows(q, self.document)]
        return registry.write(format_, questions, rows, self._short_name)

    def _short_name(self, place: Place) -> str:
        """What data sets call a document: record key or stem, where that means no other."""
        info = self._by_id().get(place.document)
        return self._place_finder().naming.short(info) if info else place.source


def _bytes(format_: str, text: str) -> bytes:
    # The mark tells spreadsheets that a table is UTF-8.
    return text.encode("utf-8-sig" if format_ == "csv" else "utf-8", "replace")
