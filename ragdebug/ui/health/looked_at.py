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

FEWEST_K = 1


def draw(wb: Workbench) -> list[StrategySettings]:
    """Draw the choices and return the strategies; the settings are those of Search."""
    specs = columns.read()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        cut_place, model_place = st.container(width="content"), st.container(width=230)
        with model_place:
            model = form.model(wb)
        with cut_place:
            cut = form.chunking(wb, model)
        literal.small(
            "Checked for the columns of Search: "
            + ", ".join(columns.TITLES[s.preset] for s in specs)
            + "."
        )
    k = int(st.session_state.get(Key.TOP) or StrategySettings().k)
    base = form.base(max(k, FEWEST_K), (), cut, model)
    return [c.strategy for c in columns.build(specs, base)]
