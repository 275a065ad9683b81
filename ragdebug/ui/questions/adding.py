"""Questions in: pasted lines, files, the sample questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.counting import many
from ragdebug.places import app_folder
from ragdebug.settings import parse_pairs
from ragdebug.ui import literal, start, state, workspaces
from ragdebug.ui.questions import doing, place, report

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_ROUND = "_questions_add_round"
_LINES = "questions_lines"
_AUTO = "auto"


def draw(wb: Workbench, *, empty: bool) -> None:
    """The ways in; open when there are no questions yet."""
    with st.expander(
        "Add questions", expanded=empty, icon=":material/add_circle:", key="questions_add"
    ):
        names = ["Paste", "Import files"]
        if by_path := workspaces.by_path_allowed():
            names.append("A file or folder on this machine")
        tabs = st.tabs(names)
        with tabs[0]:
            _paste(wb)
        with tabs[1]:
            _upload(wb)
        if by_path:
            with tabs[2]:
                _path(wb)
    report.draw(wb)


def first_steps(wb: Workbench) -> None:
    """What to do when there is no question at all."""
    if not wb.corpus().documents:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(
                "There are no documents yet. Questions can be collected; what answers them is "
                "marked in documents.",
                width="content",
            )
            st.page_link(state.CORPUS, label="Add documents", icon=":material/upload_file:")
    if wb.questions(removed=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("All questions were taken out.", width="content")
            doing.undo_buttons(wb)
    left, right = st.columns(2, gap="small")
    with left.container(border=True, height="stretch"):
        st.markdown("**Start with the questions that were answered wrongly**")
        st.caption(
            "Twenty real ones tell more than a thousand made-up ones. Paste them below, a line "
            "each, or keep them from a search."
        )
        st.page_link(state.SEARCH, label="Search", icon=":material/search:")
    with right.container(border=True, height="stretch"):
        if sample() is not None and start.has_sample(wb):
            st.markdown("**Or look around with the sample questions**")
            st.caption("Questions on the sample corpus, each with the passage that answers it.")
            sample_button(wb)
        else:
            st.markdown("**A label is a place in a document**")
            st.caption(
                "Mark the sentences that answer, in a document or on a hit. The label outlives "
                "every new chunking, and moves with its quote when the document changes."
            )


def sample() -> Path | None:
    """The file of sample questions, None where the installation has none."""
    try:
        file = app_folder() / "data" / "questions" / "questions.jsonl"
    except Exception:  # the app's own files are missing, which other pages say
        return None
    return file if file.is_file() else None


def sample_button(wb: Workbench) -> None:
    """The button that takes the sample questions in."""
    st.button(
        "Load the sample questions",
        type="primary",
        icon=":material/local_cafe:",
        key="questions_sample",
        on_click=_load_sample,
        args=(wb,),
    )


def _load_sample(wb: Workbench) -> None:
    file = sample()
    if file is not None:
        _import(wb, [(file.name, file)], _AUTO)


def _paste(wb: Workbench) -> None:
    with st.form("questions_paste", border=False, clear_on_submit=True):
        text = st.text_area(
            "Questions, one a line",
            key=_LINES,
            height=130,
            placeholder="how do I get my money back after a year?\nwhat does ERR_4021 mean?",
            help="Lines of a log, as they were asked. Blank and repeated ones are skipped.",
        )
        add = st.form_submit_button("Add these lines", type="primary", icon=":material/add:")
    if add:
        if not (text or "").strip():
            literal.note("There are no lines yet.", "Paste one question a line.")
            return
        made = doing.attempt(wb.add_lines, text)
        if made is not None:
            doing.say(
                f"{many(len(made), 'question')} added."
                if made
                else "Nothing was added: all of these lines are here already."
            )
        st.rerun()


def _format(wb: Workbench, key: str) -> str:
    formats = wb.question_formats()
    chosen = st.selectbox(
        "Format",
        [_AUTO, *formats],
        key=key,
        format_func=lambda f: "tell by the file" if f == _AUTO else f"{f}: {formats[f]}",
        width=420,
    )
    return str(chosen or _AUTO)


def _upload(wb: Workbench) -> None:
    # A new key after each import empties the field, so that no rerun reads the files again.
    files = st.file_uploader(
        "JSONL, CSV, TSV, text, spans, topics; a folder of BEIR or TREC as a zip or as its files",
        accept_multiple_files=True,
        key=f"_questions_files_{st.session_state.get(_ROUND, 0)}",
        help="Columns: question, source, quote, need, start, end, page, section, tags, id, notes. "
        "Only the question is needed. Taking the same file in again changes nothing.",
    )
    chosen = _format(wb, "_questions_format")
    columns = _columns(wb, files)
    if files and st.button(
        f"Import {many(len(files), 'file')}",
        type="primary",
        icon=":material/add:",
        key="questions_import",
    ):
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
        _import(wb, [(f.name, f.getvalue()) for f in report.together(files)], chosen, columns)
        st.rerun()


def _columns(wb: Workbench, files: Sequence[report.File]) -> dict[str, str]:
    """Which columns hold what, chosen by hand where no column is called question."""
    found = ((f, wb.unknown_columns(f.getvalue(), f.name)) for f in files)
    file, names = next(((f, names) for f, names in found if names), (None, ()))
    if file is None:
        return {}
    st.caption(
        f"No column of {literal.plain(file.name, 60)} is called question. Which one holds it?"
    )
    with st.container(horizontal=True, gap="small"):
        chosen = {
            ours: st.selectbox(
                ours.capitalize(),
                names,
                index=0 if ours == "question" else None,
                format_func=lambda name: literal.one_line(name, 60),
                placeholder="none",
                key=f"_questions_column_{ours}",
                width=200,
            )
            for ours in ("question", "source", "quote")
        }
    return {ours: str(theirs) for ours, theirs in chosen.items() if theirs}


def _path(wb: Workbench) -> None:
    with st.form("questions_path", border=False):
        path = st.text_input(
            "File or folder",
            placeholder="/home/me/questions.csv",
            key="_questions_path",
            persist_state="session",
        )
        chosen = _format(wb, "_questions_path_format")
        named = st.text_input(
            "Columns of other names",
            placeholder="question=Frage, source=Datei, quote=Textstelle",
            key="_questions_path_columns",
            persist_state="session",
            help="Of a table that calls them otherwise: our name=its name.",
        )
        go = st.form_submit_button("Import", type="primary", icon=":material/add:")
    if go and path.strip():
        parts = [part.strip() for part in (named or "").split(",") if part.strip()]
        columns = doing.attempt(parse_pairs, parts, "column")
        if columns is not None:
            source = Path(path.strip()).expanduser()
            _import(wb, [(path.strip(), source)], chosen, dict(columns))
        st.rerun()


def _import(
    wb: Workbench,
    sources: Sequence[tuple[str, Any]],
    format_: str,
    columns: Mapping[str, str] | None = None,
) -> None:
    place.go()
    for name, source in sources:
        called = name if isinstance(source, bytes) else ""
        made = doing.attempt(wb.import_questions, source, format_, columns, name=called)
        if made is not None:
            report.remember(Path(name).name, made)
