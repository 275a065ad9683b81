"""Sizes and warnings of one chunking, or of two side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug import figures
from ragdebug.errors import RagDebugError
from ragdebug.ui import indexing, literal
from ragdebug.ui.chunks.drawing import NAMES, Cut, Selected, open_row

if TYPE_CHECKING:
    from ragdebug.workbench import ChunkOverview, Workbench

TIPS = {
    "": "Open the next chunk.",
    "beyond_window": "Longer than the model reads. Open the next one.",
    "mid_sentence": "Begins or ends inside a sentence. Open the next one.",
    "torn_table": "Part of a row, or rows without their header. Open the next one.",
    "torn_code": "Part of a code block or function. Open the next one.",
    "duplicates": "The same text as an earlier chunk. Open the next one.",
    "tiny": "Less than 30 letters: a stray heading or line. Open the next one.",
}
SIZES = {
    "median": "tokens, median",
    "largest": "tokens, largest",
    "repeated": "characters repeated",
}


def draw(cuts: Sequence[Cut], chosen: Selected | None) -> None:
    """Counts, warnings with a way to the next one, and the histogram."""
    after = chosen.chunk.start if chosen is not None else -1
    with st.container(border=True, gap="xxsmall", key="chunks_numbers"):
        if len(cuts) > 1:
            _row("", [_text(f"**{c.name}**") for c in cuts])
        _row(
            "chunks",
            [_jump(c, "", len(c.report.chunks), after) for c in cuts],
        )
        for name, title in SIZES.items():
            _row(title, [_text(f"{c.report.sizes()[name]:,}") for c in cuts])
        for name, title in NAMES.items():
            _row(
                title,
                [_jump(c, name, c.report.counts()[name], after) for c in cuts],
            )
        for c in cuts:
            if lost := sum(not chunk.placed for chunk in c.report.chunks):
                literal.note(
                    f"{c.name}: not placed, so searched and never counted as found: {lost:,} of"
                    f" {len(c.report.chunks):,} chunks."
                )
            if missing := c.report.counts()["uncovered"]:
                literal.note(f"{c.name}: {missings(missing)} in no chunk.")


def histogram(cuts: Sequence[Cut]) -> None:
    """How long the chunks are, with the window of the model marked."""
    _histogram("chunks", {_name(c, cuts): c.report.tokens for c in cuts}, cuts[0].report.window)


def missings(count: int) -> str:
    """``one place stands`` or ``3 places stand``."""
    return "one place stands" if count == 1 else f"{count:,} places stand"


def _name(cut: Cut, cuts: Sequence[Cut]) -> str:
    return cut.name if len(cuts) > 1 else str(cut.settings)


Cell = Callable[[], None]


def _row(title: str, cells: Sequence[Cell]) -> None:
    """A line of an aligned table: what is counted, and a number for each chunking."""
    columns = st.columns([5, *[2] * len(cells)], gap="xsmall", vertical_alignment="center")
    columns[0].markdown(title or " ")
    for column, cell in zip(columns[1:], cells, strict=True):
        with column:
            cell()


def _text(markdown: str) -> Cell:
    return lambda: _draw(markdown)


def _draw(markdown: str) -> None:
    st.markdown(markdown, text_alignment="right")


def _jump(cut: Cut, warning: str, count: int, after: int) -> Cell:
    """A number that opens the next chunk it counts."""

    def draw() -> None:
        if not count:
            _draw(":gray[0]")
            return
        with st.container(horizontal=True, horizontal_alignment="right"):
            st.button(
                f"**{count:,}**",
                key=f"_next_{cut.name}_{warning or 'chunk'}",
                type="tertiary",
                icon=":material/arrow_downward:",
                help=TIPS[warning],
                on_click=_open_next,
                args=(cut, warning, after),
            )

    return draw


def _open_next(cut: Cut, warning: str, after: int) -> None:
    open_row(cut, cut.report.next_row(after, warning))


def _theme() -> figures.Theme:
    return figures.Theme(dark=st.context.theme.type == "dark")


def _histogram(
    key: str, sizes: dict[str, tuple[int, ...]], window: int = 0, unit: str = "tokens"
) -> None:
    figure = figures.size_histogram(
        sizes, unit=unit, window=window or None, theme=_theme(), height=250
    )
    st.plotly_chart(figure, key=f"{key}_histogram", theme=None, config={"displayModeBar": False})


# The whole corpus ---------------------------------------------------------------------------------


def corpus(wb: Workbench, cuts: Sequence[Cut]) -> None:
    """The whole corpus under the same chunkings, on demand, since a large one takes a while."""
    with st.expander("The whole corpus", icon=":material/dataset:", key="chunks_corpus"):
        if not st.toggle("Cut all documents", key="_chunks_all", persist_state="session"):
            st.caption("Cuts every document that was never cut this way; the result is kept.")
            return
        seen: list[tuple[Cut, ChunkOverview]] = []
        try:
            for c in cuts:
                if not indexing.cut(wb, c.settings):
                    return
                seen.append((c, wb.overview(c.settings)))
        except RagDebugError as error:
            literal.problem(error)
            return
        left, right = st.columns([2, 3], gap="medium")
        with left, st.container(gap="xxsmall"):
            if len(cuts) > 1:
                _row("", [_text(f"**{c.name}**") for c, _ in seen])
            _row("documents", [_text(f"{o.documents:,}") for _, o in seen])
            _row("chunks", [_text(f"**{o.chunks:,}**") for _, o in seen])
            _row("duplicates", [_text(f"{o.duplicates:,}") for _, o in seen])
        units = {c.settings.unit for c, _ in seen}
        with right:
            if len(units) > 1:
                st.caption("One counts in tokens, the other in characters: no common picture.")
                return
            _histogram("corpus", {_name(c, cuts): o.sizes for c, o in seen}, unit=units.pop())
