"""What is looked at: a document, a model whose window counts, one chunking or two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.records import DocumentInfo
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings
from ragdebug.ui import literal, state
from ragdebug.ui.chunks.drawing import Cut
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

# What most tutorials begin with.
OTHER = ChunkingSettings("fixed", size=200, overlap=0)
_FIELD = "_chunks_document"


def document(infos: Sequence[DocumentInfo]) -> DocumentInfo:
    """The document to look at; in the URL."""
    by_id = {d.id: d for d in infos}
    longest = max(infos, key=lambda d: (d.chars, d.source))
    opened = state.url_value(Key.DOCUMENT, longest.id, check=state.short_text)
    if opened not in by_id:
        literal.note("The document of this link is not here any more; another one is shown.")
        opened = longest.id
    st.session_state[_FIELD] = opened
    chosen = st.selectbox(
        "Document",
        list(by_id),
        format_func=lambda i: by_id[i].source if i in by_id else i,
        key=_FIELD,
        on_change=_changed,
    )
    return by_id.get(chosen, by_id[opened])


def _changed() -> None:
    state.put(Key.DOCUMENT, str(st.session_state[_FIELD]))
    state.put(Key.AT, "")
    state.put(Key.CHUNK, "")


def model(wb: Workbench) -> str:
    """The embedding model whose window is checked."""
    names = [m.name for m in wb.models() if m.kind == "embedder"]
    kept = st.session_state.get(Key.MODEL)
    if kept and kept not in names:  # a model that a search named
        names.append(kept)
    chosen = st.selectbox(
        "Read by",
        names,
        index=names.index(DEFAULT_EMBEDDER) if DEFAULT_EMBEDDER in names else 0,
        key=Key.MODEL,
        bind="query-params",
        help="The embedding model: what is longer than its window is not seen by vector search.",
        width=230,
    )
    return str(chosen or DEFAULT_EMBEDDER)


def compare() -> bool:
    """Whether a second chunking is drawn beside the first."""
    return st.toggle(
        "Compare",
        key="compare",
        bind="query-params",
        persist_state="session",
        help="Draw the cuts of a second chunking beside those of the first.",
    )


def warnings(wb: Workbench, settings: ChunkingSettings, model_name: str) -> list[str]:
    """What to know about the settings before they run."""
    try:
        return wb.check_chunking(settings, model_name)
    except InvalidSetting as error:
        literal.problem(error)
        return []


def cuts(
    wb: Workbench,
    document_id: str,
    settings: Sequence[ChunkingSettings],
    model_name: str,
) -> list[Cut]:
    """The document cut each way; one that cannot be made is explained and left out."""
    made = []
    for name, one in zip("AB", settings, strict=False):
        try:
            made.append(Cut(name, one, wb.chunk_report(document_id, one, model_name)))
        except RagDebugError as error:
            literal.problem(error)
    return made
