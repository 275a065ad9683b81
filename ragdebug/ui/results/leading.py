"""From a question in a result to where it can be looked into."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.questions import Question
from ragdebug.runs import Run
from ragdebug.settings import DEFAULT_EMBEDDER
from ragdebug.ui import state
from ragdebug.ui.results.view import View
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search.expected import ref_of
from ragdebug.ui.state import Key

MOST_PLACES = 12


def to_search(view: View, question: Question) -> None:
    """Open Search with the question, its evidence, and the drawn strategies as columns."""
    refs = [ref_of(p) for need in question.usable_needs for p in need.places][:MOST_PLACES]
    state.go_to_search(question.text, refs, columns(view.drawn))


def columns(runs: Sequence[Run]) -> str:
    """The strategies of runs as columns of the Search page; a single one gets BM25 beside it.

    "" where they cannot be columns, so that those that are there stay.
    """
    specs: list[cols.ColumnSpec] = []
    for run in runs:
        try:
            spec = cols.ColumnSpec.parse(run.strategy)
        except RagDebugError:  # of a version that knew other settings
            continue
        if (model := _own_model(run)) and "model" not in spec.options:
            spec = cols.ColumnSpec(spec.preset, spec.chunking, {"model": model, **spec.options})
        if spec not in specs:
            specs.append(spec)
    if len(specs) == 1:
        other = "bm25" if specs[0].preset != "bm25" else "vector"
        specs.append(cols.ColumnSpec(other, specs[0].chunking))
    return ",".join(map(str, specs[: cols.MOST])) if specs else ""


def _own_model(run: Run) -> str:
    """The run's embedding model, where the Search page has another one for all columns."""
    shared = st.session_state.get(Key.MODEL) or DEFAULT_EMBEDDER
    return run.embedder if run.embedder not in ("", shared) else ""
