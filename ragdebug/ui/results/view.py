"""What is looked at: which runs are drawn, by which measure, on which questions."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.runs import DONE, Run
from ragdebug.ui import literal, state
from ragdebug.ui.results import kept, words
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST = 6  # runs drawn at once
MEASURE, SHARE = "recall@5", "0.9"
SHARES = ("0.5", "0.8", "0.9", "1.0")
EVERY = "all questions"


@dataclass(frozen=True, slots=True)
class View:
    """The runs and settings that all parts of the page share.

    Attributes:
        wb: the workspace.
        runs: all that are kept, newest first.
        drawn: those in charts and comparisons, in the order they are drawn.
        names: run id -> name among those drawn; for all runs.
        measure: for the comparison, the questions and the history.
        share: share of a passage that counts as found.
        tag: only questions with this tag; "" for all.
    """

    wb: Workbench
    runs: tuple[Run, ...]
    drawn: tuple[Run, ...]
    names: dict[str, str]
    measure: str
    share: float
    tag: str

    @property
    def ids(self) -> tuple[str, ...]:
        """Of the runs that are drawn."""
        return tuple(r.id for r in self.drawn)

    def ask(self, use_case: str, *args: Hashable, runs: Sequence[Run] | None = None) -> Any:  # noqa: ANN401
        """A number of the workbench; `runs` are those it looks at, the drawn ones by default."""
        looked = kept.state_of(self.drawn if runs is None else runs)
        return kept.ask(self.wb, use_case, looked, *args)


def default(runs: Sequence[Run]) -> list[Run]:
    """The newest finished run of each strategy, the newest strategies first."""
    newest: dict[str, Run] = {}
    for run in runs:
        if run.state == DONE:
            newest.setdefault(run.strategy, run)
    return list(newest.values())[:MOST]


def draw(runs: Sequence[Run]) -> None:
    """Draw these from the next run on; none for the default. For callbacks."""
    state.put(Key.RUNS, ",".join(r.id for r in runs))


def read(wb: Workbench, runs: Sequence[Run]) -> View:
    """Draw the widgets that all parts share, and return the view. Call once a run."""
    asked = state.url_value(Key.RUNS, "", check=_ids)
    by_id = {r.id: r for r in runs}
    drawn = [by_id[i] for i in asked if i in by_id][:MOST]
    if missing := [i for i in asked if i not in by_id]:
        literal.note(f"No longer here: {', '.join(missing)}.")
    drawn = drawn or default(runs)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        measure = _measure(wb)
        share = st.segmented_control(
            "Found counts from",
            SHARES,
            default=SHARE,
            required=True,
            key=Key.SHARE,
            bind="query-params",
            help="The share of a passage that the first hits must hold, together, for it to count "
            "as found. Nothing is searched again.",
        )
        tag = _tag(wb)
    return View(
        wb,
        tuple(runs),
        tuple(sorted(drawn, key=_order)),
        words.names(runs) | words.names(drawn),
        measure,
        float(share or SHARE),
        tag,
    )


def _ids(text: str) -> tuple[str, ...]:
    ids = tuple(i for i in text.split(",") if i)
    if len(ids) > MOST or not all(re.fullmatch(r"[0-9a-zA-Z_-]{1,40}", i) for i in ids):
        raise ValueError(text)
    return tuple(dict.fromkeys(ids))


def _order(run: Run) -> tuple[int, str, str]:
    presets = ("vector", "bm25", "hybrid", "reranked")
    preset = run.strategy.partition("@")[0]
    return (presets.index(preset) if preset in presets else 9, run.strategy, run.created_at)


def _measure(wb: Workbench) -> str:
    names = list(wb.measure_names())
    chosen = st.selectbox(
        "Measure",
        names,
        index=names.index(MEASURE),
        key=Key.MEASURE,
        bind="query-params",
        accept_new_options=True,
        width=180,
        help="For comparisons, questions and history. Any k or budget can be typed: recall@7, "
        "recall@1500t.",
    )
    try:
        wb.measure_definition(chosen or MEASURE)
    except RagDebugError as error:
        literal.note(error.message, error.hint)
        return MEASURE
    return chosen or MEASURE


def _tag(wb: Workbench) -> str:
    tags = sorted({tag for q in wb.questions() for tag in q.tags})
    if not tags:
        return ""
    chosen = st.selectbox(
        "Questions",
        [EVERY, *tags],
        key=Key.TAG,
        bind="query-params",
        width=220,
        help="Only questions that had this tag when the run was made.",
    )
    return "" if chosen in (None, EVERY) else str(chosen)
