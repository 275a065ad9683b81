"""Queries asked before: this session's, and on request the workspace's.

One session's queries never show in another unasked. Where the address is open to other computers,
they are not written down at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import StrategySettings
from ragdebug.ui import literal, state, workspaces
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search import form
from ragdebug.ui.search.columns import ColumnSpec
from ragdebug.ui.search.form import Asked
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST = 50
_OWN = "_search_past"
_LAST = "_search_last_remembered"

Past = tuple[str, Mapping[str, Any]]


def remember(wb: Workbench, asked: Asked, specs: Sequence[ColumnSpec], expect: str) -> None:
    """Note what is asked now, once."""
    base = asked.base
    view = {
        "k": base.k,
        "filter": [f"{key}={value}" for key, value in base.filter],
        "chunking": str(base.chunking),
        "model": base.embedder,
        "columns": ",".join(map(str, specs)),
        "expect": expect,
    }
    now = (str(wb.path), asked.query, view)
    if not asked.query or st.session_state.get(_LAST) == now:
        return
    st.session_state[_LAST] = now
    mine: list[Past] = st.session_state.setdefault(_OWN, {}).setdefault(str(wb.path), [])
    mine[:] = [(asked.query, view), *(p for p in mine if p != (asked.query, view))][:MOST]
    if _alone():
        strategies = [str(c.strategy) for c in cols.build(specs, base)]
        try:
            wb.remember(asked.query, {"strategies": strategies, "view": view})
        except RagDebugError:
            return  # another program holds the store: the query itself still works


def _alone() -> bool:
    """Whether those who can see the workspace's history may: one computer, or a private link."""
    return workspaces.by_path_allowed() or workspaces.is_private()


def own(wb: Workbench) -> list[Past]:
    """What this session asked, newest first."""
    return list(st.session_state.get(_OWN, {}).get(str(wb.path), []))


def earlier(wb: Workbench) -> list[Past]:
    """What was asked in this workspace before, by whatever session, newest first."""
    found: list[Past] = []
    for past in wb.history(MOST):
        one = (past.query, past.state.get("view") or past.state)
        if one not in found:
            found.append(one)
    return found


def popover(wb: Workbench) -> None:
    """A button with the last queries; picking one restores its settings."""
    with st.popover("History", icon=":material/history:", key="search_history"):
        mine = own(wb)
        _buttons(mine, "own")
        if not mine:
            st.caption("Nothing was asked in this session yet.")
        if not _alone():
            return
        if st.toggle(
            "Earlier sessions, too",
            key="_search_history_all",
            persist_state="session",
            help="The last 50 queries of this workspace, from the command line as well.",
        ):
            _buttons([p for p in earlier(wb) if p not in mine], "earlier")


def _buttons(past: Sequence[Past], group: str) -> None:
    with st.container(gap="xxsmall"):
        for i, (query, view) in enumerate(past):
            st.button(
                f"{literal.plain(query, 80)} :gray[{literal.plain(_short(view), 80)}]",
                key=f"_past_{group}_{i}",
                type="tertiary",
                help=_about(view),
                on_click=restore,
                args=(query, view),
            )


def _short(view: Mapping[str, Any]) -> str:
    """What tells two entries of one query apart."""
    if "columns" not in view:
        return "· command line"
    parts = [form.short(str(view["chunking"]))]
    if view["columns"] != cols.DEFAULT:
        parts.append("own columns")
    if view.get("filter"):
        parts.append(", ".join(map(str, view["filter"])))
    if view.get("expect"):
        parts.append(_expected(str(view["expect"])))
    return "· " + " · ".join(parts)


def _expected(text: str) -> str:
    """The expected passage of an entry in a few words."""
    try:
        refs = state.place_refs(text)
    except ValueError:
        refs = ()
    if not refs:
        return "with expected passage"
    more = f" and {len(refs) - 1:,} more" if len(refs) > 1 else ""
    return f"expects {refs[0].region or f'{refs[0].start:,}–{refs[0].end:,}'}{more}"


def _about(view: Mapping[str, Any]) -> str:
    parts = [
        str(view.get("chunking", "")),
        str(view.get("model", "")),
        str(view.get("columns", "")),
    ]
    return literal.plain(" · ".join(p for p in parts if p) or "asked from the command line", 300)


def restore(query: str, view: Mapping[str, Any]) -> None:
    """Ask a query again as it was asked. For callbacks."""
    st.session_state[Key.QUERY] = query
    state.put(Key.HIT, "")
    if "columns" not in view:
        _restore_strategies(view.get("strategies", ()))
        return
    try:
        base = StrategySettings(
            preset="vector", k=int(view["k"]), embedder=str(view["model"])
        ).changed({})
        cols.check(str(view["columns"]))
        shared = StrategySettings.parse(f"bm25@{view['chunking']}", base)
    except (RagDebugError, ValueError, KeyError):
        return
    _set(shared, [str(f) for f in view.get("filter", ())])
    state.put(Key.COLUMNS, str(view["columns"]))
    state.put(Key.EXPECT, str(view.get("expect", "")))


def _restore_strategies(texts: Sequence[str]) -> None:
    """A query of the command line: whole strategies instead of a view."""
    try:
        strategies = [StrategySettings.parse(str(t)) for t in texts][: cols.MOST]
    except RagDebugError:
        return
    if len(strategies) < cols.FEWEST:
        return
    first = next((s for s in strategies if not s.is_outside), StrategySettings())
    _set(first, [f"{key}={value}" for key, value in first.filter])
    cols.write(
        [
            ColumnSpec(
                s.preset,
                "" if s.is_outside or s.chunking == first.chunking else str(s.chunking),
                cols.own_options(s)
                | ({} if s.embedder == first.embedder else {"model": s.embedder}),
                s.outside,
            )
            for s in strategies
        ]
    )


def _set(shared: StrategySettings, pairs: list[str]) -> None:
    """Put what all columns share into the widgets."""
    c = shared.chunking
    st.session_state.update(
        {
            Key.TOP: shared.k,
            Key.FILTER: pairs,
            Key.MODEL: shared.embedder,
            Key.CHUNKER: c.chooser,
            Key.SIZE: c.size,
            Key.OVERLAP: c.overlap,
            Key.UNIT: c.unit,
            Key.OVERLAP_UNIT: "sentences" if c.overlap_unit else "the same",
            Key.LABEL: c.label,
        }
    )
