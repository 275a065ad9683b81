"""Documents in: upload files or a zip, or name a folder that stays where it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.documents.options import ParseOptions
from ragdebug.errors import MassRemoval, NameTaken, RagDebugError
from ragdebug.protocols import Progress
from ragdebug.settings import parse_pairs
from ragdebug.ui import literal, start, workspaces

if TYPE_CHECKING:
    from ragdebug.workbench import IngestReport, Workbench

TYPES = (
    "md", "markdown", "txt", "rst", "html", "htm", "pdf", "docx", "csv", "tsv", "json", "jsonl",
    "ndjson", "py", "js", "ts", "java", "go", "rs", "c", "h", "cpp", "cs", "rb", "php", "sh", "sql",
    "yaml", "yml", "toml", "xml", "log", "zip", "gz",
)  # fmt: skip
TABULAR = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
_REPORT = "_corpus_report"
_CONFLICT = "_corpus_conflict"
_JOB = "_corpus_job"
_GONE = "_corpus_gone"
_ROUND = "_corpus_upload_round"


@dataclass(frozen=True, slots=True)
class _Conflict:
    """Uploads that wait for an answer: replace, or keep both."""

    files: tuple[tuple[str, bytes], ...]
    options: ParseOptions
    metadata: dict[str, str]
    message: str


def draw(wb: Workbench, *, empty: bool) -> None:
    """The ways in, open at once when there is nothing yet."""
    if empty and not wb.jobs.active("ingest"):
        st.info(
            "No documents yet. Upload some, name a folder, or look around with the sample corpus.",
            icon=":material/info:",
        )
        if st.button("Load the sample corpus", icon=":material/local_cafe:"):
            start.load_sample(wb)
            st.rerun()
    _conflict(wb)
    with st.expander("Add documents", expanded=empty, icon=":material/upload_file:"):
        upload, folder = st.tabs(["Upload files", "A folder on this machine"])
        with upload:
            _upload(wb)
        with folder:
            if workspaces.by_path_allowed():
                _folder(wb)
            else:
                st.caption(
                    "Folders can be named only where the app answers this computer alone. Use "
                    "the command line: ragdebug ingest PATH"
                )


def _upload(wb: Workbench) -> None:
    # A new key after each ingest empties the field, so that no rerun reads the files again.
    round_ = st.session_state.get(_ROUND, 0)
    files = st.file_uploader(
        "Files",
        accept_multiple_files=True,
        key=f"_corpus_files_{round_}",
        label_visibility="collapsed",
        help="Several at once, or a zip. Kinds: " + ", ".join(TYPES),
    )
    if not files:
        return
    given = tuple((f.name, f.getvalue()) for f in files)
    options, metadata = _choices(wb, given)
    if options is None or metadata is None:
        return
    if st.button(
        f"Add {len(given)} file{'s' if len(given) > 1 else ''}",
        type="primary",
        icon=":material/add:",
    ):
        _ingest_files(wb, given, options, metadata, "ask")


def _choices(
    wb: Workbench,
    given: tuple[tuple[str, bytes], ...],
) -> tuple[ParseOptions | None, dict[str, str] | None]:
    """How the files are read: columns of tables, password, encoding, metadata for all."""
    values: dict[str, object] = {}
    tables = [(n, d) for n, d in given if n.lower().removesuffix(".gz").endswith(TABULAR)]
    if tables:
        values |= _columns(wb, *tables[0], more=len(tables) - 1)
    with st.expander("Metadata, password, encoding"):
        pairs = st.text_area(
            "Metadata for these files, one key=value a line",
            placeholder="tenant=acme\nproduct=Kettle",
            height=90,
            key="_corpus_meta",
        )
        password = st.text_input("Password of protected files", type="password")
        encoding = st.text_input(
            "Encoding of text files", placeholder="guessed", help="Such as cp1252 or utf-16."
        )
    try:
        metadata = dict(parse_pairs((p for p in pairs.splitlines() if p.strip()), "metadata"))
        options = ParseOptions(password=password, encoding=encoding.strip(), **values)  # type: ignore[arg-type]
    except RagDebugError as error:
        literal.problem(error)
        return None, None
    return options, metadata


def _columns(wb: Workbench, name: str, data: bytes, more: int) -> dict[str, object]:
    """Which column is the text, which one names a row."""
    try:
        guess = wb.guess_columns(name, data)
    except RagDebugError as error:
        literal.problem(error)
        return {}
    if not guess.columns:
        return {}
    also = f" and {more} more" if more else ""
    st.markdown(f"**Columns of {literal.plain(name, 60)}**{also}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rows = st.segmented_control(
            "Each row is",
            ["a document", "a row of one table"],
            default="a document",
            key=f"_rows_{name}",
        )
        text = st.multiselect("Text", guess.columns, default=list(guess.text), key=f"_text_{name}")
        id_column = st.selectbox(
            "Row is named by",
            ["row number", *guess.columns],
            index=guess.columns.index(guess.id) + 1 if guess.id in guess.columns else 0,
            key=f"_id_{name}",
        )
    return {
        "rows": "table" if rows == "a row of one table" else "documents",
        "text_columns": tuple(text) if tuple(text) != tuple(guess.text) else (),
        "id_column": "" if id_column in ("row number", guess.id) else str(id_column),
    }


def _folder(wb: Workbench) -> None:
    with st.form("corpus_folder", border=False):
        path = st.text_input(
            "Folder, file or zip",
            placeholder="/home/me/handbook",
            help="It stays where it is. Reading it again takes over what changed, and removes "
            "what is gone.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            key = st.text_input(
                "First folder below is",
                placeholder="tenant",
                help="Metadata key whose value is the name of the first folder; may be empty.",
                width=220,
            )
            look = st.form_submit_button("Show what would change")
            go = st.form_submit_button("Read", type="primary", icon=":material/add:")
    if not path.strip() or not (look or go):
        return
    found = Path(path.strip()).expanduser()
    if look:
        try:
            report = wb.ingest([found], folder_key=key.strip(), dry_run=True)
        except RagDebugError as error:
            literal.problem(error)
        else:
            st.session_state[_REPORT] = report
        return
    _start_folder(wb, found, key.strip(), yes=False)


def _start_folder(wb: Workbench, path: Path, folder_key: str, *, yes: bool) -> None:
    """Read in the background; the difference is known first, so the question can be asked now."""
    try:
        if not yes:
            report = wb.ingest([path], folder_key=folder_key, dry_run=True)
            gone, kept = report.count("removed"), report.count("unchanged")
            if gone and gone > kept + report.count("changed") + report.count("moved"):
                st.session_state[_GONE] = (str(path), folder_key, gone)
                st.rerun()

        def work(progress: Progress) -> IngestReport:
            return wb.ingest([path], folder_key=folder_key, yes=yes, progress=progress)

        job = wb.jobs.start("ingest", f"Read {path.name}", work, key=str(path))
        st.session_state[_JOB] = job.id
    except (RagDebugError, MassRemoval) as error:
        literal.problem(error)
        return
    st.rerun()


def _ingest_files(
    wb: Workbench,
    files: tuple[tuple[str, bytes], ...],
    options: ParseOptions,
    metadata: dict[str, str],
    on_conflict: str,
) -> None:
    with st.status("Reading …", expanded=True) as status:
        line = st.empty()

        def progress(done: int, total: int, what: str) -> None:
            line.caption(f"{done:,} of {total:,} {what}")

        try:
            report = wb.ingest_files(
                files, options, metadata, on_conflict=on_conflict, progress=progress
            )
        except NameTaken as error:
            st.session_state[_CONFLICT] = _Conflict(files, options, metadata, error.message)
            st.rerun()
        except RagDebugError as error:
            status.update(label="Not read", state="error")
            literal.problem(error)
            return
        status.update(label="Read", state="complete")
    st.session_state[_REPORT] = report
    st.session_state.pop(_CONFLICT, None)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    st.rerun()


def _conflict(wb: Workbench) -> None:
    """Questions that wait for an answer."""
    waiting = st.session_state.get(_CONFLICT)
    if isinstance(waiting, _Conflict):
        with st.container(border=True):
            st.markdown(f":material/help: **{literal.plain(waiting.message)}**")
            with st.container(horizontal=True):
                replace = st.button("Replace it", type="primary")
                both = st.button("Keep both")
                leave = st.button("Leave it")
        if replace or both:
            how = "replace" if replace else "keep_both"
            _ingest_files(wb, waiting.files, waiting.options, waiting.metadata, how)
        if leave:
            del st.session_state[_CONFLICT]
            st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
            st.rerun()
    gone = st.session_state.get(_GONE)
    if gone is not None:
        path, folder_key, count = gone
        with st.container(border=True):
            st.markdown(
                f":material/help: **{count} files that came from {literal.plain(path, 80)} are "
                "missing now.** Nothing was changed yet."
            )
            with st.container(horizontal=True):
                yes = st.button("Remove them", type="primary", help="They can be restored.")
                no = st.button("Do nothing")
        if yes or no:
            del st.session_state[_GONE]
            if yes:
                _start_folder(wb, Path(path), folder_key, yes=True)
            st.rerun()


def last_report(wb: Workbench) -> None:
    """What the last ingest of this session did, until it is put away."""
    job = wb.jobs.get(st.session_state.get(_JOB, 0))
    if job is not None and not job.active:
        del st.session_state[_JOB]
        if job.state == "done":
            st.session_state[_REPORT] = job.result
        elif job.state == "failed":
            literal.problem(job.error, job.hint)
    report = st.session_state.get(_REPORT)
    if report is None:
        return
    counts = ", ".join(f"{n} {s}" for s, n in report.counts().items()) or "nothing to read"
    head = "Would be: " if report.dry_run else "Read: "
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            st.markdown(f"**{head}{counts}**", width="content")
            if st.button("Put away", type="tertiary", icon=":material/close:"):
                del st.session_state[_REPORT]
                st.rerun()
        for d in [d for d in report.documents if d.status == "failed"][:20]:
            literal.note(d.error, d.hint)
        for name, reason in report.skipped[:20]:
            literal.small(f"left out: {name}: {reason}")
        changed = [d for d in report.documents if d.status not in ("unchanged", "failed")]
        if changed:
            st.dataframe(
                [{"document": d.source, "status": d.status} for d in changed[:500]],
                height=min(38 + 35 * len(changed), 220),
            )
