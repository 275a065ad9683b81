"""The passage on its document's own text, with the cuts drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal
from ragdebug.ui.components.document_view import ChunkMark, Layers, document_view
from ragdebug.ui.trace import seen
from ragdebug.ui.trace.choose import Chosen
from ragdebug.workbench.tracing.reports import ChunkFacts, PlaceTrace

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

HEIGHT_PX = 460


def draw(wb: Workbench, chosen: Chosen, trace: PlaceTrace) -> None:
    """Draw the document at the passage; nothing where it stands nowhere."""
    place = trace.place
    if not place.document or place.start < 0:
        seen.draw(wb, chosen, trace)
        return
    try:
        document = wb.document(place.document, place.version)
    except RagDebugError as error:
        literal.problem(error)
        return
    found = {c.id: c for c in trace.chunks}
    marks = [
        ChunkMark(p.id, p.start, p.end, p.number, _note(p.size, found.get(p.id)))
        for p in wb.chunk_places(chosen.strategy.chunking, place.document)
    ]
    document_view(
        document.text,
        key="trace_document",
        layers=Layers(
            chunks=marks,
            evidence=[(place.start, place.end)],
            pages=document.parsed.pages,
            selected=trace.chunks[0].id if trace.chunks else "",
        ),
        focus=(place.start, place.end),
        height=HEIGHT_PX,
        mono=document.parsed.kind in ("code", "table", "json"),
        token=document.version,
    )
    own = chosen.strategy
    cut = f"as {own.title} returned it" if own.is_outside else f"cut by {own.chunking}"
    literal.small(f"{place.source}, {cut}. The passage is marked; a cut inside it is red.")


def _note(size: int, facts: ChunkFacts | None) -> str:
    if facts is None:
        return str(size)
    ranks = ", ".join(f"{n} {r}" for n, r in facts.ranks.items() if r is not None)
    return f"{size} · holds {facts.coverage:.0%}" + (f" · {ranks}" if ranks else "")
