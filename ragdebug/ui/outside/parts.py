"""The parts of the page, one at a time; which one is in the link."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import state
from ragdebug.ui.outside import lists, models, pieces, searchers

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

PARTS: dict[str, tuple[str, Callable[[Workbench], None]]] = {
    "chunks": ("Chunks", pieces.draw),
    "models": ("Models", models.draw),
    "lists": ("Result lists", lists.draw),
    "searchers": ("Searchers", searchers.draw),
}
PART = "part"  # in the URL
_CONTROL = "_outside_part"


def draw(wb: Workbench) -> None:
    """Choose a part and draw it."""
    names = list(PARTS)
    chosen = state.url_value(PART, names[0], check=state.one_of(*names))
    st.session_state[_CONTROL] = chosen
    st.segmented_control(
        "Part",
        names,
        format_func=lambda name: PARTS[name][0],
        key=_CONTROL,
        on_change=_picked,
        label_visibility="collapsed",
        width="content",
    )
    PARTS[chosen][1](wb)


def _picked() -> None:
    state.put(PART, st.session_state[_CONTROL] or next(iter(PARTS)))
