"""Which workspace a session has open.

The shared one is `RAGDEBUG_WORKSPACE` (default ``.ragdebug``). A private one is a folder with a
name that cannot be guessed, beside the shared one; whoever has its link may open it. Another folder
can be opened by path only where the app answers this computer alone.

    open_now() -> Workbench          the one of this session; stops the page with a message if none
    is_shared() -> bool
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.ui import browser, literal, state
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

VARIABLE = "RAGDEBUG_WORKSPACE"
_TOKEN = re.compile(r"[0-9a-f]{24}")


def default_path() -> Path:
    """The workspace that all who open the address share."""
    return Path(os.environ.get(VARIABLE) or ".ragdebug").expanduser().resolve()


def private_root() -> Path:
    """Where private workspaces lie."""
    shared = default_path()
    return shared.with_name(f"{shared.name}-private")


def _close(workbench: Workbench) -> None:
    workbench.close()


@st.cache_resource(max_entries=64, show_spinner=False, on_release=_close)
def _open(path: str) -> Workbench:
    from ragdebug.workbench import Workbench

    return Workbench(path, whose=browser.name)


@st.cache_resource(show_spinner=False)
def _by_token() -> dict[str, str]:
    """Folders opened by path in this process, so that links can name them."""
    return {}


def _resolve(token: str) -> str:
    """Path of a workspace named in a link; "" for the shared one. ValueError when unknown."""
    if not token:
        return ""
    if not _TOKEN.fullmatch(token):
        raise ValueError(token)
    if token in _by_token():
        return _by_token()[token]
    folder = private_root() / token
    if not folder.is_dir():
        raise ValueError(token)
    return str(folder)


def current_path() -> Path:
    """Path of this session's workspace."""
    chosen = st.session_state.get(Key.WORKSPACE_PATH, "")
    return Path(chosen) if chosen else default_path()


def is_shared() -> bool:
    """Whether everybody who opens the address sees this workspace."""
    return not st.session_state.get(Key.WORKSPACE_PATH, "")


def is_private() -> bool:
    """Whether it is a private one, reached only by its link."""
    return current_path().parent == private_root()


def by_path_allowed() -> bool:
    """Whether folders may be opened by path: only where the app answers this computer alone."""
    return st.get_option("server.address") in ("127.0.0.1", "localhost", "::1")


def open_now() -> Workbench:
    """This session's workbench, opened once for the whole process."""
    st.session_state[Key.WORKSPACE_PATH] = state.url_value(Key.WORKSPACE, "", check=_resolve)
    try:
        return _open(str(current_path()))
    except RagDebugError as error:
        literal.problem(error)
        if not is_shared():
            st.button("Back to the shared workspace", on_click=leave)
        st.stop()


def new_private() -> None:
    """Make a private workspace and open it. For callbacks."""
    token = secrets.token_hex(12)
    (private_root() / token).mkdir(parents=True)
    state.put(Key.WORKSPACE, token)


def open_folder(text: str) -> None:
    """Open a folder by its path. For callbacks.

    Raises:
        InvalidSetting: when the folder cannot be a workspace, or paths are not allowed here.
    """
    if not by_path_allowed():
        raise InvalidSetting(
            "Folders can be opened by path only where the app answers this computer alone.",
            hint="Start it with ragdebug --workspace DIR app.",
        )
    path = Path(text.strip()).expanduser().resolve()
    if not text.strip() or path.is_file():
        raise InvalidSetting(f"{text.strip() or 'An empty path'} is not a folder.")
    if path.is_dir() and any(path.iterdir()) and not any(path.glob("*.duckdb")):
        raise InvalidSetting(
            f"{path} holds other files and is not a workspace.", hint="Name an empty or new folder."
        )
    if path == default_path():
        leave()
        return
    token = hashlib.sha256(str(path).encode()).hexdigest()[:24]
    _by_token()[token] = str(path)
    state.put(Key.WORKSPACE, token)


def leave() -> None:
    """Back to the shared workspace. For callbacks."""
    state.put(Key.WORKSPACE, "")
