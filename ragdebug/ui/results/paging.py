"""Long tables in pages, so that 5,000 rows cost as little as 50."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

T = TypeVar("T")

SIZE = 50


def page(rows: Sequence[T], key: str, what: str, size: int = SIZE) -> tuple[Sequence[T], int]:
    """Draw ``51–100 of 5,000 questions`` with buttons, and return those rows and the first's place.

    Args:
        rows: all of them.
        key: tells tables apart; give it anew where the rows are others.
        what: what they are, in the plural.
        size: rows on a page.
    """
    held = f"_page_{key}"
    last = max(0, (len(rows) - 1) // size)
    at = min(st.session_state.get(held, 0), last)
    first = at * size
    shown = rows[first : first + size]
    if not last:
        one = what.removesuffix("s")
        st.caption(f"{len(rows):,} {one if len(rows) == 1 else what}" if rows else f"No {what}.")
        return shown, first
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(f"{first + 1:,}–{first + len(shown):,} of {len(rows):,} {what}", width="content")
        for label, to, off in (
            (":material/chevron_left:", at - 1, at == 0),
            (":material/chevron_right:", at + 1, at == last),
        ):
            st.button(
                label,
                key=f"{held}_{'next' if to > at else 'back'}",
                type="tertiary",
                disabled=off,
                help="Further rows" if to > at else "Rows before",
                on_click=_turn,
                args=(held, to),
            )
    return shown, first


def _turn(held: str, to: int) -> None:
    st.session_state[held] = to
