"""The questions themselves, worst first, each leading to Search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from ragdebug.questions import Question
from ragdebug.settings import fingerprint
from ragdebug.ui import literal, tables
from ragdebug.ui.results import data, leading, paging, words
from ragdebug.ui.results.view import View

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import QuestionRow, RunComparison

LONGEST = 160


def draw(view: View, compared: RunComparison | None) -> None:
    """Draw filters and table."""
    rows: Sequence[QuestionRow] = view.ask(
        "question_rows", view.ids, view.measure, view.share, view.tag
    )
    shown = _narrowed(view, rows, compared)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        place = st.container(width="content")
        data.download(_data(view, rows), "questions")
    with place:
        some, _ = paging.page(shown, f"questions_{_seen(shown)}", "questions")
    if some:
        table(view, [r.question for r in some], _columns(view, some), "questions")


def table(view: View, questions: Sequence[Question], columns: dict[str, Any], name: str) -> None:
    """Questions with a button each that opens Search; `columns` follow the text."""
    clicked = f"_results_search_{name}"
    frame = pd.DataFrame(
        {
            "search": [":material/search:" for _ in questions],
            "question": [literal.one_line(q.text, LONGEST) for q in questions],
            **columns,
            "tags": [", ".join(q.tags) for q in questions],
            "id": [q.id for q in questions],
        }
    )
    st.dataframe(
        frame,
        key=f"results_{name}_{fingerprint([q.id for q in questions])[:10]}",
        hide_index=True,
        height=tables.height(len(questions), 520),
        column_config={
            "search": st.column_config.ButtonColumn(
                "",
                width=46,
                type="tertiary",
                key=clicked,
                on_click=_clicked,
                args=(clicked, questions),
                help="Opens Search with this question, its evidence as expected passage, and the "
                "strategies that are drawn as columns.",
            ),
            "question": st.column_config.TextColumn(width=380),
            **{name: st.column_config.TextColumn(width=120) for name in columns},
            "tags": st.column_config.TextColumn(width=130),
        },
    )
    wanted = st.session_state.pop(_GO, None)
    if wanted is not None:
        leading.to_search(view, wanted)


_GO = "_results_go"


def _clicked(key: str, questions: Sequence[Question]) -> None:
    click = st.session_state[key]
    if click is not None and click["row"] < len(questions):
        st.session_state[_GO] = questions[click["row"]]


def _seen(rows: Sequence[QuestionRow]) -> str:
    """Tells one list of questions from another, so that each starts on its first page."""
    return fingerprint([r.question.id for r in rows])[:10]


# Filters ------------------------------------------------------------------------------------------


def _narrowed(
    view: View, rows: Sequence[QuestionRow], compared: RunComparison | None
) -> list[QuestionRow]:
    filters: dict[str, Callable[[QuestionRow], bool]] = {
        "all": lambda r: True,
        "missed by all": lambda r: r.missed == len(r.ranks),
        "missed by some": lambda r: 0 < r.missed < len(r.ranks),
    }
    if compared is not None:
        won, lost = set(compared.won), set(compared.lost)
        filters["won"] = lambda r: r.question.id in won
        filters["lost"] = lambda r: r.question.id in lost
    if any(r.errors for r in rows):
        filters["failed"] = lambda r: bool(r.errors)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.segmented_control(
            "Which questions",
            list(filters),
            default="all",
            required=True,
            key="_results_filter",
            label_visibility="collapsed",
            persist_state="session",
        )
        text = st.text_input(
            "Find in questions",
            key="_results_find",
            placeholder="Find in texts, tags and ids …",
            label_visibility="collapsed",
            icon=":material/filter_list:",
            persist_state="session",
            width=260,
        )
    if compared is not None:
        a, b = (literal.one_line(view.names[r.id], 60) for r in (compared.a, compared.b))
        pair = f"Won: {a} is better than {b}; lost: it is worse."
    elif len(view.drawn) > 1:
        pair = "To see what a run wins and loses against another one, name it under Compare."
    else:
        pair = ""
    literal.small(
        "Under each run: the rank at which the last passage that the question needs is found. "
        + pair
    )
    keep = filters.get(chosen or "all", filters["all"])
    asked = (text or "").casefold().split()
    return [r for r in rows if keep(r) and _matches(r.question, asked)]


def _matches(question: Question, asked: Sequence[str]) -> bool:
    there = "\n".join([question.text, question.id, *question.tags, question.notes]).casefold()
    return all(word in there for word in asked)


# Columns ------------------------------------------------------------------------------------------


def _columns(view: View, rows: Sequence[QuestionRow]) -> dict[str, list[Any]]:
    made: dict[str, list[Any]] = {}
    for run in view.drawn:
        made[view.names[run.id]] = [_rank(r, run.id) for r in rows]
    if len(view.drawn) == 1:
        only = view.ids[0]
        made[view.measure] = [words.value(r.values.get(only, float("nan")), "") for r in rows]
    return made


def _rank(row: QuestionRow, run: str) -> str:
    """Where the last of its evidence stands; what there is none of is told apart."""
    if run in row.errors:
        return "failed"
    if run not in row.ranks:
        return "not asked"
    rank = row.ranks[run]
    return "–" if rank is None else f"{rank:,}"


def _data(view: View, rows: Sequence[QuestionRow]) -> list[dict[str, Any]]:
    return [
        {
            "question": r.question.id,
            "text": r.question.text,
            "tags": "; ".join(r.question.tags),
            **{f"rank in {view.names[i]}": r.ranks.get(i) for i in view.ids},
            **{f"{view.measure} in {view.names[i]}": r.values.get(i) for i in view.ids},
            "missed by": r.missed,
        }
        for r in rows
    ]
