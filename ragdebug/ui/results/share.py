"""Whether the order of runs depends on what counts as found."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.results.view import View

AT_ONCE = 4_000  # questions times runs up to which it is checked unasked
_ASKED = "_results_share_checked"


def draw(view: View) -> None:
    """A sentence for each two runs whose order changes with the share."""
    if len(view.drawn) < 2:
        return
    key = (view.ids, view.measure, view.tag)
    if sum(r.asked for r in view.drawn) > AT_ONCE and st.session_state.get(_ASKED) != key:
        if not st.button(
            "Does the order of the runs depend on what counts as found?",
            type="tertiary",
            icon=":material/swap_vert:",
            key="results_share_check",
            help="Measures every run at 50%, 80%, 90% and 100%.",
        ):
            return
        st.session_state[_ASKED] = key
    check = view.ask("share_check", view.ids, view.measure, view.tag)
    for sentence in check.changes:
        means = " · ".join(
            f"{share:.0%}: "
            + ", ".join(f"{view.names[i]} {check.means[i][at]:.2f}" for i in view.ids)
            for at, share in enumerate(check.shares)
        )
        literal.note(sentence, means)
