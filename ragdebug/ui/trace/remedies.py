"""What would bring a passage back: what-if and the usual fixes, when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.questions import LABELLED
from ragdebug.ui.state import Key
from ragdebug.ui.trace.choose import Chosen
from ragdebug.ui.whatif import panel

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def draw(wb: Workbench, chosen: Chosen) -> None:
    """Offer the panel for a question of the set; it searches for all questions once."""
    if not chosen.question.id or chosen.question.state != LABELLED:
        st.caption(
            ":material/tune: What would bring it back can be tried on a labelled question of the "
            "set: keep this one on Search first."
        )
        return
    if st.toggle(
        "What would bring it back",
        key=Key.REMEDIES,
        bind="query-params",
        help="Turn one setting after another, or try the usual fixes; each with what it does to "
        "all other questions.",
    ):
        panel.draw(wb, chosen.question.id, chosen.strategy)
