"""One run out of several, in the URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ragdebug.ui import state


def run(
    label: str,
    options: Sequence[str],
    key: str,
    names: Mapping[str, str],
    default: str,
    help: str | None = None,  # noqa: A002 - as Streamlit calls it
) -> str:
    """Draw the choice and return it.

    Args:
        label: of the widget.
        options: ids.
        key: name in the URL.
        names: what the ids are called.
        default: id that is chosen when the URL names none of them.
        help: a tooltip.
    """
    asked = state.url_value(key, "", check=state.short_text)
    widget = f"_results_{key}"
    st.session_state[widget] = asked if asked in options else default

    def changed() -> None:
        state.put(key, st.session_state[widget])

    st.selectbox(
        label,
        options,
        format_func=lambda i: names.get(i, i),
        key=widget,
        on_change=changed,
        help=help,
        width=300,
    )
    return str(st.session_state[widget])
