"""What another system cut, embeds with, returned and searches with, on the same bench."""

from __future__ import annotations

from ragdebug.ui import frame
from ragdebug.ui.outside import parts

wb = frame.page(
    "Your system",
    icon=":material/hub:",
    lead="Debug the search you run in production: with its own chunks, models and result lists.",
)
parts.draw(wb)
