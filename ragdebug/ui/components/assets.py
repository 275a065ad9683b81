"""Register a component of Streamlit's components v2 from files that lie beside this module.

Scripts and styles are our own files and never hold text from outside: that goes through `data` as
JSON and is put on the page with `textContent` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import streamlit as st

Renderer = Callable[..., Any]


def component(name: str, scripts: tuple[str, ...], styles: tuple[str, ...]) -> Renderer:
    """Register a component made of several scripts and styles, put one after the other.

    Args:
        name: unique in the app.
        scripts: file names; the last one holds ``export default``.
        styles: file names.
    """
    return st.components.v2.component(
        f"ragdebug.{name}",
        html="<div class='root'></div>\n<!-- filled by the script -->",
        js=_read(("common.js", *scripts)),
        css=_read(("common.css", *styles)),
    )


def _read(names: tuple[str, ...]) -> str:
    folder = files("ragdebug.ui.components")
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
