"""Documents in: upload files or a zip, or name a folder that stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.documents.options import ParseOptions
from ragdebug.errors import RagDebugError
from ragdebug.settings import parse_pairs
from ragdebug.ui import literal, start, workspaces
from ragdebug.ui.corpus import columns, questions, reading_in, report
from ragdebug.ui.corpus.reading_in import Folder, Upload

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

KINDS = "Markdown, text, HTML, PDF, DOCX, CSV, JSON, code, or a zip of them"


def draw(wb: Workbench, *, empty: bool) -> None:
    """Questions that wait, the ways in (open when there is nothing yet), what came of it."""
    busy = bool(wb.jobs.active("ingest"))
    if empty and not busy:
        with st.container(
            border=True,
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
        ):
            st.markdown(
                "**No documents yet.** Add your own below, or look around with a small handbook.",
                width="content",
            )
            if st.button(
                "Load the sample corpus",
                type="primary",
                icon=":material/local_cafe:",
                help="About twenty files of a made-up company that rents coffee machines.",
            ):
                start.load_sample(wb)
                st.rerun()
    report.collect(wb)
    questions.draw(wb)
    with st.expander(
        "Add documents",
        expanded=empty and not busy,
        icon=":material/upload_file:",
        key="corpus_add",
    ):
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
    report.draw(wb)


def _upload(wb: Workbench) -> None:
    # A new key after each ingest empties the field, so that no rerun reads the files again.
    files = st.file_uploader(
        KINDS,
        accept_multiple_files=True,
        key=f"_corpus_files_{reading_in.round_()}",
        help="Several at once. A single file may have 100 MB, a zip of several 200.",
    )
    if not files:
        return
    by_name = columns.choose(wb, files)
    with st.expander("Metadata, password, encoding", icon=":material/tune:"):
        left, right = st.columns(2)
        pairs = left.text_area(
            "Metadata of these files, one key=value a line",
            placeholder="tenant=acme\nproduct=Kettle",
            height=118,
            key="_corpus_meta",
            persist_state="session",
        )
        password = right.text_input(
            "Password of protected files", type="password", key="_corpus_password"
        )
        encoding = right.text_input(
            "Encoding of text files",
            placeholder="guessed; such as cp1252 or utf-16",
            key="_corpus_encoding",
        )
    try:
        metadata = dict(parse_pairs((p for p in pairs.splitlines() if p.strip()), "metadata"))
        options = ParseOptions(password=password, encoding=encoding.strip())
        own = {
            name: ParseOptions(password=password, encoding=encoding.strip(), **values)
            for name, values in by_name.items()
        }
    except RagDebugError as error:
        literal.problem(error)
        return
    if st.button(
        f"Add {len(files):,} file{'s' if len(files) > 1 else ''}",
        type="primary",
        icon=":material/add:",
        key="corpus_add_files",
    ):
        given = tuple((f.name, f.getvalue()) for f in files)
        reading_in.upload(wb, Upload(given, options, own, metadata))


def _folder(wb: Workbench) -> None:
    with st.form("corpus_folder", border=False):
        path = st.text_input(
            "Folder, file or zip",
            placeholder="/home/me/handbook",
            key="_corpus_path",
            persist_state="session",
            help="It stays where it is. Reading it again takes over what changed, and takes out "
            "what is gone.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            key = st.text_input(
                "First folder below is",
                placeholder="tenant",
                key="_corpus_folder_key",
                persist_state="session",
                help="Metadata key whose value is the name of the first folder; may be empty.",
                width=220,
            )
            look = st.form_submit_button("Show what would change", icon=":material/difference:")
            go = st.form_submit_button("Read", type="primary", icon=":material/add:")
    if not path.strip() or not (look or go):
        return
    reading_in.folder(wb, Folder(path.strip(), key.strip(), dry_run=look))
