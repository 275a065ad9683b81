"""Hits of several runs, judged without knowing which list they came from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.questions import Question
from ragdebug.records import Place, TermInfo
from ragdebug.settings import BM25Settings
from ragdebug.ui import literal
from ragdebug.ui.components.judge import judge
from ragdebug.ui.questions import candidates, doing, place, reading

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.evaluation.reports import JudgeItem

ORIGIN = "judged"
_QUEUE = "_questions_judging"  # (workspace, [(question, [place, ...]), ...])
_SKIPPED = "_questions_judged_past"  # ids that were skipped this time


def draw(wb: Workbench) -> None:
    """The most disputed question that is left, with its hits in random order."""
    queue = _queue(wb)
    skipped = st.session_state.setdefault(_SKIPPED, set())
    left = [(q, hits) for q, hits in queue if q not in skipped]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "All questions", icon=":material/arrow_back:", key="questions_back", on_click=leave
        )
        if left:
            hits = sum(len(h) for _, h in left)
            st.markdown(
                f"**{many(len(left), 'question')}** with {many(hits, 'hit')} to judge",
                width="content",
            )
        doing.undo_buttons(wb)
        st.button(
            "Collect again",
            icon=":material/refresh:",
            type="tertiary",
            key="questions_collect",
            help="Takes the hits of the newest runs as they are now.",
            on_click=forget,
        )
    if not left:
        st.caption(
            "Every hit in the first five of the newest runs is judged or skipped."
            if queue
            else "There is nothing to judge: every hit in the first five of the newest runs is "
            "judged, or no run is there yet."
        )
        return
    name, places = left[0]
    try:
        question = wb.question(name)
    except RagDebugError:
        skipped.add(name)
        st.rerun()
    reading.head(wb, question, buttons=False)
    _judge(wb, question, places)


def leave() -> None:
    """Back to the list. For callbacks."""
    forget()
    place.go()


def forget() -> None:
    """Collect the hits anew with the next run. For callbacks."""
    st.session_state.pop(_QUEUE, None)
    st.session_state.pop(_SKIPPED, None)


def _queue(wb: Workbench) -> Sequence[tuple[str, Sequence[Place]]]:
    """The hits of the newest runs, collected once, so that the order stays while one judges."""
    kept = st.session_state.get(_QUEUE)
    if kept is None or kept[0] != str(wb.path):
        try:
            with st.spinner("Collecting the hits of the newest runs …"):
                items = wb.judge_queue()
        except RagDebugError as error:
            literal.problem(error)
            items = []
        kept = st.session_state[_QUEUE] = (str(wb.path), _by_question(items))
    found: Sequence[tuple[str, Sequence[Place]]] = kept[1]
    return found


def _by_question(items: Sequence[JudgeItem]) -> list[tuple[str, list[Place]]]:
    found: dict[str, list[Place]] = {}
    for item in items:
        found.setdefault(item.question.id, []).append(item.place)
    return list(found.items())


def _judge(wb: Workbench, question: Question, places: Sequence[Place]) -> None:
    analyzer = wb.indexes.analyzer(BM25Settings())
    terms = [TermInfo(term, word, 0) for term, word in analyzer.query_terms(question.text)]
    drawn, by_id = [], {}
    for one in places:
        try:
            made = candidates.candidate(wb, one, question, question.text, terms)
        except RagDebugError:
            continue  # the document is gone
        drawn.append(made)
        by_id[made.id] = one
    done = all(c.judged for c in drawn)

    def answer(name: str, first: int, last: int, target: int) -> None:
        made = doing.attempt(candidates.taken, wb, by_id[name], question.text, first, last)
        if made is not None:
            need = candidates.need_of(question, target)
            doing.attempt(wb.label, question.id, [made], need, ORIGIN)

    def reject(name: str) -> None:
        doing.attempt(wb.reject, question.id, by_id[name])

    def skip() -> None:
        st.session_state.setdefault(_SKIPPED, set()).add(question.id)

    def nothing() -> None:
        doing.attempt(wb.change_question, question.id, not_answerable=True)
        skip()

    judge(
        drawn,
        key="questions_judging",
        targets=candidates.targets(question),
        grab=question.id,
        on_answer=answer,
        on_reject=reject,
        on_skip=skip,
        on_nothing=nothing,
        on_undo=lambda again: doing.undo(wb, again),
        skip_label="next question" if done else "skip this question",
    )
