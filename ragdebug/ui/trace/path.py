"""The stages as a path, the one that lost the answer marked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdebug.ui import literal
from ragdebug.workbench.tracing.reports import LATER, LOST, OK, UNKNOWN, WARNING, PathStep
from ragdebug.workbench.tracing.sentences import short

WIDTH_PX = 110
# Colour, icon and word of each status: nothing is said by colour alone.
LOOKS = {
    OK: ("green", ":material/check:", "passed"),
    WARNING: ("orange", ":material/warning:", "odd"),
    UNKNOWN: ("orange", ":material/help:", "cannot know"),
    LOST: ("red", ":material/close:", "lost here"),
    LATER: ("gray", ":material/remove:", ""),
}


def draw(steps: Sequence[PathStep], key: str) -> None:
    """Draw the stages from left to right; they wrap where there is no room."""
    with st.container(horizontal=True, gap="xsmall", key=key):
        for at, step in enumerate(steps):
            _step(step, f"{key}_{at}")


def _step(step: PathStep, key: str) -> None:
    colour, icon, word = LOOKS[step.status]
    with st.container(border=step.status != LATER, width=WIDTH_PX, gap=None, key=key):
        label = literal.plain(step.label, 40)
        head = f":{colour}[{icon}] "
        head += f"**{label}**" if step.status != LATER else f":gray[{label}]"
        st.markdown(head)
        known = short(step)
        parts = [f":{colour}[{word}]"] if step.status in (LOST, WARNING, UNKNOWN) else []
        parts += [f":gray[{literal.plain(known, 60)}]"] if known else []
        if parts:
            st.caption("  \n".join(parts))
