"""The document's own text with the chunks drawn on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdebug.records import Chunk, Document
from ragdebug.settings import ChunkingSettings
from ragdebug.ui import state
from ragdebug.ui.components.document_view import ChunkMark, Layers, document_view
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench.chunking import DocumentReport

HEIGHT_PX = 720
NAMES = {
    "beyond_window": "beyond the window",
    "mid_sentence": "cut in mid-sentence",
    "torn_table": "table torn",
    "torn_code": "code torn",
    "duplicates": "duplicate",
    "tiny": "tiny",
}


@dataclass(frozen=True, slots=True)
class Cut:
    """One chunking of the document; `name` is A or B."""

    name: str
    settings: ChunkingSettings
    report: DocumentReport

    @property
    def prefix(self) -> str:
        """Put before chunk ids on the page, since both may have a chunk of the same span."""
        return "" if self.name == "A" else f"{self.name}!"


@dataclass(frozen=True, slots=True)
class Selected:
    """The chunk that is open, and the chunking it belongs to."""

    cut: Cut
    row: int

    @property
    def chunk(self) -> Chunk:
        """The chunk itself."""
        return self.cut.report.chunks[self.row]


def selected(cuts: Sequence[Cut]) -> Selected | None:
    """The chunk that the session or the link names. Call once a run.

    When its chunking was changed, the chunk that now stands at its start.
    """
    wanted = state.url_value(Key.CHUNK, "", check=state.short_text)
    cut = next((c for c in cuts if c.prefix and wanted.startswith(c.prefix)), cuts[0])
    row = cut.report.row_of(wanted.removeprefix(cut.prefix)) if wanted else None
    return None if row is None else Selected(cut, row)


def draw(
    document: Document,
    cuts: Sequence[Cut],
    chosen: Selected | None,
    evidence: Sequence[tuple[int, int]],
    on_mark: Callable[[int, int], None],
) -> None:
    """Draw the text; a click opens a chunk."""
    at = state.url_value(Key.AT, "", check=_position)
    focus = None
    if chosen is not None and chosen.chunk.placed:
        focus = (chosen.chunk.start, chosen.chunk.end)
    elif at is not None:
        focus = (min(at, len(document.text)),) * 2
    document_view(
        document.text,
        key="chunks_document",
        layers=Layers(
            chunks=marks(cuts[0]),
            other=marks(cuts[1]) if len(cuts) > 1 else (),
            evidence=evidence,
            pages=document.parsed.pages,
            selected=chosen.cut.prefix + chosen.chunk.id if chosen is not None else "",
            titles=_titles(cuts),
        ),
        focus=focus,
        height=HEIGHT_PX,
        mono=document.parsed.kind in ("code", "table", "json"),
        mark_label="Expect this passage",
        token=document.version,
        on_chunk=open_chunk,
        on_mark=on_mark,
    )


def _titles(cuts: Sequence[Cut]) -> tuple[str, str]:
    names = [f"{c.name} {c.settings}" if len(cuts) > 1 else str(c.settings) for c in cuts]
    return names[0], names[1] if len(names) > 1 else ""


def marks(cut: Cut) -> list[ChunkMark]:
    """The chunks as they are drawn, warnings in the tooltip."""
    report = cut.report
    warned: dict[int, list[str]] = {}
    for name, title in NAMES.items():
        for row in report.rows(name):
            warned.setdefault(row, []).append(title)
    return [
        ChunkMark(
            cut.prefix + c.id,
            c.start,
            c.end,
            at + 1,
            " · ".join([f"{tokens} tokens", *warned.get(at, ())]),
        )
        for at, (c, tokens) in enumerate(zip(report.chunks, report.tokens, strict=True))
        if c.placed
    ]


def open_chunk(chunk: str) -> None:
    """Open a chunk. For callbacks."""
    state.put(Key.CHUNK, chunk)


def open_row(cut: Cut, row: int | None) -> None:
    """Open a chunk by its place in the document. For callbacks."""
    if row is not None and 0 <= row < len(cut.report.chunks):
        open_chunk(cut.prefix + cut.report.chunks[row].id)


def _position(text: str) -> int | None:
    return state.whole_number(0, 10**9)(text) if text else None
