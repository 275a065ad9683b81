"""The start page: what is here, and the next step."""

from __future__ import annotations

from ragdebug.ui import frame, start

wb = frame.page(
    "ragdebug",
    icon=":material/troubleshoot:",
    lead="See what your search returned, by which score, and where the right passage was lost.",
)
if wb.corpus().documents:
    start.overview(wb)
else:
    start.first_steps(wb)
