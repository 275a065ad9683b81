"""The link to what is looked at: the address itself, or a short id where that is too long.

Mail and chat cut addresses of more than about 2,000 characters, without a word. A longer view is
kept in the workspace, and the link names it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import streamlit as st

from ragdebug.ui import literal, state
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_HELP = "The address of what is shown here."
LONGEST = 1800  # characters
_HERE = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # noqa: S104 - compared with, not bound to


def address(wb: Workbench) -> str:
    """The whole address of the view that is drawn, short enough to be sent."""
    base = (st.context.url or "").split("?")[0]
    values = {key: st.query_params.get_all(key) for key in st.query_params}
    pairs = [(key, value) for key, many in values.items() for value in many]
    whole = f"{base}?{urlencode(pairs)}" if pairs else base
    if len(whole) <= LONGEST:
        return whole
    short = [(Key.SHORT, wb.keep_view(values))]
    if workspace := state.peek(Key.WORKSPACE):
        short.append((Key.WORKSPACE, workspace))
    return f"{base}?{urlencode(short)}"


def works_here_only() -> bool:
    """Whether the address leads other computers to themselves."""
    host = urlsplit(st.context.url or "").hostname or ""
    return host in _HERE or host.endswith(".localhost") or host.startswith("127.")


def button(wb: Workbench) -> None:
    """A button that shows the link to whatever the page shows."""
    # Drawn by a run of its own: by then all that the page puts into its address is there.
    if st.button("Link", type="tertiary", icon=":material/link:", key="_link", help=_HELP):
        _dialog(wb)


@st.dialog("Link to this view", icon=":material/link:")
def _dialog(wb: Workbench) -> None:
    st.code(address(wb), language=None, wrap_lines=True)
    if works_here_only():
        st.caption(
            ":material/computer: This link works on this machine only. A case file, from Search or "
            "Trace, and the report of Results are documents that anybody can open."
        )


def follow(wb: Workbench) -> None:
    """Put the values of a short link into the URL, and run again with them."""
    asked = st.query_params.get(Key.SHORT)
    if asked is None:
        return
    view = wb.kept_view(asked)
    if view is None:
        del st.query_params[Key.SHORT]
        literal.note("The view of this link is not kept in this workspace.")
        return
    if workspace := st.query_params.get(Key.WORKSPACE):
        view = {**view, Key.WORKSPACE: [workspace]}
    st.query_params.from_dict(view)
    st.rerun()
