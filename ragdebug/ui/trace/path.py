"""The stages as a path, the one that lost the answer marked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdebug.ui.components.stages import Stage, stages
from ragdebug.workbench.tracing.reports import LATER, LOST, OK, UNKNOWN, WARNING, PathStep
from ragdebug.workbench.tracing.sentences import short

# Sign and word of each status: nothing is said by colour alone.
LOOKS = {
    OK: ("✓", ""),
    WARNING: ("!", "odd"),
    UNKNOWN: ("?", "cannot know"),
    LOST: ("✕", "lost here"),
    LATER: ("–", ""),
}


def draw(steps: Sequence[PathStep], key: str) -> None:
    """Draw the stages from left to right."""
    with st.container(key=key):
        stages([drawn(step) for step in steps], key=f"{key}_steps")


def drawn(step: PathStep) -> Stage:
    """A stage as it is drawn."""
    sign, word = LOOKS[step.status]
    known = short(step)
    return Stage(step.label, step.status, sign, word, known if known != word else "")
