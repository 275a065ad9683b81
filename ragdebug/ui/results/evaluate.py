"""Evaluate now: which strategies, on which questions, how long it would take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.questions import LABELLED, Question
from ragdebug.runs import Run
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    OUTSIDE,
    PRESETS,
    ChunkingSettings,
    StrategySettings,
    parse_strategies,
)
from ragdebug.ui import literal
from ragdebug.ui.results import running
from ragdebug.ui.results.view import EVERY
from ragdebug.ui.search import form
from ragdebug.ui.search.column_settings import outside
from ragdebug.ui.search.columns import TITLES

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.evaluation.reports import PlannedRun

MOST_CHUNKINGS = 8
_OUTSIDE = tuple(f"{name}:" for name in OUTSIDE)


def draw(wb: Workbench, runs: Sequence[Run], questions: Sequence[Question]) -> None:
    """The drawer with the form, open while there is nothing to look at."""
    drawer = st.expander(
        "Evaluate", icon=":material/play_circle:", expanded=not runs, key="results_evaluate"
    )
    with drawer:
        presets, cuts, model = _choice(wb, runs)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            more = st.text_input(
                "Further strategies",
                key="_results_more_strategies",
                persist_state="session",
                placeholder="hybrid+rrf_k=20, bm25@fixed:200/0+k1=0.9",
                width=300,
                help="In text form, separated by commas; on the first chunking where they name "
                "none.",
            )
            named = _named(wb)
            tag = _tag(questions)
            note = st.text_input(
                "Note",
                key="_results_note",
                max_chars=2000,
                placeholder="kept with the runs: what was changed, and why",
                width=300,
            )
        strategies = _strategies(presets, cuts, model, more or "")
        strategies = list(dict.fromkeys([*strategies, *named]))
        asked = [q for q in questions if not tag or tag in q.tags]
        _counted(strategies, asked)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                "Evaluate",
                type="primary",
                icon=":material/play_arrow:",
                key="results_start",
                disabled=not (strategies and asked),
                on_click=running.start,
                args=(wb, strategies, tag),
                kwargs={"note": (note or "").strip()},
                help="In the background, the cheapest first; each run is below when it is done. "
                "What would take minutes waits for your yes.",
            )
            st.button(
                "Estimate first",
                key="results_plan",
                disabled=not (strategies and asked),
                on_click=running.plan,
                args=(wb, strategies, tag),
            )
        _estimate(wb, strategies, tag)


def _choice(wb: Workbench, runs: Sequence[Run]) -> tuple[list[str], list[str], str]:
    """Presets, chunkings and the model."""
    # In a row of their own: beside other fields, many of them or long names leave the box.
    presets = st.pills(
        "Strategies",
        [*PRESETS, *outside(wb)],
        selection_mode="multi",
        default=list(PRESETS),
        format_func=lambda one: TITLES.get(one, literal.one_line(one, 40)),
        key="_results_presets",
        persist_state="session",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        now = str(st.session_state.get("_search_chunking", ChunkingSettings()))
        cut_here = [r.chunking for r in runs if not r.strategy.startswith(_OUTSIDE)]
        known = list(dict.fromkeys([now, *cut_here, "fixed:200/0:tokens:label"]))
        cuts = st.multiselect(
            "Chunkings",
            known,
            default=[now],
            format_func=_short,
            key="_results_chunkings",
            persist_state="session",
            accept_new_options=True,
            max_selections=MOST_CHUNKINGS,
            width=260,
            help="Type others, such as structure:120/20 or fixed:400/0:chars:nolabel.",
        )
        models = [m.name for m in wb.models() if m.kind == "embedder"]
        model = st.selectbox(
            "Model",
            models,
            index=models.index(DEFAULT_EMBEDDER) if DEFAULT_EMBEDDER in models else 0,
            key="_results_model",
            persist_state="session",
            accept_new_options=True,
            width=210,
            help="Embedding model. Others of the hub have to be fetched first, on the Search page.",
        )
    return list(presets), list(cuts), str(model or DEFAULT_EMBEDDER)


def _strategies(
    presets: Sequence[str], cuts: Sequence[str], model: str, more: str
) -> list[StrategySettings]:
    """The form's choice; nothing, with the reason, where a part of it is impossible."""
    made: list[StrategySettings] = []
    try:
        base = StrategySettings(embedder=model)
        for cut in cuts:
            chunking = ChunkingSettings.parse(cut)
            here = [p for p in presets if p in PRESETS]
            made += [StrategySettings(preset=p, chunking=chunking, embedder=model) for p in here]
        made += [StrategySettings.parse(p) for p in presets if p not in PRESETS]
        if more.strip():
            made += parse_strategies(more, made[0] if made else base)
    except RagDebugError as error:
        literal.problem(error)
        return []
    return list(dict.fromkeys(made))


def _named(wb: Workbench) -> list[StrategySettings]:
    """Strategies that somebody gave a name to; no field where there are none."""
    known = wb.named_strategies()
    if not known:
        return []
    chosen = st.multiselect(
        "Named strategies",
        list(known),
        format_func=lambda name: literal.one_line(name, 60),
        key="_results_named",
        persist_state="session",
        placeholder="none",
        width=240,
    )
    return [known[name] for name in chosen if name in known]


def _short(chunking: str) -> str:
    try:
        return form.short(chunking)
    except RagDebugError:
        return chunking


def _tag(questions: Sequence[Question]) -> str:
    tags = sorted({tag for q in questions for tag in q.tags})
    chosen = st.selectbox("Questions", [EVERY, *tags], key="_results_slice", width=220)
    return "" if chosen in (None, EVERY) else str(chosen)


def _counted(strategies: Sequence[StrategySettings], asked: Sequence[Question]) -> None:
    labelled = sum(q.state == LABELLED for q in asked)
    runs = many(len(strategies), "run")
    few = " Below 10 labelled questions nothing is told apart." if 0 < labelled < 10 else ""
    none = " Without labels only the lists themselves can be compared." if not labelled else ""
    st.caption(f"{runs} on {len(asked):,} questions, {labelled:,} of them labelled.{few}{none}")


def _estimate(wb: Workbench, strategies: Sequence[StrategySettings], tag: str) -> None:
    """The last plan, where it is one of what is chosen now."""
    wanted = running.key(strategies, tag)
    job = next((j for j in wb.jobs.list() if (j.kind, j.key) == (running.PLAN, wanted)), None)
    if job is None:
        return
    if job.active:
        st.caption(":material/hourglass_top: Estimating; the sidebar says how far.")
    elif job.state == "done":
        rows: list[PlannedRun] = job.result
        st.dataframe(
            [
                {
                    "strategy": p.label,
                    "questions": p.questions,
                    "texts to index": p.unindexed,
                    "passages to rerank": p.passages,
                    "about": literal.duration(p.estimate_s) if p.estimate_s else "seconds",
                    "": "waits for your yes" if p.waits else "",
                }
                for p in rows
            ],
            hide_index=True,
            height="content",
            key="results_plan_table",
        )
