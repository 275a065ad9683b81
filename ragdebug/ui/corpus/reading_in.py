"""The jobs that read documents, and what a session remembers of them.

Reading goes on when the page is left. Whatever it comes to (a report, a question, an error) is
taken up by `report.collect` in the session that started it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.documents.options import ParseOptions
from ragdebug.errors import MassRemoval, RagDebugError
from ragdebug.protocols import Progress
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import IngestReport, Workbench

JOB = "_corpus_job"
REQUEST = "_corpus_request"  # what the job was asked to do
QUESTION = "_corpus_question"
REPORT = "_corpus_report"
PROBLEM = "_corpus_problem"
_ROUND = "_corpus_upload_round"
_PATIENCE_S = 1.5  # small uploads are there before the page is drawn again


@dataclass(frozen=True, slots=True)
class Upload:
    """Files a person chose, with how they are read; `taken` are names that are here already."""

    files: tuple[tuple[str, bytes], ...]
    options: ParseOptions = ParseOptions()
    by_name: Mapping[str, ParseOptions] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    on_conflict: str = "ask"
    taken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Folder:
    """A path a person named; `gone` files of it are missing, which is asked about."""

    path: str
    folder_key: str = ""
    dry_run: bool = False
    yes: bool = False
    gone: str = ""


def round_() -> int:
    """Counts the uploads of this session."""
    return int(st.session_state.get(_ROUND, 0))


def clear_field() -> None:
    """Empty the upload field."""
    st.session_state[_ROUND] = round_() + 1


def upload(wb: Workbench, given: Upload) -> None:
    """Read uploads, or ask first where their names are taken. Runs the page again."""
    if given.on_conflict == "ask" and (taken := wb.names_taken(given.files)):
        st.session_state[QUESTION] = replace(given, taken=taken)
        clear_field()
        st.rerun()

    def work(progress: Progress) -> IngestReport:
        return wb.ingest_files(
            given.files,
            given.options,
            given.metadata,
            on_conflict=given.on_conflict,
            by_name=given.by_name,
            progress=progress,
        )

    n = len(given.files)
    title = f"Read {given.files[0][0]}" if n == 1 else f"Read {n:,} files"
    clear_field()
    # Without the bytes, which would stay in the session as long as the report does.
    _start(wb, title, work, f"upload {id(given)}", replace(given, files=()))


def folder(wb: Workbench, given: Folder) -> None:
    """Read a folder, or only compare it. Runs the page again."""
    try:
        path = Path(given.path).expanduser()
    except RuntimeError as error:  # no such user
        literal.problem(str(error))
        return

    def work(progress: Progress) -> IngestReport | MassRemoval:
        try:
            return wb.ingest(
                [path],
                folder_key=given.folder_key,
                dry_run=given.dry_run,
                yes=given.yes,
                progress=progress,
            )
        except MassRemoval as question:
            return question

    verb = "Compare" if given.dry_run else "Read"
    _start(wb, f"{verb} {path.name or path}", work, f"{verb} {path} {given.yes}", given)


def _start(
    wb: Workbench,
    title: str,
    work: object,
    key: str,
    request: Upload | Folder,
) -> None:
    try:
        job = wb.jobs.start("ingest", title, work, key=key)  # type: ignore[arg-type]
    except RagDebugError as error:
        literal.problem(error)
        return
    for old in (REPORT, PROBLEM):
        st.session_state.pop(old, None)
    st.session_state[JOB], st.session_state[REQUEST] = job.id, request
    wb.jobs.wait(job.id, _PATIENCE_S)
    st.rerun()
