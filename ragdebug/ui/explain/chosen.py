"""What a person chose to look at in the panel; it stands in the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from ragdebug.ui import state
from ragdebug.ui.explain.asked import KINDS, Asked

KIND, BESIDE, LIST = "why", "beside", "why_in"  # names in the URL
NOTHING, EXPECTED = "nothing", "Expected passage"
_NOTHING, _EXPECTED = "none", "expected"  # the same in the URL; a hit stands there as its rank


def kind(asked: Asked, key: str) -> str:
    """Let a person choose among the explanations of a strategy; the first one at first."""
    by_text = {k.lower(): k for k in asked.kinds}
    wanted = state.url_value(KIND, "", check=state.one_of("", *(k.lower() for k in KINDS)))
    chosen = by_text.get(wanted, asked.kinds[0])
    if len(asked.kinds) == 1:
        return chosen
    return _segments("Explanation", asked.kinds, chosen, KIND, f"{key}_kind", _lower)


def list_of(names: Mapping[str, str], key: str) -> str:
    """Let a person choose the list of a passage.

    Args:
        names: column name -> what the page calls it; the first one at first.
        key: of the widget.

    Returns:
        A column name.
    """
    first = next(iter(names))
    wanted = state.url_value(LIST, "", check=state.short_text)
    by_title = {title: name for name, title in names.items()}
    shown = names[wanted if wanted in names else first]
    title = _segments("List", list(by_title), shown, LIST, f"{key}_list", by_title.get)
    return by_title[title]


def beside(titles: Sequence[str], first: str, key: str) -> str:
    """Let a person choose what stands beside a hit.

    Args:
        titles: those to choose from: `NOTHING`, `EXPECTED`, ``#3``.
        first: the one at first.
        key: of the widget.
    """
    by_text = {_text(title): title for title in titles}
    wanted = state.url_value(BESIDE, "", check=state.short_text)
    chosen = by_text.get(wanted, first)
    name = f"{key}_beside"
    st.session_state[name] = chosen
    picked = st.selectbox(
        "Beside it",
        titles,
        key=name,
        format_func=lambda title: f"beside it: {title}",
        label_visibility="collapsed",
        width=220,
        on_change=lambda: state.put(BESIDE, _text(st.session_state[name])),
    )
    return picked if picked in titles else chosen


def _segments(
    label: str,
    options: Sequence[str],
    chosen: str,
    url_key: str,
    name: str,
    text_of: Callable[[str], str | None],
) -> str:
    def picked() -> None:
        if (one := st.session_state[name]) is not None:
            state.put(url_key, text_of(one) or "")

    st.session_state[name] = chosen
    st.segmented_control(
        label,
        options,
        key=name,
        label_visibility="collapsed",
        width="content",
        on_change=picked,
    )
    return chosen


def _lower(kind_: str) -> str:
    return kind_.lower()


def _text(title: str) -> str:
    return {NOTHING: _NOTHING, EXPECTED: _EXPECTED}.get(title, title.removeprefix("#"))
