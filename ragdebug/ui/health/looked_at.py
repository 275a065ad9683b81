"""What is checked: the columns of Search on a chunking and a model, and the kept runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.settings import StrategySettings
from ragdebug.ui import literal
from ragdebug.ui.search import columns, form
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def draw(wb: Workbench) -> list[StrategySettings]:
    """Draw the choices and return the strategies; the settings are those of Search."""
    specs = columns.read()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        cut_place, model_place = st.container(width="content"), st.container(width=230)
        with model_place:
            model = form.model(wb)
        with cut_place:
            cut = form.chunking(wb, model)
        told = st.container()
    k = int(st.session_state.get(Key.TOP) or StrategySettings().k)
    made = columns.build(specs, form.base(max(k, 1), (), cut, model))
    with told:
        literal.small(f"Checked for the columns of Search: {', '.join(c.short for c in made)}.")
    return [c.strategy for c in made]
