"""“This answers it” on a hit: its sentences are marked for the query's question, never all of it.

A query that is no question yet becomes one with its first judgment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.questions import Question
from ragdebug.records import Chunk
from ragdebug.ui import literal
from ragdebug.ui.components.judge import judge as judge_view
from ragdebug.ui.questions import candidates, doing
from ragdebug.ui.search.filling import Filled
from ragdebug.workbench.questions.records import same_text_key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

ORIGIN = "search"
_ASKED = "_search_judged"  # (column, chunk id, answers) until the page has looked at it
_OPEN = "_search_answering"  # (query, column, chunk id) whose sentences are being chosen
_GRABS = "_search_grabs"  # counts how often the keyboard went back to the lists


def question_of(wb: Workbench, query: str) -> Question | None:
    """The question that asks the same, None when there is none."""
    wanted = same_text_key(query)
    return next((q for q in wb.questions() if same_text_key(q.text) == wanted), None)


def judge(column: str, chunk: str, answers: bool) -> None:
    """A hit was judged, on the board or in its detail. For callbacks."""
    st.session_state[_ASKED] = (column, chunk, answers)


def grab() -> str:
    """Changes when the lists should get the keyboard back."""
    return str(st.session_state.get(_GRABS, 0))


def handle(wb: Workbench, query: str, filled: Filled) -> None:
    """Take what was judged just now: no at once, yes opens the choice of sentences."""
    asked = st.session_state.pop(_ASKED, None)
    if asked is None:
        return
    column, chunk_id, answers = asked
    chunk = _chunk(filled, column, chunk_id)
    if chunk is not None and not chunk.placed:
        st.session_state.pop(_OPEN, None)
        doing.say("It stands nowhere in the documents, so that it can be no label.")
        return
    if answers:
        st.session_state[_OPEN] = (query, column, chunk_id)
        return
    st.session_state.pop(_OPEN, None)
    if chunk is not None:
        _reject(wb, query, chunk)


def draw(wb: Workbench, query: str, question: Question | None, filled: Filled) -> None:
    """The choice of sentences, while one is open."""
    opened = st.session_state.get(_OPEN)
    if opened is None or opened[0] != query:
        return
    _, column, chunk_id = opened
    chunk = _chunk(filled, column, chunk_id)
    if chunk is None:
        return
    try:
        one = candidates.candidate(wb, chunk, question, query, filled.terms or ())
    except RagDebugError as error:
        literal.problem(error)
        return
    strategy = next(str(c.strategy) for c in filled.columns if c.name == column)
    with st.container(border=True, gap="xsmall", key="search_answering"):
        st.markdown("**Which sentences answer it?**")
        judge_view(
            [one],
            key="search_sentences",
            targets=candidates.targets(question),
            choosing=one.id,
            grab=f"{query}\n{column}\n{one.id}",
            on_answer=lambda _, first, last, target: _answer(
                wb, query, chunk, strategy, (first, last), target
            ),
            on_leave=_leave,
        )


def _chunk(filled: Filled, column: str, chunk_id: str) -> Chunk | None:
    result = filled.lists.get(column)
    hits = result.hits if result is not None else ()
    return next((h.chunk for h in hits if h.chunk.id == chunk_id), None)


def _kept(wb: Workbench, query: str) -> Question | None:
    return question_of(wb, query) or doing.attempt(wb.add_question, query, origin=ORIGIN)


def _answer(
    wb: Workbench,
    query: str,
    chunk: Chunk,
    strategy: str,
    sentences: tuple[int, int],
    target: int,
) -> None:
    made = doing.attempt(candidates.taken, wb, chunk, query, *sentences)
    question = _kept(wb, query) if made is not None else None
    if made is not None and question is not None:
        need = candidates.need_of(question, target)
        doing.attempt(wb.label, question.id, [made], need, f"list {strategy}")
        doing.say("Marked as what answers this question.")
    _leave()


def _reject(wb: Workbench, query: str, chunk: Chunk) -> None:
    question = _kept(wb, query)
    if question is not None:
        doing.attempt(wb.reject, question.id, candidates.whole(chunk))


def _leave() -> None:
    st.session_state.pop(_OPEN, None)
    st.session_state[_GRABS] = int(st.session_state.get(_GRABS, 0)) + 1
