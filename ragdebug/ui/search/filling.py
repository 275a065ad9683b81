"""What the page wants to see, what is there of it, and what the rest waits for."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import Place, ResultList, TermInfo
from ragdebug.settings import BM25Settings, ChunkingSettings, StrategySettings, is_remote
from ragdebug.ui import indexing, literal, sending
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.results import Failure, Kept, Results, Wanted
from ragdebug.workbench.searching import failed_list

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

LIGHT_S = 2.0  # the longest the page waits for lists that need no model
APART_S = 0.3  # the longest it waits for another system
READY_S = 0.8  # the longest it waits for the others, when their models are in memory
PARTIAL_S = 4.0  # how often a part-built list is searched again
_RESULTS = "_search_results"


@dataclass(slots=True)
class Filled:
    """The columns of this run.

    Attributes:
        columns: what was asked for.
        lists: by column name, what is there.
        pending: by column name, what the others wait for.
        terms: of the query, None while they are not known.
        incomplete: (chunking, model) pairs that are not fully indexed.
        version: of the results that were drawn.
        busy: something is still being computed.
        partial: some list is part-built, and a job is building it.
        light: what needs no model is all drawn, so that models may be loaded now.
    """

    query: str
    columns: Sequence[Column]
    lists: dict[str, ResultList] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    terms: tuple[TermInfo, ...] | None = None
    incomplete: list[StrategySettings] = field(default_factory=list)
    version: int = 0
    busy: bool = False
    partial: bool = False
    light: bool = True

    @property
    def complete(self) -> bool:
        """Whether every column is there."""
        return len(self.lists) == len(self.columns)

    @property
    def comparable(self) -> list[Column]:
        """Columns with a list, from left to right; one that failed has none."""
        lists = self.lists
        return [c for c in self.columns if c.name in lists and not lists[c.name].error]

    def identity(self) -> tuple[Any, ...]:
        """Changes with anything that is drawn of the lists."""
        return (
            *(id(self.lists.get(c.name)) for c in self.columns),
            *((c.name, c.title, c.chips, c.subtitle) for c in self.columns),
            *self.pending.items(),
        )


def results() -> Results:
    """The results of this session."""
    found = st.session_state.get(_RESULTS)
    if not isinstance(found, Results):
        found = st.session_state[_RESULTS] = Results()
    return found


def search_again(wb: Workbench, query: str) -> None:
    """A person searches again: other systems are asked anew, and what failed is tried again."""
    wb.ask_anew(query)
    indexing.graphs_again()
    results().forget(lambda value: _is_failed(value) or _is_asked(value))


def _is_asked(value: Any) -> bool:  # noqa: ANN401 - any value that is kept
    return isinstance(value, ResultList) and value.strategy.startswith("searcher:")


def fill(wb: Workbench, query: str, columns: Sequence[Column], places: Sequence[Place]) -> Filled:
    """Ask for what is missing, wait a moment for it, and say what is there."""
    kept = results()
    revision = wb.revision()
    root: tuple[Hashable, ...] = (str(wb.path), revision)
    yes = {c.name: sending.agreed(wb, [c.strategy]) for c in columns}
    allowed = sending.names(wb)
    keys: dict[str, Hashable] = {
        c.name: (
            *root,
            "list",
            query,
            str(c.strategy),
            tuple(places),
            yes[c.name],
            wb.list_mark(c.strategy),
        )
        for c in columns
    }
    share_keys: dict[str, Hashable] = {
        c.name: (*root, "share", str(c.strategy.chunking), c.strategy.embedder)
        for c in columns
        if c.strategy.uses_vectors
    }
    term_settings = next((c.strategy.bm25 for c in columns if c.strategy.uses_bm25), BM25Settings())
    cut = next((c.strategy.chunking for c in columns if not c.strategy.is_outside), None)
    cut = ChunkingSettings() if cut is None else cut
    term_key = (*root, "terms", query, str(cut), term_settings)
    working = bool(wb.jobs.active("index") or wb.jobs.active("ingest"))
    ended = max((j.finished_at for j in wb.jobs.list()), default=0.0)

    def stale(entry: Kept | None) -> bool:
        if entry is not None and _is_failed(entry.value):
            return entry.made_at < ended  # a job may have brought what was missing
        return entry is None or (
            _is_partial(entry.value)
            and (
                entry.made_at < ended
                or (working and time.time() - entry.made_at > PARTIAL_S)
                or time.time() - entry.made_at > 30
            )
        )

    # Cheap things first: BM25 lists, the terms, and how much is indexed.
    memos: dict[Any, Any] = {}

    def search(column: Column) -> ResultList:
        with sending.within(allowed):
            wb.load_models(column.strategy)
            return wb.search_one(query, column.strategy, expect=places, memos=memos)

    def list_of(column: Column, *, heavy: bool) -> Wanted:
        apart = column.strategy.preset == "searcher"
        return Wanted(keys[column.name], lambda: search(column), heavy, apart)

    light = [
        list_of(c, heavy=False)
        for c in columns
        if not c.strategy.uses_vectors and stale(kept.get(keys[c.name]))
    ]
    if stale(kept.get(term_key)):
        light.append(Wanted(term_key, lambda: wb.query_terms(query, cut, term_settings)))
    for c in columns:
        key = share_keys.get(c.name)
        if key is not None and stale(kept.get(key)) and key not in [w.key for w in light]:
            s = c.strategy
            light.append(Wanted(key, lambda s=s: wb.indexed(s.chunking, s.embedder)))  # type: ignore[misc]
    dense = [c for c in columns if c.strategy.uses_vectors]
    loaded = {c.name: not wb.models_missing(c.strategy) for c in dense}

    def heavy() -> list[Wanted]:
        return [
            list_of(c, heavy=True)
            for c in dense
            if _share(kept.get(share_keys[c.name]))
            and not graphs.get(c.name)
            and stale(kept.get(keys[c.name]))
        ]

    if light:
        kept.want([*light], at_once=False)
        kept.wait([w.key for w in light if not w.apart], LIGHT_S)
        kept.wait([w.key for w in light if w.apart], APART_S)
    # Before anything is looked at: for what comes after that the page has to run again.
    version = kept.version
    missing = [w for w in light if not w.apart and kept.get(w.key) is None]
    # An approximate index takes minutes where there are many vectors: not within a search.
    graphs = {
        c.name: indexing.graph(wb, c.strategy)
        for c in dense
        if _share(kept.get(share_keys[c.name])) == 1
    }
    more = heavy()
    if more:
        kept.want([*missing, *more], at_once=all(loaded.values()))
        quick = [keys[c.name] for c in dense if loaded[c.name]]
        if quick and all(loaded.values()):
            kept.wait([w.key for w in more if w.key in quick], READY_S)

    filled = Filled(query, columns, version=version, light=not missing)
    for c in columns:
        entry = kept.get(keys[c.name])
        if c.strategy.uses_vectors:
            share = _share(kept.get(share_keys[c.name]))
            if share is not None and share < 1:
                filled.incomplete.append(c.strategy)
                filled.partial = working
            if share == 0.0:
                entry = None
                filled.pending[c.name] = _waits_for_index(wb, c)
        if graphs.get(c.name):
            filled.pending[c.name] = graphs[c.name]
            filled.partial = filled.partial or bool(wb.jobs.active("index"))
        elif entry is not None:
            filled.lists[c.name] = _as_list(entry.value, c)
        elif c.name not in filled.pending:
            filled.pending[c.name] = _waits_for(wb, c)
            filled.busy = True
    term_entry = kept.get(term_key)
    if term_entry is not None and not isinstance(term_entry.value, Failure):
        filled.terms = term_entry.value
    else:
        filled.busy = filled.busy or term_entry is None
    waiting = {name for name, why in graphs.items() if why}
    if any(stale(kept.get(k)) for n, k in keys.items() if n not in waiting) and not filled.partial:
        filled.busy = True
    return filled


def _share(entry: Kept | None) -> float | None:
    if entry is None:
        return None
    return 1.0 if isinstance(entry.value, Failure) else float(entry.value)


def _is_partial(value: Any) -> bool:  # noqa: ANN401 - any value that is kept
    if isinstance(value, ResultList):
        return value.trace.indexed < 1
    return isinstance(value, float) and value < 1


def _is_failed(value: Any) -> bool:  # noqa: ANN401 - any value that is kept
    return isinstance(value, Failure) or (isinstance(value, ResultList) and bool(value.error))


def _as_list(value: Any, column: Column) -> ResultList:  # noqa: ANN401 - a list or a failure
    if isinstance(value, ResultList):
        return value
    message, hint = (value.message, value.hint) if isinstance(value, Failure) else (str(value), "")
    return failed_list(column.name, column.strategy, RagDebugError(message, hint=hint))


def _waits_for(wb: Workbench, column: Column) -> str:
    missing = wb.models_missing(column.strategy) if column.strategy.uses_vectors else ()
    if missing:
        return f"loading {missing[0]} …"
    if column.strategy.preset == "reranked":
        return f"reranking {column.strategy.rerank.pool} candidates …"
    if column.strategy.preset == "searcher":
        return f"asking {column.short} …"
    return "searching …"


def _waits_for_index(wb: Workbench, column: Column) -> str:
    """Nothing is indexed yet: how far the job is, or that there is none."""
    s = column.strategy
    job = indexing.running(wb, s.chunking, s.embedder)
    if job is None and is_remote(s.embedder):
        return f"nothing is sent to {s.embedder} yet"
    jobs = [job] if job is not None else [*wb.jobs.active("index"), *wb.jobs.active("ingest")]
    if not jobs:
        return f"0% indexed with {s.embedder}"
    if jobs[0].total:
        return f"being indexed: {jobs[0].done:,} of {jobs[0].total:,} {jobs[0].what} …"
    return "being indexed …"


def watch(wb: Workbench, filled: Filled) -> None:
    """Let models load now, and run the page again when there is something new to draw."""
    kept = results()
    if filled.light:
        kept.release()
    if not (filled.busy or filled.partial):
        return
    # Looking costs a little of what the work needs: seldom while models load.
    loading = any(wb.models_missing(c.strategy) for c in filled.columns)
    seconds = PARTIAL_S / 2 if not filled.busy else 1.0 if loading else 0.4
    st.fragment(_watch, run_every=seconds)(filled.version, filled.partial and not filled.busy)


def _watch(version: int, partial: bool) -> None:
    if results().version != version:
        st.rerun()
    if partial and st.session_state.get("_search_partial_at", 0.0) + PARTIAL_S < time.time():
        st.session_state["_search_partial_at"] = time.time()
        st.rerun()


def offer_index(wb: Workbench, filled: Filled) -> None:
    """What is not indexed, with the buttons; small work starts by itself, on this machine only."""
    sending.offer(wb, filled)
    seen: set[tuple[str, str]] = set()
    for s in filled.incomplete:
        pair = (str(s.chunking), s.embedder)
        if pair not in seen:
            seen.add(pair)
            try:
                indexing.offer(wb, s.chunking, s.embedder)
            except RagDebugError as error:
                literal.problem(error)
