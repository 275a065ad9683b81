"""What every page has in common.

First statement of each page and of app.py, after the imports:

    from ragdebug.ui import frame

    wb = frame.page("Search", icon=":material/search:")

It sets the page up, draws sidebar and header, and gives the workbench of the session's workspace.
Pages are found by Streamlit in `pages/`; `st.navigation` must not be called.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

import ragdebug
from ragdebug.errors import RagDebugError, StoreError
from ragdebug.ui import jobs, keys, links, literal, menu, state, workspaces

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

FAVICON = Path(__file__).with_name("favicon.svg")
ABOUT = "A workbench for debugging retrieval: see what was searched, what was found, and where the \
right passage was lost."


def page(title: str, icon: str = "", lead: str = "") -> Workbench:
    """Set up a page and return the workbench.

    Args:
        title: heading, and name of the browser tab.
        icon: a Material icon beside the heading, such as ``:material/search:``.
        lead: one short sentence under the heading.
    """
    st.set_page_config(
        page_title=f"{title} · ragdebug",
        # A file of ours: icons given by name are fetched from the network by the browser.
        page_icon=str(FAVICON),
        layout="wide",
        # An entry of our own is what makes the menu, with the choice of light and dark, appear.
        menu_items={"About": ABOUT, "Get help": None, "Report a bug": None},
    )
    keys.use_secrets()
    state.begin(title)
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.title(title, icon=icon or None, anchor=False, width="content")
        badge = st.container(
            width="content", horizontal=True, vertical_alignment="center", gap="small"
        )
    if lead:
        st.caption(lead)
    workbench = workspaces.open_now()
    with badge:
        _badge()
    with st.sidebar:
        menu.draw()
        _workspace()
        jobs.show(workbench)
        st.caption(f"ragdebug {ragdebug.__version__}")
    _stop_if_unusable(workbench)
    links.follow(workbench)
    with badge:
        links.button(workbench)
    return workbench


def _stop_if_unusable(workbench: Workbench) -> None:
    """Say what is wrong with a workspace that cannot be opened, in place of the page.

    The sidebar is there already, so that another one can be chosen.
    """
    try:
        workbench.corpus()
    except StoreError as error:
        literal.problem(error)
        st.stop()


def _badge() -> None:
    name = literal.plain(workspaces.current_path().name, 40)
    if workspaces.is_shared():
        st.caption(f":material/group: {name} · shared by all who open this address")
    elif workspaces.is_private():
        st.caption(":material/lock: private workspace · only for those who have its link")
    else:
        st.caption(f":material/folder: {name} · opened by its path")


def _workspace() -> None:
    private = workspaces.is_private()
    with (
        st.popover(
            "Private" if private else literal.plain(workspaces.current_path().name, 18),
            icon=":material/lock:" if private else ":material/group:",
            width="stretch",
            help="Documents, indexes and results lie in a workspace.",
        ),
        st.container(width=360),
    ):
        st.caption("Open now")
        st.code(str(workspaces.current_path()), language=None, wrap_lines=True)
        if workspaces.is_shared():
            st.caption(
                "Documents and results here are seen by all who open this address. Your query and "
                "settings are yours alone."
            )
        else:
            st.button(
                "Back to the shared workspace",
                icon=":material/group:",
                on_click=workspaces.leave,
                width="stretch",
            )
        st.button(
            "New private workspace",
            icon=":material/lock:",
            on_click=workspaces.new_private,
            help="Empty. Only those to whom you give its link can open it.",
            width="stretch",
        )
        if workspaces.by_path_allowed():
            st.text_input(
                "Open another folder",
                key="_other_folder",
                placeholder="/path/to/workspace",
                on_change=_open_other,
            )
            if problem := st.session_state.pop("_other_problem", None):
                literal.problem(problem)


def _open_other() -> None:
    text = st.session_state.get("_other_folder", "")
    if not text.strip():
        return
    try:
        workspaces.open_folder(text)
    except RagDebugError as error:
        st.session_state["_other_problem"] = error
    else:
        st.session_state["_other_folder"] = ""
