"""The runs as a table: which are drawn, their measures, what differs, notes to write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from ragdebug.runs import DONE, RUNNING, Run
from ragdebug.settings import fingerprint
from ragdebug.ui import literal, tables
from ragdebug.ui.questions import doing
from ragdebug.ui.results import differing, paging, removed, taking, view, words
from ragdebug.ui.results.view import MOST, View

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import RunRow

FIRST = ("recall@5", "recall@2000t", "rr@10", "tokens@5")
PAGE = 12
_ROUND = "_results_table_round"


def draw(v: View) -> None:
    """Draw the table and what can be done with the ticked runs."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**Runs**", width="content")
        more = _more(v)
    shown, _ = paging.page(v.runs, "runs", "runs", PAGE)
    measures = list(dict.fromkeys([*FIRST, *more]))
    # Runs that are drawn have their numbers already; each other one is measured by itself.
    rows = [v.ask("run_rows", (r.id,), tuple(measures), v.share, v.tag, runs=[r])[0] for r in shown]
    frame = _frame(v, shown, rows, measures)
    key = "_results_runs_" + fingerprint(
        [[r.id for r in shown], v.ids, [r.note for r in shown], st.session_state.get(_ROUND, 0)]
    )[:12]  # fmt: skip
    st.data_editor(
        frame,
        key=key,
        on_change=_edited,
        args=(key, v, shown),
        hide_index=True,
        disabled=[c for c in frame.columns if c not in ("drawn", "note")],
        column_config=_config(v, measures, shown),
        height=tables.height(len(shown), 480),
        placeholder="",
        alt="Runs with their measures",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f"Ticked runs, {MOST} at most, are drawn and compared. Means with 95% intervals. "
            "A note is written in its cell.",
            width="content",
        )
        taking.buttons(v)
    removed.undo(v.wb)


def _more(v: View) -> list[str]:
    names = [n for n in v.wb.measure_names() if n not in FIRST]
    with st.popover("Further measures", icon=":material/view_column:", type="tertiary",
                    key="results_more"):  # fmt: skip
        chosen = st.multiselect(
            "Further measures",
            names,
            key="_results_columns",
            persist_state="session",
            placeholder="none",
            label_visibility="collapsed",
        )
        for name in chosen:
            literal.small(f"{name}: {v.wb.measure_definition(name)}")
    return list(chosen)


def _frame(
    v: View, runs: Sequence[Run], rows: Sequence[RunRow], measures: Sequence[str]
) -> pd.DataFrame:
    drawn = set(v.ids)
    columns: dict[str, Sequence[Any]] = {
        "drawn": [r.id in drawn for r in runs],
        "run": [r.id for r in runs],
        "strategy": [r.label or r.strategy for r in runs],
        "n": [row.n for row in rows],
    }
    for name in measures:
        columns[name] = [words.mean(row.metrics[name], name, row.n) for row in rows]
    columns["ms"] = [
        None if row.milliseconds is None else round(row.milliseconds, 1) for row in rows
    ]
    columns["note"] = [r.note for r in runs]
    remarks = [", ".join(_remarks(r, row)) for r, row in zip(runs, rows, strict=True)]
    if any(remarks):
        columns["remarks"] = remarks
    columns |= {n: c for n, c in differing.columns(runs).items() if n not in columns}
    columns["made (UTC)"] = [words.when(r) for r in runs]
    return pd.DataFrame(columns)


def _remarks(run: Run, row: RunRow) -> list[str]:
    """What has to be known before its numbers are believed."""
    state = [] if run.state in (DONE, RUNNING) else [run.error] if run.error else []
    left = [
        f"{count:,} {what}"
        for count, what in (
            (row.unlabelled, "unlabelled"),
            (row.unanswerable, "not answerable"),
        )
        if count
    ]
    return [*row.notes, *state, *([f"left out: {', '.join(left)}"] if left else [])]


def _config(v: View, measures: Sequence[str], runs: Sequence[Run]) -> dict[str, Any]:
    titles = words.titles(measures, runs)
    config: dict[str, Any] = {
        name: st.column_config.TextColumn(
            titles[name], help=literal.plain(v.wb.measure_definition(name), 600)
        )
        for name in measures
    }
    return config | {
        "drawn": st.column_config.CheckboxColumn("", width=40, pinned=True),
        "run": st.column_config.TextColumn(width=84, pinned=True),
        "strategy": st.column_config.TextColumn(width=190, pinned=True),
        "n": st.column_config.NumberColumn(
            format="localized", width=56, help="Questions that count in the means."
        ),
        "ms": st.column_config.NumberColumn(
            format="%.1f",
            width=68,
            help="Milliseconds a question, embedding and search. Empty where scores of the "
            "reranker were remembered: then it says nothing about a search.",
        ),
        "note": st.column_config.TextColumn(width=200, max_chars=2000),
        "remarks": st.column_config.TextColumn(width=300),
    }


def _edited(key: str, v: View, shown: Sequence[Run]) -> None:
    """A tick or a note was changed."""
    edits = st.session_state[key]["edited_rows"]
    drawn = list(v.drawn)
    for row, values in edits.items():
        run = shown[int(row)]
        if "note" in values and (values["note"] or "") != run.note:
            doing.attempt(v.wb.note_run, run.id, values["note"] or "")
        if "drawn" in values:
            drawn = [r for r in drawn if r.id != run.id] + ([run] if values["drawn"] else [])
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    if len(drawn) > MOST:
        st.toast(f"At most {MOST} runs are drawn; untick another one first.")
    elif {r.id for r in drawn} != set(v.ids):
        view.draw(drawn)
