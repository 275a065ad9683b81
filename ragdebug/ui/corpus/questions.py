"""Questions that wait for an answer before anything is changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.corpus import reading_in
from ragdebug.ui.corpus.reading_in import QUESTION, Folder, Upload

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def draw(wb: Workbench) -> None:
    """The question that is open in this session, if any."""
    waiting = st.session_state.get(QUESTION)
    if isinstance(waiting, Upload):
        _names(wb, waiting)
    elif isinstance(waiting, Folder):
        _gone(wb, waiting)


def _names(wb: Workbench, waiting: Upload) -> None:
    taken = waiting.taken
    one = len(taken) == 1
    names = ", ".join(literal.code(n, 60) for n in taken[:6])
    more = f" and {len(taken) - 6:,} more" if len(taken) > 6 else ""
    others = len(waiting.files) - len(taken)
    with st.container(border=True, key="corpus_question"):
        st.markdown(
            f":material/help: **{names}{more} {'is' if one else 'are'} already here, with other "
            "content.**"
        )
        st.caption(
            "Replacing takes over the new text everywhere. Keeping both gives the new "
            f"{'one' if one else 'ones'} a number."
        )
        with st.container(horizontal=True):
            replaced = st.button(
                "Replace it" if one else "Replace them", type="primary", key="corpus_replace"
            )
            both = st.button("Keep both", key="corpus_both")
            leave = st.button(
                _leave(others),
                key="corpus_leave",
                help="What is here stays as it is.",
            )
    if not (replaced or both or leave):
        return
    del st.session_state[QUESTION]
    if leave:
        rest = tuple(f for f in waiting.files if _name(f[0]) not in taken)
        if not rest:
            st.rerun()
        reading_in.upload(wb, replace(waiting, files=rest, taken=()))
    how = "replace" if replaced else "keep_both"
    reading_in.upload(wb, replace(waiting, on_conflict=how, taken=()))


def _leave(others: int) -> str:
    if others < 1:
        return "Leave it"
    return "Add only the other one" if others == 1 else f"Add only the other {others:,}"


def _name(given: str) -> str:
    return PurePosixPath(given.replace("\\", "/")).name


def _gone(wb: Workbench, waiting: Folder) -> None:
    with st.container(border=True, key="corpus_question"):
        st.markdown(f":material/help: **{literal.plain(waiting.gone, 400)}**")
        st.caption(
            f"Read from {literal.code(waiting.path, 120)}. Perhaps a disk is not mounted, or "
            "another folder was meant. Documents that are taken out can be brought back."
        )
        with st.container(horizontal=True):
            yes = st.button("Take them out", type="primary", key="corpus_gone_yes")
            look = st.button("Show what would change", key="corpus_gone_look")
            no = st.button("Do nothing", key="corpus_gone_no")
    if not (yes or look or no):
        return
    if not look:
        del st.session_state[QUESTION]
    if yes:
        reading_in.folder(wb, replace(waiting, yes=True, gone=""))
    if look:
        reading_in.folder(wb, replace(waiting, dry_run=True, gone=""))
    st.rerun()
