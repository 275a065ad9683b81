"""The selected hit: its document at that place, and where it stands in every list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Chunk, Place
from ragdebug.settings import OUTSIDE
from ragdebug.ui import literal, state
from ragdebug.ui.components.document_view import ChunkMark, Layers, document_view
from ragdebug.ui.components.hit_board import score
from ragdebug.ui.components.passage import Mark, passage
from ragdebug.ui.explain import on_search
from ragdebug.ui.search import answering, expected
from ragdebug.ui.search.board import page_of
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.filling import Filled
from ragdebug.ui.state import Key
from ragdebug.workbench.compare import ComparedHit, Comparison
from ragdebug.workbench.outside.elsewhere import is_elsewhere

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

# A column and a chunk id; another system's column has its name behind a colon.
_HIT = re.compile(rf"((?:(?:{'|'.join(OUTSIDE)}):)?[^:]*):(.*)", re.DOTALL)


def read() -> tuple[str, str]:
    """Column and chunk id of the selected hit. Call once a run."""
    text = state.url_value(Key.HIT, "", check=state.short_text)
    found = _HIT.match(text)
    return (found[1], found[2]) if found else (text, "")


def pick(column: str, chunk: str) -> None:
    """Select a hit. For callbacks."""
    state.put(Key.HIT, f"{column}:{chunk}" if chunk else "")


def draw(
    wb: Workbench,
    filled: Filled,
    comparison: Comparison | None,
    places: Sequence[Place],
    selected: tuple[str, str],
) -> None:
    """Draw the selected hit, or how to select one."""
    shown = filled.comparable
    names = [c.name for c in shown]
    name, chunk_id = selected
    if comparison is None or not any(comparison.hits):
        return
    found = comparison.find(names.index(name), chunk_id) if name in names else None
    if found is None:
        if chunk_id and not filled.complete:
            return  # it may be in a list that is still to come
        st.caption(
            "Click a hit to open its document here. Keyboard: Tab to the lists, j and k move, "
            "h and l change the list, Enter opens, y answers, n does not."
        )
        on_search.wanted(wb, filled, places)
        return
    at = names.index(name)
    column = shown[at]
    _head(found, comparison.hits[at], column)
    left, right = st.columns([8, 7], gap="medium")
    with left:
        _document(wb, filled, column, found.hit.chunk, places)
    with right:
        _standings(found, shown, at)
        _index_text(wb, filled, column, found.hit.chunk)
    on_search.hit(wb, filled, column, found.hit, places)


def _head(found: ComparedHit, hits: Sequence[ComparedHit], column: Column) -> None:
    hit = found.hit
    chunk = hit.chunk
    before = next((h.hit.chunk.id for h in hits if h.hit.rank == hit.rank - 1), "")
    after = next((h.hit.chunk.id for h in hits if h.hit.rank == hit.rank + 1), "")
    where = " › ".join(chunk.section) or chunk.source
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        # A row of its own: beside a long name the buttons would break where it ends.
        st.subheader(
            f"{literal.plain(column.short)} #{hit.rank} · {literal.plain(where, 90)}",
            anchor=False,
        )
        st.button(
            "Close", key="search_close_hit", icon=":material/close:", type="tertiary",
            width="content", on_click=pick, args=("", ""),
        )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, target, icon, key in (
            ("Previous", before, ":material/arrow_upward:", "search_previous"),
            ("Next", after, ":material/arrow_downward:", "search_next"),
        ):
            st.button(
                label, key=key, icon=icon, type="tertiary", disabled=not target,
                on_click=pick, args=(column.name, target),
            )  # fmt: skip
        st.button(
            "This answers it",
            key="search_answers",
            icon=":material/check:",
            disabled=not chunk.placed,
            help="Choose the sentences that answer. They become a label of this question; the "
            "whole chunk never does.",
            on_click=answering.judge,
            args=(column.name, chunk.id, True),
        )
        st.button(
            "Expect this",
            key="search_expect_hit",
            icon=":material/star:",
            disabled=not chunk.placed,
            help="Take this chunk's text as the passage that should be found.",
            on_click=_expect,
            args=(chunk,),
        )


def _expect(chunk: Chunk) -> None:
    expected.expect(
        [Place(chunk.document, chunk.version, chunk.source, chunk.start, chunk.end, chunk.text)]
    )


def _document(
    wb: Workbench, filled: Filled, column: Column, chunk: Chunk, places: Sequence[Place]
) -> None:
    if not chunk.placed:
        literal.small(f"{chunk.source} · not placed: {_why_nowhere(chunk)}")
        if chunk.text:
            passage(chunk.text, key="search_not_placed", height=520)
        return
    try:
        document = wb.document(chunk.document, chunk.version)
        chunks = wb.chunk_places(column.strategy.chunking, chunk.document)
    except RagDebugError as error:
        literal.problem(error)
        return
    evidence = [
        (p.start, p.end)
        for p in places
        if (p.document, p.version) == (chunk.document, chunk.version)
    ]
    terms = [
        (a + chunk.start, b + chunk.start)
        for a, b in wb.term_spans(chunk.text, filled.terms or (), column.strategy.bm25)
    ]
    where = [
        literal.one_line(chunk.source, 60),
        page_of(chunk),
        f"characters {chunk.start:,}–{chunk.end:,}",
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(literal.plain(" · ".join(filter(None, where))), width="content")
        state.link_to_document("Document", chunk.document, chunk.start)
        state.link_to_chunks("Chunks", chunk.document, chunk.start)

    def marked(start: int, end: int) -> None:
        expected.expect([wb.place(chunk.document, start, end, chunk.version)])

    document_view(
        document.text,
        key="search_document",
        layers=Layers(
            chunks=[ChunkMark(c.id, c.start, c.end, c.number) for c in chunks],
            evidence=evidence,
            terms=terms,
            pages=document.parsed.pages,
            selected=chunk.id,
        ),
        focus=(chunk.start, chunk.end),
        height=520,
        mono=document.parsed.kind in ("code", "table", "json"),
        mark_label="Expect this passage",
        token=f"{document.id}@{document.version}",
        on_mark=marked,
    )


def _why_nowhere(chunk: Chunk) -> str:
    if not chunk.text:
        return "nothing here has this id, and no words were returned with it"
    if is_elsewhere(chunk.document):
        return "the document is not here; these are the words that were returned"
    return "these words stand nowhere in the document"


def _standings(found: ComparedHit, shown: Sequence[Column], at: int) -> None:
    """One row a list: rank, score, and what each list gave to it."""
    givers = list(dict.fromkeys(share.list for place in found.standings for share in place.shares))
    rows: list[dict[str, Any]] = []
    for column, place in zip(shown, found.standings, strict=True):
        if place.rank is None:
            said = "not in the list"
        elif place.score is None:
            said = "no score" if column.strategy.is_outside else "below the pool"
        else:
            said = f"{score(place.score)} {place.score_kind}"
        given = {s.list: s for s in place.shares}
        row: dict[str, Any] = {"list": column.short, "rank": place.rank, "score": said}
        for name in givers:
            share = given.get(name)
            row[f"by {name}"] = (
                ""
                if share is None
                else "–"
                if share.rank is None
                else f"#{share.rank}: {score(share.share)}"
            )
        rows.append(row)
    st.markdown("**Where it stands**")
    st.dataframe(
        rows,
        hide_index=True,
        height="content",
        placeholder="–",
        column_config={
            "list": st.column_config.TextColumn(width=74),
            "rank": st.column_config.NumberColumn(width=44),
            "score": st.column_config.TextColumn(width=102),
            **{
                f"by {name}": st.column_config.TextColumn(
                    width=78,
                    help="Rank in that list, and what the list adds to the fused score.",
                )
                for name in givers
            },
        },
        key="search_standings",
    )


def _index_text(wb: Workbench, filled: Filled, column: Column, chunk: Chunk) -> None:
    """What is embedded and indexed for it; the part that is not its own text is grey."""
    outside = column.strategy.is_outside
    st.markdown("**What was returned**" if outside else "**What is indexed for it**")
    text = chunk.index_text
    if outside and not text:
        st.caption("An id alone.")
        return
    at = text.rfind(chunk.text)
    marks = [Mark(0, at, "label")] if at > 0 else []
    marks += [
        Mark(a, b, "term") for a, b in wb.term_spans(text, filled.terms or (), column.strategy.bm25)
    ]
    passage(text, key="search_index_text", marks=marks, small=True, height=260)
    for note in () if outside else chunk_notes(chunk):
        st.caption(note)


def chunk_notes(chunk: Chunk) -> list[str]:
    """What is worth knowing about a chunk's text, as Markdown."""
    if not chunk.label and not chunk.context:
        return ["Its own text alone."]
    parts = [n for n, given in (("label", chunk.label), ("context", chunk.context)) if given]
    return [f"Grey: {' and '.join(parts)}, indexed with it but not part of it."]
