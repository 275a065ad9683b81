"""What was taken out on this page: the way back of the last one, and a drawer with all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ragdebug.ui import literal

SHOWN = 50


def remember(part: str, name: str) -> None:
    """Note what this session took out last. For callbacks."""
    st.session_state[_last(part)] = name


def undo(part: str, sentence: Callable[[str], str], bring_back: Callable[[str], object]) -> None:
    """What this session took out last, with the way back.

    Args:
        part: of the page; begins the widgets' keys.
        sentence: name -> what to say of it, as Markdown.
        bring_back: brings it back by its name.
    """
    gone = st.session_state.get(_last(part))
    if not gone:
        return
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", gap="small", key=f"{part}_undo"
    ):
        st.markdown(sentence(gone), width="content")
        if st.button("Undo", icon=":material/undo:", key=f"{part}_undo_button"):
            del st.session_state[_last(part)]
            bring_back(gone)
            st.rerun()


def drawer(
    title: str, part: str, gone: Sequence[tuple[str, str]], bring_back: Callable[[str], object]
) -> None:
    """All that was taken out.

    Args:
        title: of the drawer.
        part: of the page; begins the widgets' keys.
        gone: name and a line of text of each.
        bring_back: brings one back by its name.
    """
    if not gone:
        return

    def clicked(name: str) -> None:
        bring_back(name)

    with st.expander(f"{title} · {len(gone):,}", icon=":material/inventory_2:"):
        for name, line in gone[:SHOWN]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.button(
                    "Bring back",
                    key=f"{part}_back_{name}",
                    icon=":material/undo:",
                    on_click=clicked,
                    args=(name,),
                )
                literal.small(line)


def _last(part: str) -> str:
    return f"_{part}_taken_out"
