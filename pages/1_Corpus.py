"""Documents in, looked at, tagged, taken out and brought back."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import frame, state
from ragdebug.ui.corpus import adding, listing, reading

wb = frame.page("Corpus", icon=":material/folder_open:")
opened = state.url_value(state.Key.DOCUMENT, "", check=state.short_text)
infos = wb.documents()

adding.draw(wb, empty=not infos)
adding.last_report(wb)
if infos:
    listing.summary(wb)
    chosen = listing.table(wb, infos, opened)
    if chosen != opened:
        state.put(state.Key.DOCUMENT, chosen)
        state.put(state.Key.AT, "")
        st.rerun()
listing.removed(wb)
if opened:
    reading.draw(wb, opened)
