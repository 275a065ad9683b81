"""Documents in, looked at, tagged, taken out and brought back."""

from __future__ import annotations

from ragdebug.ui import frame, state
from ragdebug.ui.corpus import adding, listing, reading, removed

wb = frame.page("Corpus", icon=":material/folder_open:")
opened = state.url_value(state.Key.DOCUMENT, "", check=state.short_text)
infos = wb.documents()

adding.draw(wb, empty=not infos)
if infos:
    listing.summary(wb)
    listing.table(wb, infos, opened)
removed.undo(wb)
if opened:
    reading.draw(wb, opened)
removed.draw(wb)
