"""Numbers of the workbench, kept while nothing they depend on changes.

A page runs again with every click; a test over thousands of questions should not. What is kept are
facts of a workspace, the same for all sessions that have it open.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.runs import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdebug.workbench import Workbench

State = tuple[tuple[str, ...], ...]


def state_of(runs: Sequence[Run]) -> State:
    """Changes with anything that a number of these runs depends on, notes and names too."""
    return tuple((r.id, r.state, f"{r.elapsed_s}", r.label, r.note) for r in runs)


def ask(wb: Workbench, use_case: str, runs: State, *args: Hashable) -> Any:  # noqa: ANN401
    """Call a use case of the workbench, or give what it said before.

    Args:
        wb: the workspace.
        use_case: name of the method.
        runs: `state_of` all runs that it looks at.
        args: its arguments; they must tell two answers apart.
    """
    return _ask(str(wb.path), use_case, runs, args, wb)


@st.cache_resource(max_entries=500, show_spinner="Measuring …")
def _ask(
    path: str,  # noqa: ARG001 - a part of the key
    use_case: str,
    runs: State,  # noqa: ARG001
    args: tuple[Hashable, ...],
    _wb: Workbench,
) -> Any:  # noqa: ANN401
    return getattr(_wb, use_case)(*args)
