"""The widgets of a chunking, the same on every page.

    settings = chunking_form.draw()              shared by Chunks and Search, in the URL
    other = chunking_form.draw(suffix="_b")      a second one to compare with
    chunking_form.draw(name="A", drag=True)      with a letter before it, and sliders to drag

Returns valid `ChunkingSettings`; an impossible combination is said under the widgets, and the last
possible one stays until it is mended.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from ragdebug.errors import InvalidSetting
from ragdebug.settings import CHUNKERS, IMPORTED, ChunkingSettings
from ragdebug.ui import literal
from ragdebug.ui.state import Key

ABOUT = {
    "structure": "Headings first, then paragraphs, list items and sentences; tables and code whole "
    "while they fit.",
    "recursive": "Tries paragraph breaks, then lines, sentences and words.",
    "sentences": "Whole sentences until the size is reached.",
    "fixed": "The same size everywhere, whatever is cut.",
    "document": "Every document is one chunk.",
    "imported": "Chunks that another system cut, as they are; see the page Your system.",
}
LARGEST = 8192
# What the sliders reach: size and overlap, in tokens and in characters; overlap in sentences.
REACH = {"tokens": (512, 200), "chars": (2000, 800)}
REACH_SENTENCES = 10
_LAST = "_chunking_last"  # + suffix: the last settings that were possible


def draw(
    suffix: str = "",
    base: ChunkingSettings | None = None,
    *,
    name: str = "",
    drag: bool = False,
    imported: Sequence[str] = (),
) -> ChunkingSettings:
    """Draw the widgets in one row and return the settings.

    Args:
        suffix: tells several forms apart, in keys and in the URL.
        base: settings to start from when neither session nor link has any.
        name: a letter that stands before the row.
        drag: sliders under size and overlap.
        imported: names of chunks that another system cut.
    """
    start = base or ChunkingSettings()
    choices = _choices(imported, suffix, start)
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        if name:
            with st.container(width=18):
                st.space(22)
                st.markdown(f"**{name}**")
        strategy = st.selectbox(
            "Chunking",
            choices,
            index=choices.index(start.chooser),
            key=Key.CHUNKER + suffix,
            bind="query-params",
            help="  \n".join(f"**{name}**: {text}" for name, text in ABOUT.items()),
            width=140 if len(choices) == len(CHUNKERS) else 170,
        )
        theirs = _imported(strategy or "")
        whole = strategy == "document" or bool(theirs)
        size_place = st.container(width=130, gap="xxsmall")
        overlap_place = st.container(width=130, gap="xxsmall")
        size = size_place.number_input(
            "Size",
            1,
            LARGEST,
            start.size,
            step=10,
            key=Key.SIZE + suffix,
            bind="query-params",
            disabled=whole,
            help="The most a chunk's own text may have. The label comes on top.",
        )
        overlap = overlap_place.number_input(
            "Overlap",
            0,
            LARGEST,
            start.overlap,
            step=5,
            key=Key.OVERLAP + suffix,
            bind="query-params",
            disabled=whole,
            help="How much of a chunk the next one repeats. It never crosses a heading.",
        )
        unit = st.selectbox(
            "Counted in",
            ("tokens", "chars"),
            index=("tokens", "chars").index(start.unit),
            key=Key.UNIT + suffix,
            bind="query-params",
            disabled=whole,
            width=100,
        )
        overlap_unit = st.selectbox(
            "Overlap in",
            ("the same", "sentences"),
            index=1 if start.overlap_unit else 0,
            key=Key.OVERLAP_UNIT + suffix,
            bind="query-params",
            disabled=whole,
            width=112,
        )
        with st.container(width="content"):
            st.space(28)
            label = st.toggle(
                "Label",
                start.label,
                key=Key.LABEL + suffix,
                bind="query-params",
                disabled=bool(theirs),
                help="Put the section path, such as Billing > Refunds, in front of what is "
                "indexed.",
            )
        if drag and not whole:
            most, most_overlap = REACH[unit or start.unit]
            if overlap_unit == "sentences":
                most_overlap = REACH_SENTENCES
            with size_place:
                _slider("Size", Key.SIZE + suffix, int(size), 10, most)
            with overlap_place:
                _slider("Overlap", Key.OVERLAP + suffix, int(overlap), 0, most_overlap)

    def settings(overlap: int) -> ChunkingSettings:
        if theirs:
            return ChunkingSettings(strategy=IMPORTED, name=theirs)
        return replace(
            ChunkingSettings() if start.is_imported else start,
            strategy=strategy or start.strategy,
            size=min(max(1, int(size)), LARGEST),
            overlap=overlap,
            unit=unit or start.unit,
            overlap_unit="sentences" if overlap_unit == "sentences" else "",
            label=bool(label),
        )

    try:
        made = settings(int(overlap))
    except InvalidSetting as error:
        last = st.session_state.get(_LAST + suffix)
        if not isinstance(last, ChunkingSettings):
            literal.note(error.message, error.hint)
            return settings(0)
        literal.note(error.message, f"{error.hint} What is shown is still {last}.")
        return last
    st.session_state[_LAST + suffix] = made
    return made


def _imported(choice: str) -> str:
    """The name in ``imported:NAME``, "" for a chunker."""
    return ChunkingSettings.parse(choice).name if choice.startswith(f"{IMPORTED}:") else ""


def _choices(imported: Sequence[str], suffix: str, start: ChunkingSettings) -> list[str]:
    """The chunkers, then imported chunks; also those that a link names and nobody brought in."""
    names = [str(ChunkingSettings(strategy=IMPORTED, name=n)) for n in imported]
    linked = st.session_state.get(Key.CHUNKER + suffix) or st.query_params.get(
        Key.CHUNKER + suffix, ""
    )
    for more in (linked, start.chooser):
        with suppress(InvalidSetting):  # a link may hold anything
            if _imported(str(more)):
                names.append(str(more))
    return [*CHUNKERS, *dict.fromkeys(names)]


def values(settings: ChunkingSettings, suffix: str = "") -> dict[str, object]:
    """Widget -> its value for some settings."""
    return {
        Key.CHUNKER + suffix: settings.chooser,
        Key.SIZE + suffix: settings.size,
        Key.OVERLAP + suffix: settings.overlap,
        Key.UNIT + suffix: settings.unit,
        Key.OVERLAP_UNIT + suffix: "sentences" if settings.overlap_unit else "the same",
        Key.LABEL + suffix: settings.label,
    }


def current() -> ChunkingSettings:
    """The settings that the shared form had last in this session."""
    last = st.session_state.get(_LAST)
    return last if isinstance(last, ChunkingSettings) else ChunkingSettings()


def _slider(label: str, key: str, value: int, low: int, high: int) -> None:
    """A slider that moves a number; what lies beyond its reach is left to the number."""
    own = f"_{key}_slider_{high}"
    st.session_state[own] = min(max(value, low), high)

    def moved() -> None:
        st.session_state[key] = st.session_state[own]

    st.slider(label, low, high, key=own, on_change=moved, label_visibility="collapsed", step=1)
