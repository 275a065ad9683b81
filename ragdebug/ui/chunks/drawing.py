"""The document's own text with the chunks drawn on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.records import Document
from ragdebug.ui import state
from ragdebug.ui.chunks.numbers import NAMES
from ragdebug.ui.components.document_view import ChunkMark, Layers, document_view
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench.chunking import DocumentReport


def draw(
    document: Document,
    report: DocumentReport,
    second: DocumentReport | None,
    titles: tuple[str, str],
) -> None:
    """Draw the text; a click opens a chunk."""
    selected = state.url_value(Key.CHUNK, "", check=state.short_text)
    at = state.url_value(Key.AT, "", check=_position)
    chosen = next((c for c in report.chunks if c.id == selected), None)
    focus = None
    if chosen is not None:
        focus = (chosen.start, chosen.end)
    elif at is not None:
        focus = (min(at, len(document.text)),) * 2
    document_view(
        document.text,
        key="chunks_document",
        layers=Layers(
            chunks=marks(report),
            other=marks(second) if second is not None else (),
            pages=document.parsed.pages,
            selected=selected,
            titles=titles,
        ),
        focus=focus,
        height=680,
        mono=document.parsed.kind in ("code", "table", "json"),
        token=document.version,
        on_chunk=_pick,
    )


def marks(report: DocumentReport) -> list[ChunkMark]:
    """The chunks as they are drawn, warnings in the tooltip."""
    warned: dict[int, list[str]] = {}
    for name, title in NAMES.items():
        for row in report.rows(name):
            warned.setdefault(row, []).append(title)
    return [
        ChunkMark(
            c.id,
            c.start,
            c.end,
            at + 1,
            " · ".join([f"{tokens} tokens", *warned.get(at, ())]),
        )
        for at, (c, tokens) in enumerate(zip(report.chunks, report.tokens, strict=True))
    ]


def _pick(chunk: str) -> None:
    state.put(Key.CHUNK, chunk)


def _position(text: str) -> int | None:
    return state.whole_number(0, 10**9)(text) if text else None


def open_row(report: DocumentReport, row: int) -> None:
    """Open a chunk by its place in the document. For callbacks."""
    if 0 <= row < len(report.chunks):
        state.put(Key.CHUNK, report.chunks[row].id)


def selected_row(report: DocumentReport) -> int | None:
    """The chunk that is open, None when none is."""
    chosen = state.peek(Key.CHUNK)
    return next((i for i, c in enumerate(report.chunks) if c.id == chosen), None)


def theme_is_dark() -> bool:
    """Whether the page is drawn on a dark ground."""
    return st.context.theme.type == "dark"
