"""Whether the order of runs depends on what counts as found."""

from __future__ import annotations

import streamlit as st

from ragdebug.counting import many
from ragdebug.ui import literal
from ragdebug.ui.results import data
from ragdebug.ui.results.view import View

AT_ONCE = 4_000  # questions times runs up to which it is checked unasked
SHOWN = 3  # pairs that are named
_ASKED = "_results_share_checked"


def draw(view: View) -> None:
    """The runs whose order changes with the share, and the means behind a button."""
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
    if not check.changes:
        return
    some = [literal.plain(sentence, 300) for sentence in check.changes[:SHOWN]]
    if (more := len(check.changes) - SHOWN) > 0:
        some.append(f"So does that of {many(more, 'other pair')}.")
    st.warning("  \n".join(some), icon=":material/warning:")
    rows = [
        {
            "run": view.names[i],
            **{f"{s:.0%}": round(m, 3) for s, m in zip(check.shares, check.means[i], strict=True)},
        }
        for i in view.ids
    ]
    data.button(rows, "means_by_share", f"{view.measure} by what counts as found")
