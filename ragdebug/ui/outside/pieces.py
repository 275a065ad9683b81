"""Chunks that another system cut: bring a file in, see how they stand, take them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal, state
from ragdebug.ui.outside import bringing, taken_out
from ragdebug.ui.outside.times import moment
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.store.pieces import PieceSet
    from ragdebug.workbench import Workbench

_PART = "outside"
_OPEN = "_outside_pieces_open"  # name of the set whose report is open


def draw(wb: Workbench) -> None:
    """The sets there are, what the last file came to, and the way in."""
    bringing.collect(wb)
    sets = wb.piece_sets()
    if not sets:
        st.markdown(
            "**No chunks of yours yet.** Export what your splitter made, one chunk a row, as JSONL,"
            " CSV or Parquet: its text, which document it is of, and by choice your id, page,"
            " offsets, metadata and vector. Each is placed in its document; then they are shown,"
            " searched, measured and explained like any other chunking."
        )
    taken_out.undo(
        _PART, lambda _: "The chunks are out of use; their documents stay.", wb.restore_pieces
    )
    for one in sets:
        _set(wb, one)
    bringing.form(wb, empty=not sets)
    taken_out.drawer(
        "Replaced or taken out",
        _PART,
        [(s.id, _line(s)) for s in wb.piece_sets(removed=True)],
        wb.restore_pieces,
    )


def _set(wb: Workbench, one: PieceSet) -> None:
    with st.container(border=True, gap="small", key=f"outside_set_{one.id}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            with st.container(gap="xxsmall", width="stretch"):
                st.markdown(f"**{literal.plain(one.name, 60)}** · {one.pieces:,} chunks")
                literal.small(_about(one))
            with st.container(
                horizontal=True, width="content", gap="small", vertical_alignment="center"
            ):
                _links(one, _own_model(wb, one))
                is_open = st.session_state.get(_OPEN) == one.name
                st.button(
                    "Close" if is_open else "How they stand",
                    key=f"outside_show_{one.id}",
                    icon=":material/close:" if is_open else ":material/fact_check:",
                    on_click=_show,
                    args=("" if is_open else one.name,),
                )
                st.button(
                    "Take out",
                    key=f"outside_remove_{one.id}",
                    icon=":material/remove_circle:",
                    type="tertiary",
                    on_click=_remove,
                    args=(wb, one),
                )
        if one.dimension:
            _model(wb, one)
        if st.session_state.get(_OPEN) == one.name:
            bringing.report_of(wb, one)


def _about(one: PieceSet) -> str:
    parts = [f"searched as imported:{one.name}", f"from {one.file}", moment(one.created_at)]
    if one.dimension:
        parts.append(f"vectors of {one.dimension:,} dimensions")
    return " · ".join(filter(None, parts))


def _line(one: PieceSet) -> str:
    return f"{one.name} · {one.pieces:,} chunks · {one.file} · {moment(one.created_at)}"


def _own_model(wb: Workbench, one: PieceSet) -> str:
    """The model of its vectors as strategies call it, "" where it is not here or there is none."""
    return wb.model_of_pieces(one.name) if one.dimension else ""


def _links(one: PieceSet, own_model: str) -> None:
    chunker = {Key.CHUNKER: f"imported:{one.name}", Key.MODEL: own_model}
    st.page_link(
        state.CHUNKS,
        label="Chunks",
        icon=":material/segment:",
        query_params=state.shared_params(chunker),
    )
    st.page_link(
        state.SEARCH,
        label="Search",
        icon=":material/search:",
        query_params=state.shared_params(chunker),
    )


def _model(wb: Workbench, one: PieceSet) -> None:
    """Which model the given vectors are of; a query needs the same one."""
    names = [m.name for m in wb.models() if m.kind == "embedder"]
    if one.model and one.model not in names:
        names.append(one.model)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Its vectors are of", width="content")
        chosen = st.selectbox(
            "Model of the given vectors",
            names,
            index=names.index(one.model) if one.model else None,
            placeholder="which model?",
            accept_new_options=True,
            key=f"_outside_model_{one.id}_{one.model}",
            label_visibility="collapsed",
            width=300,
        )
        if one.model and one.model not in {m.name for m in wb.models()}:
            st.caption(
                ":orange[:material/warning:] This model is not here, so no query can be compared"
                " with them. Add it under Models.",
                width="content",
            )
    if chosen and chosen != one.model:
        wb.set_pieces_model(one.name, chosen)
        st.rerun()


def _show(name: str) -> None:
    st.session_state[_OPEN] = name


def _remove(wb: Workbench, one: PieceSet) -> None:
    try:
        wb.remove_pieces(one.name)
    except RagDebugError as error:
        literal.problem(error)
        return
    taken_out.remember(_PART, one.id)
