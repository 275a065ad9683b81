"""What a page needs to be printed whole: no menu, and charts as wide as the paper.

    printing()      at the end of a page that has charts; it draws nothing

A chart is drawn for the width of the window, and the browser would cut off what the paper lacks.
"""

from __future__ import annotations

from ragdebug.ui.components.assets import component

_render = component("printing", scripts=("printing.js",), styles=())


def printing() -> None:
    """Make the page ready to be printed. Once a page."""
    _render(key="printing", data={})
