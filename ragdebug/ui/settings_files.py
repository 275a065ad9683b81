"""Settings as a file: out as TOML, and in with a look at what would be added.

settings_files.row(wb, texts, key)      the two buttons
settings_files.show(wb)                 the dialog, once a run
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.sharing import SettingsReport

_OPEN, OPENED = "_settings_open", "_settings_opened"  # now; how often
LARGEST_MB = 5


def row(wb: Workbench, texts: Sequence[str], key: str) -> None:
    """Draw the buttons.

    Args:
        wb: the workspace.
        texts: names or text forms of the strategies that go into the file; without any there is
            only the way in.
        key: of the widgets.
    """
    with st.container(horizontal=True):
        if texts:
            st.download_button(
                "Settings as TOML",
                data=lambda: wb.export_settings(texts).encode(),
                file_name="settings.toml",
                mime="application/toml",
                icon=":material/tune:",
                on_click="ignore",
                key=f"{key}_toml",
                help="Every setting with a word on it. A colleague brings the file in here, or "
                "with: ragdebug settings import settings.toml",
            )
        st.button(
            "Bring settings",
            icon=":material/upload_file:",
            key=f"{key}_bring",
            on_click=_ask,
            help="Strategies of such a file, kept under their names. It shows first what it adds.",
        )


def _ask() -> None:
    st.session_state[_OPEN] = True
    st.session_state[OPENED] = st.session_state.get(OPENED, 0) + 1


def _dismissed() -> None:
    st.session_state[_OPEN] = False


def show(wb: Workbench) -> None:
    """Draw the dialog while it is open. Call once a run."""
    if st.session_state.get(_OPEN):
        _dialog(wb)


@st.dialog("Bring settings", icon=":material/upload_file:", on_dismiss=_dismissed)
def _dialog(wb: Workbench) -> None:
    file = st.file_uploader(
        "A settings file",
        type=["toml"],
        max_upload_size=LARGEST_MB,
        key="settings_file",
        help="Written by Settings as TOML, or by: ragdebug settings export",
    )
    if file is None:
        st.caption("Its strategies are then offered wherever a named strategy can be taken.")
        return
    try:
        report = wb.import_settings(file.getvalue(), file=file.name, dry_run=True)
    except RagDebugError as error:
        literal.problem(error)
        return
    _look(report)
    replace = True
    if report.changed:
        replace = st.checkbox(
            "Replace what has these names here", key="settings_replace", value=False
        )
    models = False
    if report.models_new:
        models = st.checkbox(
            "Add the models too",
            key="settings_models",
            help="Each is asked one fixed sentence at its address. Its key is looked up in the "
            "environment under the name in the file.",
        )
    off = not (report.new or report.changed or models) or not replace
    if st.button("Keep them", type="primary", key="settings_keep", disabled=off):
        try:
            wb.import_settings(file.getvalue(), file=file.name, replace=True, models=models)
        except RagDebugError as error:
            literal.problem(error)
            return
        st.session_state[_OPEN] = False
        st.toast("Kept.", icon=":material/check:")
        st.rerun()


def _look(report: SettingsReport) -> None:
    """What the file would add, by name."""
    kinds = (("New", report.new), ("Replaced", report.changed), ("Here already", report.same))
    for title, names in kinds:
        if names:
            st.markdown(f"**{title}**")
            for name in names:
                with st.container(gap=None):
                    literal.text(literal.one_line(name, 60))
                    literal.small(str(report.strategies[name]))
    for name, model in report.models_new.items():
        literal.small(f"The model {name} is {model.model} at {model.host}; it is not here yet.")
    for name in report.models_missing:
        literal.note(f"The model {name} is not on this machine.", "Fetch it before searching.")
