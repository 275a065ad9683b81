"""Two runs side by side without labels, most different questions first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from ragdebug.questions import Question
from ragdebug.settings import fingerprint
from ragdebug.ui import literal, state, tables
from ragdebug.ui.results import data, paging, pick
from ragdebug.ui.results.view import View

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import OverlapReport, OverlapRow

LONGEST = 160
_FIRST, _SECOND = "run_first", "run_second"
_GO = "_results_label_go"


def draw(view: View) -> None:
    """Draw the choice of two runs, what their lists share, and a button to label each question."""
    if len(view.drawn) < 2:
        st.caption("Tick a second run to see how much the two lists share.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first = pick.run("Run", view.ids, _FIRST, view.names, view.ids[0])
        others = [i for i in view.ids if i != first]
        second = pick.run("and", others, _SECOND, view.names, others[0])
        k = st.segmented_control(
            "Hits compared", (1, 3, 5, 10, 20), default=5, required=True,
            key="_results_overlap_k", persist_state="session",
        )  # fmt: skip
    report: OverlapReport = view.ask("overlap_report", first, second, int(k or 5))
    literal.text(report.sentence)
    unlabelled = [r for r in report.rows if not r.question.needs and not r.question.not_answerable]
    only = bool(unlabelled) and st.toggle(
        "Only questions that are not labelled yet",
        len(unlabelled) < len(report.rows),
        key="_results_overlap_unlabelled",
        persist_state="session",
    )
    shown = unlabelled if only else list(report.rows)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        place = st.container(width="content")
        data.download(_rows(view, report, first, second), "overlap")
    with place:
        some, _ = paging.page(shown, f"overlap_{first}_{second}_{k}_{only}", "questions")
    if some:
        _table(some, view.names[first], view.names[second])


def _table(rows: Sequence[OverlapRow], first: str, second: str) -> None:
    clicked = "_results_label"
    questions = [r.question for r in rows]
    st.dataframe(
        pd.DataFrame(
            {
                "label": [":material/edit_note:" for _ in rows],
                "question": [literal.one_line(q.text, LONGEST) for q in questions],
                "shared": [r.shared for r in rows],
                f"only in {first}": [r.only_a for r in rows],
                f"only in {second}": [r.only_b for r in rows],
                "state": [q.state for q in questions],
                "tags": [", ".join(q.tags) for q in questions],
            }
        ),
        key=f"results_overlap_{fingerprint([q.id for q in questions])[:10]}",
        hide_index=True,
        height=tables.height(len(rows), 520),
        column_config={
            "label": st.column_config.ButtonColumn(
                "",
                width=46,
                type="tertiary",
                key=clicked,
                on_click=_clicked,
                args=(clicked, questions),
                help="Opens the question, to be labelled.",
            ),
            "question": st.column_config.TextColumn(width=420),
            f"only in {first}": st.column_config.NumberColumn(width=150),
            f"only in {second}": st.column_config.NumberColumn(width=150),
            "shared": st.column_config.NumberColumn(
                width=70, help="Passages that both have; those that overlap by more than half of "
                "the shorter are the same.",
            ),
        },
    )  # fmt: skip
    wanted = st.session_state.pop(_GO, None)
    if wanted is not None:
        st.switch_page(state.QUESTIONS, query_params=state.question_params(wanted))


def _clicked(key: str, questions: Sequence[Question]) -> None:
    click = st.session_state[key]
    if click is not None and click["row"] < len(questions):
        st.session_state[_GO] = questions[click["row"]].id


def _rows(
    view: View, report: OverlapReport, first: str, second: str
) -> list[dict[str, str | int | float | None]]:
    return [
        {
            "question": r.question.id,
            "text": r.question.text,
            "shared": r.shared,
            f"only in {view.names[first]}": r.only_a,
            f"only in {view.names[second]}": r.only_b,
            "share": r.share,
            "state": r.question.state,
        }
        for r in report.rows
    ]
