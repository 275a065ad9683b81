"""The widgets of a chunking, the same on every page.

    settings = chunking_form.draw()              shared by Chunks and Search, in the URL
    other = chunking_form.draw(suffix="_b")      a second one to compare with

Returns valid `ChunkingSettings`; an impossible combination is said under the widgets, and the
nearest possible one is used until it is mended.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ragdebug.errors import InvalidSetting
from ragdebug.settings import CHUNKERS, ChunkingSettings
from ragdebug.ui import literal
from ragdebug.ui.state import Key

ABOUT = {
    "structure": "Headings first, then paragraphs, list items and sentences; tables and code whole "
    "while they fit.",
    "recursive": "Tries paragraph breaks, then lines, sentences and words.",
    "sentences": "Whole sentences until the size is reached.",
    "fixed": "The same size everywhere, whatever is cut.",
    "document": "Every document is one chunk.",
}
LARGEST = 8192


def draw(suffix: str = "", base: ChunkingSettings | None = None) -> ChunkingSettings:
    """Draw the widgets in one row and return the settings.

    Args:
        suffix: tells several forms apart, in keys and in the URL.
        base: settings to start from when neither session nor link has any.
    """
    start = base or ChunkingSettings()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        strategy = st.selectbox(
            "Chunking",
            CHUNKERS,
            index=CHUNKERS.index(start.strategy),
            key=Key.CHUNKER + suffix,
            bind="query-params",
            help="  \n".join(f"**{name}**: {text}" for name, text in ABOUT.items()),
            width=150,
        )
        whole = strategy == "document"
        size = st.number_input(
            "Size",
            1,
            LARGEST,
            start.size,
            step=10,
            key=Key.SIZE + suffix,
            bind="query-params",
            disabled=whole,
            help="The most a chunk's own text may have. The label comes on top.",
            width=120,
        )
        overlap = st.number_input(
            "Overlap",
            0,
            LARGEST,
            start.overlap,
            step=5,
            key=Key.OVERLAP + suffix,
            bind="query-params",
            disabled=whole,
            help="How much of a chunk the next one repeats. It never crosses a heading.",
            width=120,
        )
        unit = st.selectbox(
            "Counted in",
            ("tokens", "chars"),
            index=("tokens", "chars").index(start.unit),
            key=Key.UNIT + suffix,
            bind="query-params",
            disabled=whole,
            width=110,
        )
        overlap_unit = st.selectbox(
            "Overlap in",
            ("the same", "sentences"),
            index=1 if start.overlap_unit else 0,
            key=Key.OVERLAP_UNIT + suffix,
            bind="query-params",
            disabled=whole,
            width=120,
        )
        label = st.toggle(
            "Label",
            start.label,
            key=Key.LABEL + suffix,
            bind="query-params",
            help="Put the section path, such as Billing > Refunds, in front of what is indexed.",
        )

    def settings(overlap: int) -> ChunkingSettings:
        return replace(
            start,
            strategy=strategy or start.strategy,
            size=min(max(1, int(size)), LARGEST),
            overlap=overlap,
            unit=unit or start.unit,
            overlap_unit="sentences" if overlap_unit == "sentences" else "",
            label=bool(label),
        )

    try:
        return settings(int(overlap))
    except InvalidSetting as error:
        literal.note(error.message, error.hint)
        return settings(0)
