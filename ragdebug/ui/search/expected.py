"""The expected passage: from the URL, said above the columns, changed from anywhere.

It is one or more places (the same passage may stand in two documents); any of them counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Chunk, ExpectedChunk, Place, ResultList
from ragdebug.ui import literal, state
from ragdebug.ui.components.hit_board import score
from ragdebug.ui.search.columns import Column
from ragdebug.ui.state import Key, PlaceRef

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

QUOTE_CHARS, WHERE_CHARS = 220, 70
MOST_CHUNKS = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """The places of this run, and what is to be said about them."""

    places: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()


def read(wb: Workbench) -> Wanted:
    """The expected places of this session. Call once a run."""
    refs = state.url_value(Key.EXPECT, "", check=state.place_refs)
    places: list[Place] = []
    notes: list[str] = []
    for ref in refs:
        try:
            place, moved = wb.follow_place(
                ref.document, ref.version, ref.start, ref.end, ref.region
            )
        except RagDebugError as error:
            notes.append(f"{error.message} {error.hint}".strip())
            continue
        places.append(place)
        if moved:
            notes.append(f"{place.source} has changed since; the passage was found again.")
    return Wanted(tuple(places), tuple(notes))


def ref_of(place: Place) -> PlaceRef:
    """A place as a link names it."""
    return PlaceRef(place.document, place.version, place.start, place.end, place.region)


def expect(places: Sequence[Place]) -> None:
    """Expect these places from the next run on. For callbacks, too."""
    state.put(Key.EXPECT, state.join([ref_of(p) for p in places]))


def clear() -> None:
    """Expect nothing. For callbacks."""
    state.put(Key.EXPECT, "")


def label(places: Sequence[Place]) -> str:
    """The places in a few words."""
    if not places:
        return "Expected passage"
    first = places[0]
    at = first.region or f"{first.start:,}–{first.end:,}"
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return f"{literal.one_line(first.source, 34)} {at}{more}"


# Above the columns --------------------------------------------------------------------------------


def line(result: ResultList) -> tuple[str, bool]:
    """Where it stands in one list, in a few words, and whether it is missing there."""
    e = result.expected
    if e is None:
        return "", False
    if e.rank is None:
        return f"expected: {e.note or 'not in this list'}", True
    pool = result.trace.extras.get("pool")
    of = ""
    if pool is not None:
        of = f" of {pool} candidates" if e.rank <= pool else f", below the pool of {pool}"
    parts = [f"expected #{e.rank:,}{of}"]
    if e.score is not None:
        parts.append(score(e.score))
    if e.gap:
        parts.append(f"{score(e.gap)} short of the last one shown")
    elif e.gap is None:
        parts.append("not shown")
    return " · ".join(parts), e.rank > len(result.hits)


def strip(wanted: Wanted, columns: Sequence[Column], lists: dict[str, ResultList]) -> None:
    """The passage itself and the chunks that hold it."""
    for note in wanted.notes:
        literal.note(note)
    if not wanted.places:
        return
    with st.container(border=True, gap="xsmall", key="search_expected"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            first = wanted.places[0]
            st.markdown(
                f":green[:material/star:] **Expected** {literal.plain(label(wanted.places), 120)}",
                width="content",
            )
            state.link_to_document("Open", first.document, first.start)
            st.button(
                "Forget it", type="tertiary", icon=":material/close:", on_click=clear,
                key="search_forget_expected",
            )  # fmt: skip
        if first.quote:
            literal.text(f"“{literal.one_line(first.quote, QUOTE_CHARS)}”")
        for name, chunks in _holders(columns, lists):
            literal.small(name + _held(chunks))


def _holders(
    columns: Sequence[Column], lists: dict[str, ResultList]
) -> list[tuple[str, Sequence[ExpectedChunk]]]:
    """For each chunking the chunks that hold it."""
    found: dict[str, Sequence[ExpectedChunk]] = {}
    for c in columns:
        result = lists.get(c.name)
        if result is not None and result.expected is not None:
            name = c.short if c.strategy.is_outside else result.chunking
            found.setdefault(name.removesuffix(":tokens:label"), result.expected.chunks)
    several = len(found) > 1
    return [(f"{name}: " if several else "", chunks) for name, chunks in found.items()]


def _where(chunk: Chunk) -> str:
    return literal.one_line(" › ".join(chunk.section[-2:]) or chunk.source, WHERE_CHARS)


def _held(chunks: Sequence[ExpectedChunk]) -> str:
    if not chunks:
        return "No chunk holds any of it."
    whole = sum(c.coverage >= 1 for c in chunks)
    head = "Held by 1 chunk" if len(chunks) == 1 else f"Held by {len(chunks)} chunks"
    if not whole and not chunks[0].coverage >= 0.9:
        head = f"Cut: no chunk holds it whole, {len(chunks)} hold part of it"
    parts = [
        f"{c.coverage:.0%} {_where(c.chunk)} ({c.chunk.start:,}–{c.chunk.end:,})"
        for c in chunks[:MOST_CHUNKS]
    ]
    more = f" and {len(chunks) - MOST_CHUNKS} more" if len(chunks) > MOST_CHUNKS else ""
    return f"{head}: {' · '.join(parts)}{more}"
