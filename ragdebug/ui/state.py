"""All session keys and all of the URL, in one place.

Three homes for a value:

- **A widget whose value belongs in a link**: give it one of the keys below and
  `bind="query-params"`. Streamlit keeps the value in the URL, brings it back after a page switch
  and reads it from a pasted link. The names are shared by all pages, so the same key on two pages
  is the same setting (chunk size on Chunks and on Search, for instance).
- **A widget whose value a person would be annoyed to lose**: `persist_state="session"`.
- **A value that belongs in a link but has no widget** (columns, expected passage, selected hit,
  open document):

      value = state.url_value(Key.HIT, "", check=state.short_text)     once a run, near the top
      state.put(Key.HIT, "c3.1f:0-128")                                any time, e.g. in a callback

  A value from a pasted link is only taken when `check` does not raise ValueError or RagDebugError;
  else a toast says so and the default is used.

Links to other pages carry what they need, explicitly, because a page switch starts an empty URL:

    state.link_to_document("Open", document_id, at=128)      a page link
    state.go_to_search(query, expect=[ref])                  at once, from a button

Checked in a browser with native pages: bound widgets keep their values across a switch and write
them back to the URL on return; so does `url_value`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote, unquote

import streamlit as st

from ragdebug.errors import RagDebugError

T = TypeVar("T")


class Key:
    """Names of session values; the first group also stands in the URL under the same name."""

    # Shared by pages and in the URL, as widgets with bind="query-params".
    QUERY = "q"
    TOP = "k"
    MODEL = "model"
    FILTER = "filter"
    CHUNKER = "chunker"
    SIZE = "size"
    OVERLAP = "overlap"
    UNIT = "unit"
    OVERLAP_UNIT = "overlap_unit"
    LABEL = "label"
    MEASURE = "measure"
    SHARE = "share"
    TAG = "tag"
    CURVE = "curve"
    VIEW = "view"
    EXPLAIN = "explain"
    REMEDIES = "remedies"
    # In the URL without a widget: `url_value`.
    WORKSPACE = "ws"
    SHORT = "s"
    COLUMNS = "columns"
    EXPECT = "expect"
    HIT = "hit"
    DOCUMENT = "doc"
    VERSION = "version"
    AT = "at"
    CHUNK = "chunk"
    QUESTION = "question"
    QUEUE = "queue"
    RUNS = "runs"
    RUN = "run"
    BASE = "base"
    STRATEGY = "strategy"
    NEED = "need"
    # This session only.
    LAST_PAGE = "_last_page"
    WORKSPACE_PATH = "_workspace_path"


HOME = "app.py"
CORPUS, CHUNKS, SEARCH = "pages/1_Corpus.py", "pages/2_Chunks.py", "pages/3_Search.py"
QUESTIONS = "pages/4_Questions.py"
RESULTS = "pages/5_Results.py"
TRACE = "pages/6_Trace.py"
HEALTH = "pages/7_Health.py"
YOUR_SYSTEM = "pages/8_Your_system.py"

_LONGEST = 4000
_WRITTEN = "_url:"  # + key: what this session last put into the URL
_VALUE = "_value:"  # + key: the value itself


def short_text(value: str) -> str:
    """Any text of a bearable length."""
    if len(value) > _LONGEST:
        raise ValueError("too long")
    return value


def one_of(*allowed: str) -> Callable[[str], str]:
    """A check that takes only these values."""

    def check(value: str) -> str:
        if value not in allowed:
            raise ValueError(value)
        return value

    return check


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A check that takes a whole number in a range."""

    def check(value: str) -> int:
        if not re.fullmatch(r"-?\d{1,12}", value) or not low <= int(value) <= high:
            raise ValueError(value)
        return int(value)

    return check


def begin(page: str) -> None:
    """Note which page runs. Called by `frame.page`; tells a switch from the back button."""
    if st.session_state.get(Key.LAST_PAGE) != page:
        st.session_state[Key.LAST_PAGE] = page
        for key in [k for k in st.session_state if str(k).startswith(_WRITTEN)]:
            del st.session_state[key]


def url_value(key: str, default: str, check: Callable[[str], T]) -> T:
    """A value that lives in the URL, and in the session while other pages are open.

    Args:
        key: its name in the URL; see `Key`.
        default: the text it has when nobody has set it; such a value is left out of the URL.
        check: turns the text into the value, or raises ValueError or RagDebugError.
    """
    in_url, stored = st.query_params.get(key), st.session_state.get(_VALUE + key)
    written = st.session_state.get(_WRITTEN + key)
    if in_url is not None and in_url != written:
        text = in_url  # a pasted link, or back and forward
    elif in_url is None and written:
        text = default  # back to before it was set
    else:
        text = default if stored is None else stored
    if st.session_state.pop(f"_put:{key}", False) and stored is not None:
        text = stored
    try:
        value = check(text)
    except (ValueError, RagDebugError):
        if text != default:
            st.toast(f"The link's value for “{key}” cannot be used and was left out.")
        text, value = default, check(default)
    _show(key, text, default)
    return value


def put(key: str, text: str) -> None:
    """Set a URL value; the next `url_value` of the key takes it, here or on another page."""
    st.session_state[_VALUE + key] = text
    st.session_state[f"_put:{key}"] = True


