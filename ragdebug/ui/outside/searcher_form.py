"""The form of a searcher: how it is asked, where its hits stand, tried out on a query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import SearcherSettings
from ragdebug.settings.searcher import BODY, HTTP, METHODS, PYTHON, ROLES, parse_header
from ragdebug.ui import literal
from ragdebug.ui.outside import trial

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_KINDS = {HTTP: "HTTP address", PYTHON: "Python function"}
_OUTCOME = "_outside_s_outcome"
_AGREED = "_outside_s_agreed"
_LOADED = "_outside_s_loaded"  # name of the searcher that is being changed
_TEXTS = ("name", "target", "url", "body", "headers", "key_env", "hits",
          *(f"field_{role}" for role in ROLES))  # fmt: skip
_DEFAULTS: dict[str, Any] = {
    "kind": HTTP, "method": "POST", "timeout": 30.0, "retries": 2, "rpm": 0, "parallel": 1,
    "depth": 20, **dict.fromkeys(_TEXTS, ""),
}  # fmt: skip


def _key(name: str) -> str:
    return f"_outside_s_{name}"


def draw(wb: Workbench) -> None:
    """Draw the form, the trial, and the button that keeps it."""
    for name, value in _DEFAULTS.items():
        st.session_state.setdefault(_key(name), value)
    left, right = st.columns([1, 2])
    left.text_input(
        "Name", key=_key("name"), placeholder="prod", max_chars=40,
        help="Strategies call it searcher:NAME.",
    )  # fmt: skip
    with right:
        kind = st.segmented_control(
            "What it is", list(_KINDS), format_func=_KINDS.__getitem__, key=_key("kind"),
            required=True,
        )  # fmt: skip
    if kind == PYTHON:
        _python(wb)
    else:
        _http()
    with st.expander("Where its hits stand, pace, time-out", icon=":material/tune:"):
        _mapping()
        _pace()
    try:
        settings = _settings(str(kind or HTTP))
    except RagDebugError as error:
        if st.session_state[_key("url")] or st.session_state[_key("target")]:
            literal.note(error.message, error.hint)
        return
    _try_and_add(wb, settings)


def _python(wb: Workbench) -> None:
    offered = ", ".join(wb.searcher_entry_points())
    st.text_input(
        "Function",
        key=_key("target"),
        placeholder="mysearch:search",
        help="module:function, importable where the app was started, or the name of an entry point"
        f" of the group ragdebug.searchers{f': {literal.plain(offered)}' if offered else ''}. It is"
        " called with (query), (query, k) or (query, k, filter).",
    )


def _http() -> None:
    left, right = st.columns([1, 5])
    method = left.selectbox("Method", METHODS, key=_key("method"))
    right.text_input(
        "Address",
        key=_key("url"),
        placeholder="https://search.example.com/find?q={query}&n={k}"
        if method == "GET"
        else "https://search.example.com/find",
        help="{query}, {k} and {filter} in it are filled in. Without a key in it.",
    )
    if method != "GET":
        st.text_area(
            "Body, JSON", key=_key("body"), placeholder=BODY, height=80,
            help="{query}, {k} and {filter} stand for JSON values.",
        )  # fmt: skip
    left, right = st.columns(2)
    left.text_area(
        "Headers, one a line", key=_key("headers"), placeholder="X-Api-Key: ${SEARCH_KEY}",
        height=80, help="${NAME} stands for an environment variable; a key itself is refused.",
    )  # fmt: skip
    right.text_input(
        "Environment variable with a bearer token", key=_key("key_env"), placeholder="none needed"
    )


def _mapping() -> None:
    st.caption("Empty fields are guessed from the answer; the trial says what was taken.")
    columns = st.columns(3)
    columns[0].text_input("List of hits", key=_key("hits"), placeholder="such as hits.hits")
    for at, role in enumerate(ROLES, 1):
        columns[at % 3].text_input(
            role, key=_key(f"field_{role}"), placeholder="such as _source.body"
        )


def _pace() -> None:
    one, two, three, four, five = st.columns(5)
    one.number_input("Longest wait, s", 0.5, 3600.0, key=_key("timeout"))
    two.number_input("Retries", 0, 20, key=_key("retries"))
    three.number_input("Requests a minute", 0, None, key=_key("rpm"), help="0: no limit")
    four.number_input("At the same time", 1, 64, key=_key("parallel"))
    five.number_input("Hits, at least", 0, 1000, key=_key("depth"))


def _settings(kind: str) -> SearcherSettings:
    got = {name: st.session_state.get(_key(name), _DEFAULTS[name]) for name in _DEFAULTS}
    lines = [line for line in str(got["headers"]).splitlines() if line.strip()]
    web = {
        "url": got["url"],
        "method": got["method"],
        "body": got["body"].strip() if got["method"] != "GET" else "",
        "headers": tuple(parse_header(line) for line in lines),
        "key_env": got["key_env"].strip(),
    }
    return SearcherSettings(
        name=got["name"].strip() or "new",
        kind=kind,
        target=got["target"] if kind == PYTHON else "",
        hits=got["hits"],
        fields=tuple((r, got[f"field_{r}"]) for r in ROLES if got[f"field_{r}"].strip()),
        depth=int(got["depth"]),
        timeout_s=float(got["timeout"]),
        retries=int(got["retries"]),
        requests_per_minute=float(got["rpm"]),
        parallel=int(got["parallel"]),
        **(web if kind == HTTP else {}),
    )


def _try_and_add(wb: Workbench, settings: SearcherSettings) -> None:
    from ragdebug.ui.outside import searchers

    what = "runs this code" if settings.kind == PYTHON else f"sends queries to {settings.where}"
    yes = st.checkbox(
        f"I know where it comes from: asking it {literal.plain(what, 120)}.", key=_AGREED
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        query = st.text_input(
            "Ask it", key="_outside_s_query", placeholder="ask it something",
            label_visibility="collapsed", width="stretch",
        )  # fmt: skip
        tried = st.button(
            "Try it", key="outside_s_try", icon=":material/play_arrow:", disabled=not yes
        )
        named = bool(re.sub(r"\s", "", st.session_state[_key("name")]))
        add = st.button(
            "Keep it" if loaded() else "Add it",
            key="outside_s_add",
            type="primary",
            icon=":material/save:" if loaded() else ":material/add:",
            disabled=not (yes and named),
            help=None if named else "Give it a name first.",
        )
    if tried and not query.strip():
        literal.small("Type what to ask it first.")
    elif tried:
        st.session_state[_OUTCOME] = _ask(wb, settings, query)
    if add:
        try:
            wb.add_searcher(settings, on_page=True)
        except RagDebugError as error:
            literal.problem(error)
            return
        _clear()
        searchers.added(settings)
        st.rerun()
    if (outcome := st.session_state.get(_OUTCOME)) is not None:
        trial.draw(outcome, "outside_new")


def _ask(wb: Workbench, settings: SearcherSettings, query: str) -> object:
    try:
        wb.allow_searcher(settings, on_page=True)
    except RagDebugError as error:
        return error
    return trial.ask(wb, settings, query)


def loaded() -> str:
    """Name of the searcher that is being changed, "" for none."""
    return str(st.session_state.get(_LOADED, ""))


def _clear() -> None:
    for name in (*map(_key, _DEFAULTS), _OUTCOME, _AGREED, _LOADED):
        st.session_state.pop(name, None)


def load(settings: SearcherSettings) -> None:
    """Put a registered searcher into the form. For callbacks."""
    _clear()
    values: dict[str, Any] = {
        **_DEFAULTS,
        "name": settings.name,
        "kind": settings.kind,
        "target": settings.target,
        "url": settings.url,
        "method": settings.method,
        "body": settings.body,
        "headers": "\n".join(f"{n}: {v}" for n, v in settings.headers),
        "key_env": settings.key_env,
        "hits": settings.hits,
        "timeout": float(settings.timeout_s),
        "retries": int(settings.retries),
        "rpm": int(settings.requests_per_minute),
        "parallel": int(settings.parallel),
        "depth": int(settings.depth),
        **{f"field_{role}": path for role, path in settings.fields},
    }
    for name, value in values.items():
        st.session_state[_key(name)] = value
    st.session_state[_LOADED] = settings.name
