"""One query, several result lists side by side."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import frame, start, state
from ragdebug.ui.components.hit_board import hit_board
from ragdebug.ui.health import beside
from ragdebug.ui.questions import doing
from ragdebug.ui.search import (
    add_column,
    answering,
    board,
    column_settings,
    columns,
    empty,
    expect_dialog,
    expected,
    fetching,
    filling,
    form,
    hit,
    keeping,
    overlap,
    past,
    paste_list,
    share,
    terms,
)

wb = frame.page("Search", icon=":material/search:")
if not wb.documents():
    start.first_steps(wb)
    st.stop()

specs = columns.read()
wanted = expected.read(wb)
selected = hit.read()
working = bool(wb.jobs.active())

query, k, pairs = form.query_row(wb)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    # The model's own choice is needed to warn about the chunking, so it is drawn first in code.
    cut_place, model_place = st.container(width="content"), st.container(width=180)
    with model_place:
        model = form.model(wb)
    with cut_place:
        cut = form.chunking(wb, model)
    st.button(
        "Expected passage",
        icon=":material/star:",
        key="search_expect",
        on_click=expect_dialog.ask,
        help="Name the passage that should be found: its rank then stands above every list.",
    )
    add_column.popover(wb, specs)
    past.popover(wb)
    share_place = st.container(width="content")

base = form.base(k, pairs, cut, model)
drawn = columns.build(specs, base)
expect_dialog.show(wb, wanted.places)
column_settings.show(wb, specs, drawn)
paste_list.show(wb, query, specs)

if not query:
    empty.blank(wb)
    st.stop()

filled = filling.fill(wb, query, drawn, wanted.places)
comparison = board.compared(wb, filled, wanted.places)
answering.handle(wb, query, filled)
question = answering.question_of(wb, query)
doing.outcome()
with share_place:
    share.popover(wb, filled, wanted.places, question)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    with st.container(width="stretch"):
        terms.draw(filled.terms)
    keeping.buttons(wb, query, question, wanted.places)
expected.strip(wanted, drawn, filled.lists)
beside.draw(wb, filled)
offers = st.container()
hit_board(
    board.columns(wb, filled, comparison, wanted.places, question),
    key="search_board",
    selected=selected,
    on_pick=hit.pick,
    on_settings=column_settings.ask,
    on_judge=answering.judge,
    grab=answering.grab(),
)
answering.draw(wb, query, question, filled)
with offers:
    fetching.offer(wb, filled)
    filling.offer_index(wb, filled)
hit.draw(wb, filled, comparison, wanted.places, selected)
overlap.draw(filled, comparison)
past.remember(wb, form.Asked(query, base), specs, state.peek(state.Key.EXPECT))
filling.watch(wb, filled)
if not working and wb.jobs.active():
    st.rerun()  # so that the sidebar shows the job that was just started
