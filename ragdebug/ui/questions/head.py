"""The set in one line, and what can be done with it as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.questions import UNLABELLED, Question
from ragdebug.ui import literal
from ragdebug.ui.questions import doing, place, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_FORMATS = {"jsonl": "JSONL", "csv": "CSV", "beir": "BEIR folder (zip)"}


def draw(wb: Workbench, questions: Sequence[Question]) -> None:
    """Counts, the queues, undo and redo, and the ways out."""
    st.markdown(words.summary(questions))
    unlabelled = sum(q.state == UNLABELLED for q in questions)
    waiting = [q for q in questions if words.waits(q)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if unlabelled:
            st.button(
                f"Label the next one · {unlabelled:,} left",
                type="primary",
                icon=":material/playlist_play:",
                key="questions_next",
                help="One question after the other, with what a search finds for it.",
                on_click=start_next,
                args=(wb,),
            )
        if waiting:
            st.button(
                f"Confirm · {len(waiting):,}",
                icon=":material/rule:",
                key="questions_confirm",
                help="Labels that are suggested, stale or not placed, one after the other.",
                on_click=place.go,
                args=(waiting[0].id, place.CONFIRM),
            )
        if _has_runs(wb):
            st.button(
                "Judge hits of runs",
                icon=":material/balance:",
                key="questions_judge",
                help="Hits that nobody has judged, in random order, without the name of the list "
                "that found them; the most disputed questions first.",
                on_click=place.go,
                args=("", place.JUDGE),
            )
        doing.undo_buttons(wb)
        if questions:
            _ways_out(wb)


def start_next(wb: Workbench, after: str | None = None) -> None:
    """Open the next question that is not labelled; the list when there is none. For callbacks."""
    found = doing.attempt(wb.next_unlabelled, after)
    if found is None:
        doing.say("No other question waits for a label.")
        place.go()
    else:
        place.go(found.id, place.NEXT)


def _has_runs(wb: Workbench) -> bool:
    try:
        return any(run.state == "done" for run in wb.runs())
    except RagDebugError as error:
        literal.problem(error)
        return False


def _ways_out(wb: Workbench) -> None:
    order = list(st.session_state.get(place.ORDER, ()))
    with st.popover("Export", icon=":material/download:", key="questions_export"):
        st.caption(
            "JSONL and CSV keep everything, and can be taken in again. BEIR keeps which documents "
            "answer."
        )
        some = st.toggle(f"Only the {len(order):,} of the list below", key="_questions_export_some")
        ids = order if some else None
        with st.container(horizontal=True):
            for name, label in _FORMATS.items():
                st.download_button(
                    label,
                    data=partial(_bytes, wb, name, ids),
                    file_name=_file_name(name),
                    icon=":material/table:" if name == "csv" else ":material/data_object:",
                    on_click="ignore",
                    key=f"questions_export_{name}",
                )
        others = [f for f in wb.question_formats() if f not in _FORMATS]
        chosen = st.selectbox(
            "Another format",
            others,
            format_func=lambda f: f"{f}: {wb.question_formats()[f]}",
            key="_questions_export_other",
        )
        if chosen:
            st.download_button(
                "Download",
                data=partial(_bytes, wb, chosen, ids),
                file_name=_file_name(chosen),
                icon=":material/download:",
                on_click="ignore",
                key="questions_export_other",
            )


def _bytes(wb: Workbench, format_: str, ids: Sequence[str] | None) -> bytes:
    return wb.question_file(format_, ids)[1]


def _file_name(format_: str) -> str:
    suffix = {"csv": ".csv", "lines": ".txt", "beir": "-beir.zip", "trec": "-trec.zip"}
    return f"questions{suffix.get(format_, '.jsonl')}"
