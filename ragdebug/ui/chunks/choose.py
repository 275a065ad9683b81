"""What is looked at: a document, a model whose window counts, one chunking or two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.records import DocumentInfo
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings
from ragdebug.ui import literal, state
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.chunking import DocumentReport

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
    )
    return str(chosen or DEFAULT_EMBEDDER)


def compare() -> bool:
    """Whether a second chunking is drawn beside the first."""
    return st.toggle(
        "Compare with a second chunking",
        key="compare",
        bind="query-params",
        persist_state="session",
    )


def warnings(wb: Workbench, settings: ChunkingSettings, model_name: str) -> list[str]:
    """What to know about the settings before they run."""
    try:
        return wb.check_chunking(settings, model_name)
    except InvalidSetting as error:
        literal.problem(error)
        return []


def report(
    wb: Workbench, document_id: str, settings: ChunkingSettings | None, model_name: str
) -> DocumentReport | None:
    """Chunks of the document, or None after saying why there are none."""
    if settings is None:
        return None
    try:
        return wb.chunk_report(document_id, settings, model_name)
    except RagDebugError as error:
        literal.problem(error)
        return None
