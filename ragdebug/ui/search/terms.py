"""Under the query: its terms as they are looked up, with the number of chunks that hold each."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdebug.records import TermInfo
from ragdebug.ui.components.passage import Mark, passage

MOST = 60


def line(terms: Sequence[TermInfo]) -> tuple[str, list[Mark]]:
    """The text of the line and its marks.

    A stop word is grey; a term that no chunk holds is struck; a term that differs from the word it
    came from stands behind an arrow.
    """
    text, marks = "", []
    for term in terms[:MOST]:
        text += "   " if text else ""
        start = len(text)
        if not term.term:
            text += term.surface
            marks.append(Mark(start, len(text), "label"))
            continue
        text += term.surface
        if term.term != term.surface.casefold():
            text += f" → {term.term}"
        marks.append(Mark(start, len(text), "term" if term.frequency else "zero"))
        text += f" {term.frequency:,}"
    if len(terms) > MOST:
        text += f"   and {len(terms) - MOST} more"
    return text, marks


def draw(terms: Sequence[TermInfo] | None) -> None:
    """Draw the line. It is always there, so that what stands beside it stays where it is."""
    if not terms:
        st.caption("looking up the words …" if terms is None else "No words to look up.")
        return
    text, marks = line(terms)
    passage(text, key="search_terms", marks=marks, small=True, box=False)
