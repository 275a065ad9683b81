"""Which columns of tables and records are text, name and metadata: guessed, then chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from ragdebug.documents.columns import ColumnGuess
    from ragdebug.workbench import Workbench

TABULAR = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
MOST = 8  # tables with a form of their own; the others are read as guessed
ROWS = {"documents": "A document a row", "table": "One document, a table"}
_GUESSES = "_corpus_guesses"


def choose(wb: Workbench, files: Sequence[UploadedFile]) -> dict[str, dict[str, Any]]:
    """Draw a form for each table; returns name -> fields of `ParseOptions` that were chosen."""
    tables = [f for f in files if f.name.lower().removesuffix(".gz").endswith(TABULAR)]
    guesses = _guesses(wb, tables[:MOST])
    chosen: dict[str, dict[str, Any]] = {}
    for at, file in enumerate(tables[:MOST]):
        guess = guesses[file.file_id]
        if isinstance(guess, RagDebugError):
            literal.note(guess.message, guess.hint)
        elif guess.columns:
            with st.expander(
                f"Columns of {literal.plain(file.name, 60)}",
                expanded=at == 0,
                icon=":material/view_column:",
                key=f"_columns_{file.file_id}",
            ):
                chosen[file.name] = _form(file.file_id, guess)
    if len(tables) > MOST:
        st.caption(f"{len(tables) - MOST:,} more tables are read as guessed.")
    return chosen


def _guesses(
    wb: Workbench, tables: Sequence[UploadedFile]
) -> Mapping[str, ColumnGuess | RagDebugError]:
    """A guess for each file, made once."""
    before = st.session_state.get(_GUESSES, {})
    guesses = {f.file_id: before[f.file_id] for f in tables if f.file_id in before}
    for file in tables:
        if file.file_id not in guesses:
            try:
                guesses[file.file_id] = wb.guess_columns(file.name, file.getvalue())
            except RagDebugError as error:
                guesses[file.file_id] = error
    st.session_state[_GUESSES] = guesses
    return guesses


def _form(file: str, guess: ColumnGuess) -> dict[str, Any]:
    rows = st.segmented_control(
        "Read as",
        list(ROWS),
        format_func=ROWS.__getitem__,
        default="documents",
        required=True,
        key=f"_rows_{file}",
        help="A row a document: each row is found by itself. One table: rows keep their "
        "neighbours, and the header is repeated where it is cut.",
    )
    if rows == "table":
        _sample(guess)
        return {"rows": "table"}
    left, middle, right = st.columns(3)
    text = left.multiselect("Text", guess.columns, default=list(guess.text), key=f"_text_{file}")
    names = list(guess.columns) if guess.id else ["", *guess.columns]
    name = middle.selectbox(
        "Rows are named by",
        names,
        index=names.index(guess.id),
        format_func=lambda n: n or "their number",
        key=f"_id_{file}",
    )
    metadata = right.multiselect(
        "Metadata", guess.columns, default=list(guess.metadata), key=f"_metadata_{file}"
    )
    _sample(guess)
    labels = [literal.plain(c, 40) for c in (*guess.codes, guess.title) if c and c not in text]
    if labels:
        st.caption(f"Chunks of a row are labelled with {' and '.join(labels)}: searched as well.")
    # Only what differs from the guess, so that the same file read twice is read the same way.
    values: dict[str, Any] = {}
    if text and tuple(text) != tuple(guess.text):
        values["text_columns"] = tuple(text)
    if name and name != guess.id:
        values["id_column"] = name
    if values or tuple(metadata) != tuple(guess.metadata):
        values["metadata_columns"] = tuple(metadata)
    return values


def _sample(guess: ColumnGuess) -> None:
    if guess.sample:
        rows = [{c: row.get(c, "") for c in guess.columns} for row in guess.sample[:3]]
        st.dataframe(rows, hide_index=True, height="content")
