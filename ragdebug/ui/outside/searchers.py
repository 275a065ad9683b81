"""Somebody's own search as a column: a function or an address, tried out before it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal, state
from ragdebug.ui.outside import searcher_form, taken_out, trial

if TYPE_CHECKING:
    from ragdebug.settings import SearcherSettings
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.outside.registering import SearcherRow

_SAID = "_outside_searchers_said"
_PART = "searcher"
_TRIED = "_outside_searchers_tried"  # (name, trial or error)


def draw(wb: Workbench) -> None:
    """The registered searchers and the way to add one."""
    rows = wb.searchers()
    if not rows:
        st.markdown(
            "**No searcher of yours yet.** A Python function `search(query, k, filter)` or an HTTP"
            " address becomes one more column on Search and one more strategy on Results. Its hits"
            " are placed in the documents here, so that they line up with the other lists. An error"
            " or a slow answer stays in its own column."
        )
    _said()
    taken_out.undo(
        _PART, lambda name: f"{literal.plain(name, 60)} is out of use.", wb.restore_searcher
    )
    for row in rows:
        _searcher(wb, row)
    changing = searcher_form.loaded()
    title = f"Change {literal.plain(changing, 60)}" if changing else "Add a searcher"
    with st.expander(
        title,
        expanded=not rows or bool(changing),
        icon=":material/edit:" if changing else ":material/add:",
        key=f"outside_searcher_form_{changing}",
    ):
        searcher_form.draw(wb)
    gone = [r.settings for r in wb.searchers(removed=True)]
    taken_out.drawer(
        "Taken out",
        _PART,
        [(s.name, f"{s.name} · {s.where}") for s in gone],
        wb.restore_searcher,
    )


def added(settings: SearcherSettings) -> None:
    """Say in the next run that a searcher was added."""
    st.session_state[_SAID] = f"{settings.name} is here. Add the column searcher:{settings.name}."


def _said() -> None:
    if sentence := st.session_state.pop(_SAID, ""):
        st.success(literal.plain(sentence, 300), icon=":material/check:")


def _searcher(wb: Workbench, row: SearcherRow) -> None:
    s = row.settings
    with st.container(border=True, gap="small", key=f"outside_searcher_{s.name}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            with st.container(gap="xxsmall", width="stretch"):
                st.markdown(f"**{literal.plain(s.name, 60)}** · {s.kind}")
                literal.small(" · ".join(filter(None, [s.where, row.would_run])))
            with st.container(
                horizontal=True, width="content", gap="small", vertical_alignment="center"
            ):
                _buttons(wb, row)
        for name in row.missing:
            st.caption(
                f":orange[:material/key_off:] {literal.plain(name, 60)} is not set where this app"
                " runs."
            )
        if not row.agreed:
            _agree(wb, row)
        _try(wb, row)


def _buttons(wb: Workbench, row: SearcherRow) -> None:
    st.page_link(
        state.SEARCH,
        label="Search",
        icon=":material/search:",
        query_params=state.search_params("", columns=f"searcher:{row.settings.name},hybrid"),
    )
    st.button(
        "Change",
        key=f"outside_change_{row.settings.name}",
        icon=":material/edit:",
        type="tertiary",
        on_click=searcher_form.load,
        args=(row.settings,),
    )
    st.button(
        "Take out",
        key=f"outside_drop_searcher_{row.settings.name}",
        icon=":material/remove_circle:",
        type="tertiary",
        on_click=_remove,
        args=(wb, row.settings.name),
    )


def _agree(wb: Workbench, row: SearcherRow) -> None:
    """A workspace may come from somebody else: its code and addresses wait for a yes."""
    s = row.settings
    what = (
        f"run the code of {s.target}" + (f" ({row.would_run})" if row.would_run else "")
        if s.kind == "python"
        else f"send queries to {s.where}"
        + (f" with the value of {' and '.join(s.environment)}" if s.environment else "")
    )
    literal.note(f"Nobody at this machine has agreed to {what}. Until then it is not asked.")
    st.button(
        "Agree",
        key=f"outside_agree_{s.name}",
        icon=":material/verified_user:",
        help="Only if you know where it comes from. It holds until the app is started again.",
        on_click=_allow,
        args=(wb, s.name),
    )


def _allow(wb: Workbench, name: str) -> None:
    try:
        wb.allow_searcher(name, on_page=True)
    except RagDebugError as error:
        st.session_state[_TRIED] = (name, error)


def _try(wb: Workbench, row: SearcherRow) -> None:
    name = row.settings.name
    tried, outcome = st.session_state.get(_TRIED, ("", None))
    with st.expander(
        "Try it", icon=":material/play_arrow:", expanded=tried == name, key=f"outside_trying_{name}"
    ):
        _ask(wb, row)


def _ask(wb: Workbench, row: SearcherRow) -> None:
    name = row.settings.name
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        query = st.text_input(
            "Ask it",
            key=f"_outside_ask_{name}",
            placeholder="ask it something",
            label_visibility="collapsed",
            width="stretch",
        )
        pressed = st.button(
            "Ask",
            key=f"outside_try_searcher_{name}",
            icon=":material/play_arrow:",
            disabled=not row.agreed,
        )
    if pressed and not query.strip():
        literal.small("Type what to ask it first.")
    elif pressed:
        st.session_state[_TRIED] = (name, trial.ask(wb, name, query))
    tried, outcome = st.session_state.get(_TRIED, ("", None))
    if tried == name and outcome is not None:
        trial.draw(outcome, f"outside_trial_{name}")


def _remove(wb: Workbench, name: str) -> None:
    if wb.remove_searcher(name):
        taken_out.remember(_PART, name)
