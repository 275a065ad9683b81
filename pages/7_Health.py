"""What is wrong with texts, chunks, models and settings, before any score is believed."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import frame, indexing, start
from ragdebug.ui.health import index, links, listing, looked_at

wb = frame.page("Health", icon=":material/health_and_safety:")
if not wb.documents():
    start.first_steps(wb)
    st.stop()

strategies = looked_at.draw(wb)
links.follow()
if all([indexing.cut(wb, c) for c in dict.fromkeys(s.chunking for s in strategies)]):
    # What is below the findings waits for them, or it would jump when they come.
    if listing.draw(wb, strategies):
        index.draw(wb, strategies)