def peek(key: str, default: str = "") -> str:
    """The text of a URL value without reading the URL."""
    return str(st.session_state.get(_VALUE + key, default))


def _show(key: str, text: str, default: str) -> None:
    st.session_state[_VALUE + key] = text
    shown = "" if text == default else text
    if shown:
        if st.query_params.get(key) != shown:
            st.query_params[key] = shown
    elif key in st.query_params:
        del st.query_params[key]
    st.session_state[_WRITTEN + key] = shown


# Places in the URL --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlaceRef:
    """A passage as a link names it: ``document@version:start-end`` and for a region ``!page 3``.

    Version may be shortened to its first 8 letters; the reader resolves it.
    """

    document: str
    version: str
    start: int
    end: int
    region: str = ""

    def __str__(self) -> str:
        """The text form."""
        region = f"!{quote(self.region, safe=' ')}" if self.region else ""
        document = quote(self.document, safe="/ ._-#")
        return f"{document}@{self.version[:8]}:{self.start}-{self.end}{region}"

    @classmethod
    def parse(cls, text: str) -> PlaceRef:
        """Read the text form; ValueError when it is not one."""
        m = re.fullmatch(r"([^@:,!]+)@([0-9A-Za-z]{0,64}):(\d{1,12})-(\d{1,12})(?:!([^,]*))?", text)
        if m is None or int(m[3]) > int(m[4]):
            raise ValueError(text)
        return cls(unquote(m[1]), m[2], int(m[3]), int(m[4]), unquote(m[5] or ""))


def place_refs(text: str) -> tuple[PlaceRef, ...]:
    """A check for `url_value`: places separated by commas."""
    return tuple(PlaceRef.parse(part) for part in text.split(",") if part)


def join(refs: Sequence[PlaceRef]) -> str:
    """The text form of several places."""
    return ",".join(map(str, refs))


# Links --------------------------------------------------------------------------------------------


def _params(values: dict[str, Any]) -> dict[str, str]:
    """Query parameters without the empty ones, the open workspace always among them."""
    workspace = peek(Key.WORKSPACE)
    named = {Key.WORKSPACE: workspace, **values}
    return {k: str(v) for k, v in named.items() if v not in ("", None, ())}


def shared_params(values: dict[str, Any]) -> dict[str, str]:
    """URL of a page with some shared settings, such as the chunking."""
    return _params(values)


def document_params(document: str, at: int | None = None, version: str = "") -> dict[str, str]:
    """URL of a document on the Corpus page, opened at a position."""
    return _params({Key.DOCUMENT: document, Key.AT: at, Key.VERSION: version})


def chunks_params(document: str, at: int | None = None) -> dict[str, str]:
    """URL of a document on the Chunks page."""
    return _params({Key.DOCUMENT: document, Key.AT: at})


def search_params(query: str, expect: Sequence[PlaceRef] = (), columns: str = "") -> dict[str, str]:
    """URL of a search; the other settings stay as they are.

    Args:
        query: what is asked.
        expect: passages that should be found.
        columns: text form of the columns, "" for those that are there.
    """
    return _params({Key.QUERY: query, Key.EXPECT: join(expect), Key.COLUMNS: columns})


def question_params(question: str) -> dict[str, str]:
    """URL of a question on the Questions page."""
    return _params({Key.QUESTION: question})


def trace_params(
    question: str = "", strategy: str = "", query: str = "", expect: Sequence[PlaceRef] = ()
) -> dict[str, str]:
    """URL of a trace: of a question, or of a query with what should be found; under a strategy."""
    return _params(
        {
            Key.QUESTION: question,
            Key.STRATEGY: strategy,
            Key.QUERY: query,
            Key.EXPECT: join(expect),
        }
    )


def link_to_document(label: str, document: str, at: int | None = None) -> None:
    """A link to a document on the Corpus page. `label` is Markdown: see `literal.plain`."""
    st.page_link(
        CORPUS, label=label, icon=":material/article:", query_params=document_params(document, at)
    )


def link_to_chunks(label: str, document: str, at: int | None = None) -> None:
    """A link to a document on the Chunks page. `label` is Markdown."""
    st.page_link(
        CHUNKS, label=label, icon=":material/segment:", query_params=chunks_params(document, at)
    )


def link_to_search(label: str, query: str = "", expect: Sequence[PlaceRef] = ()) -> None:
    """A link to a search. `label` is Markdown."""
    st.page_link(
        SEARCH, label=label, icon=":material/search:", query_params=search_params(query, expect)
    )


def link_to_question(label: str, question: str) -> None:
    """A link to a question on the Questions page. `label` is Markdown."""
    st.page_link(
        QUESTIONS, label=label, icon=":material/quiz:", query_params=question_params(question)
    )


def link_to_trace(label: str, question: str = "", strategy: str = "") -> None:
    """A link to the trace of a question. `label` is Markdown."""
    st.page_link(
        TRACE,
        label=label,
        icon=":material/route:",
        query_params=trace_params(question, strategy),
    )


def go_to_search(query: str, expect: Sequence[PlaceRef] = (), columns: str = "") -> None:
    """Open a search at once; for the code under a button."""
    st.switch_page(SEARCH, query_params=search_params(query, expect, columns))


def go_to_document(document: str, at: int | None = None) -> None:
    """Open a document on the Corpus page at once."""
    st.switch_page(CORPUS, query_params=document_params(document, at))
