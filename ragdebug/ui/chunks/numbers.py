"""Sizes and warnings of one chunking, or of two side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug import figures
from ragdebug.errors import RagDebugError
from ragdebug.settings import ChunkingSettings
from ragdebug.ui import literal, state
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.chunking import DocumentReport

NAMES = {
    "beyond_window": "longer than the model reads",
    "mid_sentence": "cut in mid-sentence",
    "torn_table": "table torn",
    "torn_code": "code torn",
    "duplicates": "duplicate of an earlier one",
    "tiny": "tiny",
}


def draw(
    settings: ChunkingSettings,
    report: DocumentReport,
    other: ChunkingSettings | None,
    second: DocumentReport | None,
) -> None:
    """Counts, warnings with a way to the next one, and the histogram."""
    counts = report.counts()
    with st.container(border=True, gap="xsmall"):
        if second is None or other is None:
            st.markdown(f"**{len(report.chunks):,} chunks**")
        else:
            st.markdown(
                f"**{len(report.chunks):,} chunks** · {literal.plain(str(settings))}  \n"
                f"**{len(second.chunks):,} chunks** · {literal.plain(str(other))}"
            )
        others = second.counts() if second is not None else {}
        for name, title in NAMES.items():
            with st.container(
                horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
            ):
                versus = f" | {others[name]:,}" if others else ""
                number = f"**{counts[name]:,}**" if counts[name] else f":gray[{counts[name]}]"
                st.markdown(f"{number}{versus} {title}", width="content")
                if counts[name]:
                    st.button(
                        "next",
                        key=f"_next_{name}",
                        type="tertiary",
                        icon=":material/arrow_downward:",
                        help="Open the next chunk with this warning.",
                        on_click=_next,
                        args=(report, name),
                    )
        if counts["uncovered"]:
            literal.note(f"{counts['uncovered']} places stand in no chunk.")
    _histogram(settings, report, other, second)


def _next(report: DocumentReport, name: str) -> None:
    """Open the next chunk with a warning, after the one that is open; from the top at the end."""
    rows = report.rows(name)
    chosen = state.peek(Key.CHUNK)
    here = next((i for i, c in enumerate(report.chunks) if c.id == chosen), -1)
    following = [r for r in rows if r > here] or list(rows)
    state.put(Key.CHUNK, report.chunks[following[0]].id)


def _histogram(
    settings: ChunkingSettings,
    report: DocumentReport,
    other: ChunkingSettings | None,
    second: DocumentReport | None,
) -> None:
    sizes = {str(settings): report.tokens}
    if second is not None and other is not None:
        sizes[f"{other}" if str(other) != str(settings) else f"{other} (second)"] = second.tokens
    figure = figures.size_histogram(
        sizes,
        unit="tokens",
        window=report.window or None,
        theme=figures.Theme(dark=st.context.theme.type == "dark"),
    )
    st.plotly_chart(figure, key="chunks_histogram", theme=None, config={"displayModeBar": False})


def corpus(wb: Workbench, settings: ChunkingSettings) -> None:
    """The whole corpus under this chunking, on demand, since a large one takes a while."""
    with st.expander("The whole corpus under this chunking", icon=":material/dataset:"):
        if not st.toggle("Cut all documents", key="_chunks_all"):
            st.caption("Cuts every document that was never cut this way; the result is kept.")
            return
        line = st.empty()

        def progress(done: int, total: int, what: str) -> None:
            line.progress(done / total if total else 0.0, f"{done:,} of {total:,} {what}")

        try:
            overview = wb.overview(settings, progress)
        except RagDebugError as error:
            literal.problem(error)
            return
        line.empty()
        st.markdown(
            f"**{overview.chunks:,} chunks** of {overview.documents:,} documents · "
            f"{overview.duplicates:,} duplicates"
        )
        figure = figures.size_histogram(
            {overview.chunking: overview.sizes},
            unit=settings.unit,
            theme=figures.Theme(dark=st.context.theme.type == "dark"),
        )
        st.plotly_chart(
            figure, key="corpus_histogram", theme=None, config={"displayModeBar": False}
        )
