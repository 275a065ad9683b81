"""A long document with chunks, evidence and query terms drawn on its own text.

    event = document_view(
        doc.text,
        key="chunks_document",                    # stable: the view keeps its place across reruns
        layers=Layers(chunks=marks, evidence=[(128, 197)], pages=doc.parsed.pages,
                      selected=state.peek(Key.CHUNK)),
        focus=(128, 197),                         # scrolls there once, whenever it changes
        mark_label="Use as expected passage",     # turns marking on; "" leaves it off
        on_chunk=pick,                            # pick(chunk_id)   a chunk was clicked
        on_mark=mark,                             # mark(start, end) text was marked, code points
    )
    event.chunk, event.marked                     # the same, in the run right after it happened

Callbacks run before the script, so what they put into the state is drawn in the same run. Only a
window of text goes to the browser; scrolling, finding and paging rerun this fragment alone.

Mouse: click a chunk, drag to mark. Keyboard: arrows move, Shift with arrows marks, Enter picks the
chunk at the cursor or takes the marked text, / finds, n and N go through the matches, ] and [
through the chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ragdebug.records import Page
from ragdebug.ui.components import document_window as window
from ragdebug.ui.components.assets import component
from ragdebug.ui.components.document_window import ChunkMark, Layers, View
from ragdebug.ui.offsets import Utf16Map

__all__ = ["ChunkMark", "DocumentEvent", "Layers", "document_view", "marked_span"]

_render = component(
    "document_view",
    scripts=("document_text.js", "document_actions.js", "document_view.js"),
    styles=("document_view.css", "document_layers.css"),
)
_STATE = "_document_view:"


@dataclass(frozen=True, slots=True)
class DocumentEvent:
    """What a person did to the document just before this run.

    Attributes:
        chunk: id of the chunk that was clicked, "" for none.
        marked: code point range that was marked, its blank ends left out; None for none.
    """

    chunk: str = ""
    marked: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class _Call:
    """The arguments of one call, for the fragment and its callbacks."""

    text: str
    key: str
    layers: Layers
    options: dict[str, Any]
    on_chunk: Callable[[str], None] | None
    on_mark: Callable[[int, int], None] | None
    on_page: Callable[[int], None] | None = None


def document_view(
    text: str,
    *,
    key: str,
    layers: Layers | None = None,
    focus: tuple[int, int] | None = None,
    height: int = 560,
    mono: bool = False,
    mark_label: str = "",
    label: str = "Document text",
    token: str = "",
    on_chunk: Callable[[str], None] | None = None,
    on_mark: Callable[[int, int], None] | None = None,
    on_page: Callable[[int], None] | None = None,
) -> DocumentEvent:
    """Draw a document and return what was just done to it.

    Args:
        text: the canonical text; it may be megabytes long.
        key: unique on the page.
        layers: what is drawn on the text.
        focus: code point range to scroll to; followed each time it changes.
        height: most pixels of the whole component; a short text takes less.
        mono: one width for all letters: code, tables.
        mark_label: what taking the marked text is called; "" when nothing can be marked.
        label: name of the text for screen readers.
        token: identity of the text (its version); a view starts anew when it changes.
        on_chunk: called with a chunk id when one is picked.
        on_mark: called with a code point range when text is marked.
        on_page: called with the number of the page that reading has come to, once it rests there.
    """
    view = _view(key)
    token = token or f"{len(text)}:{hash(text)}"
    if view.token != token:
        view = st.session_state[_STATE + key] = View(token=token)
    if focus != view.focus:
        view.focus = focus
        if focus is not None:
            view.scroll_to(*focus)
    options = {
        "height": height,
        "mono": mono,
        "markLabel": mark_label,
        "label": label,
        "tellPage": on_page is not None,
    }
    call = _Call(text, key, layers or Layers(), options, on_chunk, on_mark, on_page)
    event: DocumentEvent = view.extra.pop("event", DocumentEvent())
    _fragment(call)
    return event


def marked_span(text: str, start: int, end: int, positions: Utf16Map) -> tuple[int, int] | None:
    """Code point range of marked UTF-16 positions, blank ends left out; None when all is blank."""
    first, last = positions.span(start, end)
    piece = text[first:last]
    if not piece.strip():
        return None
    first += len(piece) - len(piece.lstrip())
    return first, first + len(piece.strip())


@st.fragment
def _fragment(call: _Call) -> None:
    data = window.payload(call.text, call.layers, _view(call.key))
    _render(
        key=call.key,
        data=data | call.options,
        on_ask_change=lambda: _asked(call),
        on_picked_change=lambda: _picked(call),
        on_marked_change=lambda: _marked(call),
        on_turned_change=lambda: _turned(call),
    )


def _view(key: str) -> View:
    view = st.session_state.get(_STATE + key)
    if not isinstance(view, View):
        view = st.session_state[_STATE + key] = View()
    return view


def _message(call: _Call, name: str) -> tuple[dict[str, Any], View] | None:
    """What the browser sent, when it is about the text that is shown now."""
    message, view = getattr(st.session_state.get(call.key), name, None), _view(call.key)
    if not isinstance(message, dict) or message.get("token") != view.token:
        return None
    return message, view


def _number(message: dict[str, Any], name: str) -> int:
    value = message.get(name)
    return int(value) if isinstance(value, (int, float)) else 0


def _asked(call: _Call) -> None:
    """More text, a match, a page or a place was asked for."""
    if (got := _message(call, "ask")) is None:
        return
    message, view = got
    at = window.utf16(call.text).to_code_point(_number(message, "at"))
    match message.get("kind"):
        case "window":
            view.at, view.goto = at, None
        case "at":
            view.scroll_to(at, at)
        case "find":
            view.query = str(message.get("query", ""))[:200]
            view.match = -1
            window.step(view, call.text, 0, at)
        case "step":
            window.step(view, call.text, -1 if _number(message, "step") < 0 else 1, at)
        case "page":
            page = window.page_named(call.layers.pages, str(message.get("name", "")))
            _turn_to(view, page)
        case "sheet":
            number = _number(message, "number")
            _turn_to(view, next((p for p in call.layers.pages if p.number == number), None))
        case "chunk":
            _next_chunk(call, view, at, _number(message, "step"))


def _turn_to(view: View, page: Page | None) -> None:
    if page is not None:
        view.scroll_to(page.start, page.start)


def _next_chunk(call: _Call, view: View, at: int, direction: int) -> None:
    starts = [c.start for c in call.layers.chunks]
    later, earlier = [s for s in starts if s > at], [s for s in starts if s < at]
    if direction < 0 and earlier:
        view.scroll_to(max(earlier), max(earlier))
    elif direction > 0 and later:
        view.scroll_to(min(later), min(later))


def _picked(call: _Call) -> None:
    got = _message(call, "picked")
    known = {c.id for c in (*call.layers.chunks, *call.layers.other)}
    if got is None or (chunk := str(got[0].get("chunk"))) not in known:
        return
    got[1].extra["event"] = DocumentEvent(chunk=chunk)
    if call.on_chunk is not None:
        call.on_chunk(chunk)
    st.rerun()


def _turned(call: _Call) -> None:
    if (got := _message(call, "turned")) is None or call.on_page is None:
        return
    call.on_page(_number(got[0], "number"))
    st.rerun()


def _marked(call: _Call) -> None:
    if (got := _message(call, "marked")) is None:
        return
    message, view = got
    positions = window.utf16(call.text)
    span = marked_span(call.text, _number(message, "start"), _number(message, "end"), positions)
    if span is None:
        return
    view.extra["event"] = DocumentEvent(marked=span)
    if call.on_mark is not None:
        call.on_mark(*span)
    st.rerun()
