"""Changes from buttons and keys: done before the page is drawn, what went wrong said on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

P = ParamSpec("P")
T = TypeVar("T")

_PROBLEM = "_questions_problem"
_SAID = "_questions_said"


def attempt(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Do it; None when it went wrong, which the page then says. For callbacks."""
    try:
        return call(*args, **kwargs)
    except RagDebugError as error:
        st.session_state[_PROBLEM] = error
        return None


def say(text: str) -> None:
    """Say something in passing with the next run. `text` is literal. For callbacks."""
    st.session_state[_SAID] = text


def outcome() -> None:
    """What the last change has to say. Call once a run."""
    if text := st.session_state.pop(_SAID, ""):
        st.toast(literal.plain(text, 160))
    if problem := st.session_state.pop(_PROBLEM, None):
        literal.problem(problem)


def undo_buttons(wb: Workbench) -> None:
    """Undo and redo of one's own changes, with their keys; what they would do is said first."""
    last, next_ = wb.undoable(), wb.redoable()
    st.button(
        "Undo",
        icon=":material/undo:",
        key="questions_undo",
        type="tertiary",
        shortcut="U",
        help=f"Takes back your last change: {literal.plain(last, 120)}."
        if last
        else "There is no change of yours to take back. Those of others are theirs to take back.",
        on_click=undo,
        args=(wb, False),
    )
    st.button(
        "Redo",
        icon=":material/redo:",
        key="questions_redo",
        type="tertiary",
        shortcut="Shift+U",
        help=f"Does again: {literal.plain(next_, 120)}." if next_ else None,
        on_click=undo,
        args=(wb, True),
    )


def undo(wb: Workbench, again: bool) -> None:
    """Take the last change back, or do it again. For callbacks."""
    done = attempt(wb.redo if again else wb.undo)
    if done is not None:
        what = "Done again" if again else "Taken back"
        none = "There is nothing to do again." if again else "There is nothing to take back."
        say(f"{what}: {done}" if done else none)
