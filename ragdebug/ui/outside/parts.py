"""The parts of the page, one at a time; which one is in the link."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui.outside import pieces

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

PARTS: dict[str, tuple[str, Callable[[Workbench], None]]] = {
    "chunks": ("Chunks", pieces.draw),
}
KEY = "part"


def draw(wb: Workbench) -> None:
    """Choose a part and draw it."""
    names = list(PARTS)
    chosen = st.segmented_control(
        "Part",
        names,
        default=names[0],
        format_func=lambda name: PARTS[name][0],
        key=KEY,
        bind="query-params",
        label_visibility="collapsed",
    )
    PARTS[chosen or names[0]][1](wb)
