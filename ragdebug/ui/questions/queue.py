"""One unlabelled question after the other, with what a search finds for it, judged by keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.questions import UNLABELLED, Question
from ragdebug.records import Chunk, Place
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings, StrategySettings
from ragdebug.ui import literal, state
from ragdebug.ui.components.judge import judge
from ragdebug.ui.questions import candidates, doing, elsewhere, head, place, reading
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search import filling
from ragdebug.ui.search.columns import ColumnSpec
from ragdebug.ui.search.filling import Filled
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

EACH = 5  # hits taken from each list
LISTS = (ColumnSpec("bm25"), ColumnSpec("vector"), ColumnSpec("hybrid"))
OFFERS = 5  # places with the same text that are offered at once
_POOL = "_questions_pool"
_MARKED = "_questions_marked"  # (question, hit, place) that was marked last


def draw(wb: Workbench, opened: str, questions: Sequence[Question]) -> None:
    """The question, its pooled hits, the keys."""
    try:
        question = wb.question(opened)
    except RagDebugError as error:
        literal.problem(error)
        st.button("All questions", icon=":material/arrow_back:", on_click=place.go)
        return
    _way(wb, question, questions)
    reading.head(wb, question, buttons=False)
    if not wb.corpus().documents:
        st.info("There are no documents yet in which an answer could stand.")
        st.page_link(state.CORPUS, label="Add documents", icon=":material/upload_file:")
        return
    filled = filling.fill(wb, question.text, cols.build(LISTS, _base()), ())
    filling.offer_index(wb, filled)
    hits = pooled(question.id, filled)
    if hits:
        _judge(wb, question, hits, filled)
    elif not filled.busy:
        st.caption(
            "The search found nothing. Mark the answer in a document, or say that nothing here "
            "answers it."
        )
        _without_hits(wb, question)
    if filled.pending:
        st.caption("More is being looked for: " + ", ".join(sorted(set(filled.pending.values()))))
    for result in filled.lists.values():
        if result.error:
            literal.note(result.error, result.error_hint)
    filling.watch(wb, filled)


def _base() -> StrategySettings:
    """The chunking and model that the Search page has now."""
    model = str(st.session_state.get(Key.MODEL) or DEFAULT_EMBEDDER)
    try:
        cut = ChunkingSettings.parse(
            str(st.session_state.get("_search_chunking") or ChunkingSettings())
        )
        return StrategySettings(preset="bm25", chunking=cut, embedder=model, k=EACH)
    except RagDebugError:
        return StrategySettings(preset="bm25", k=EACH)


def pooled(question: str, filled: Filled) -> list[tuple[Chunk, str]]:
    """The hits of all lists, best ranks first, each once, with the strategy that ranks it best.

    What was shown before keeps its place when slower lists come in.
    """
    ranks: dict[str, tuple[int, int, Chunk, str]] = {}
    for at, column in enumerate(filled.columns):
        result = filled.lists.get(column.name)
        for hit in result.hits if result is not None else ():
            new = (hit.rank, at, hit.chunk, str(column.strategy))
            if hit.chunk.id not in ranks or new[:2] < ranks[hit.chunk.id][:2]:
                ranks[hit.chunk.id] = new
    kept = st.session_state.get(_POOL)
    before = [i for i in kept[1] if i in ranks] if kept and kept[0] == question else []
    fresh = sorted((i for i in ranks if i not in set(before)), key=lambda i: ranks[i][:2])
    st.session_state[_POOL] = (question, [*before, *fresh])
    return [(ranks[i][2], ranks[i][3]) for i in (*before, *fresh)]


def _way(wb: Workbench, question: Question, questions: Sequence[Question]) -> None:
    left = sum(q.state == UNLABELLED for q in questions)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "All questions", icon=":material/arrow_back:", key="questions_back", on_click=place.go
        )
        # Likely passages of one that has labels are shown here, too, whether others wait or not.
        waiting = f"**{many(left, 'question')} not labelled**"
        st.markdown(waiting if left else "No question waits for a label", width="content")
        st.button(
            "Mark it in a document",
            icon=":material/edit_document:",
            key="questions_open_one",
            help="Opens the question with its documents.",
            on_click=place.go,
            args=(question.id,),
        )
        doing.undo_buttons(wb)


def _judge(
    wb: Workbench, question: Question, hits: Sequence[tuple[Chunk, str]], filled: Filled
) -> None:
    by_id: dict[str, tuple[Chunk | Place, str]] = {
        candidates.identity(chunk): (chunk, f"list {strategy}") for chunk, strategy in hits
    }
    drawn = [
        candidates.candidate(wb, chunk, question, question.text, filled.terms or ())
        for chunk, _ in hits
    ]
    name, offers = _same_text(wb, question)
    at = next((i + 1 for i, c in enumerate(drawn) if c.id == name), len(drawn))
    for other in reversed(offers):
        drawn.insert(at, candidates.offered(wb, other, question.text))
        by_id[candidates.identity(other)] = (other, elsewhere.ORIGIN)
    judge(
        drawn,
        key="questions_queue",
        targets=candidates.targets(question),
        grab=question.id,
        on_answer=lambda i, first, last, target: _answer(
            wb, question, by_id[i], (first, last), target
        ),
        on_reject=lambda i: _reject(wb, question, by_id[i][0]),
        on_skip=lambda: head.start_next(wb, question.id),
        on_nothing=lambda: _nothing(wb, question),
        on_undo=lambda again: doing.undo(wb, again),
        skip_label="skip this question" if question.state == UNLABELLED else "next question",
    )


def _same_text(wb: Workbench, question: Question) -> tuple[str, list[Place]]:
    """The hit that was marked last, and where else its words stand; none of it is added unasked."""
    marked = st.session_state.get(_MARKED)
    if marked is None or marked[0] != question.id or wb.corpus().chars > elsewhere.AT_ONCE_CHARS:
        return "", []
    try:
        return marked[1], elsewhere.left(wb, question, marked[2])[:OFFERS]
    except RagDebugError as error:
        literal.problem(error)
        return "", []


def _answer(
    wb: Workbench,
    question: Question,
    hit: tuple[Chunk | Place, str],
    sentences: tuple[int, int],
    target: int,
) -> None:
    found, origin = hit
    made = doing.attempt(candidates.taken, wb, found, question.text, *sentences)
    if made is None:
        return
    need = candidates.need_of(question, target)
    if doing.attempt(wb.label, question.id, [made], need, origin) and isinstance(found, Chunk):
        st.session_state[_MARKED] = (question.id, candidates.identity(found), made)


def _reject(wb: Workbench, question: Question, hit: Chunk | Place) -> None:
    doing.attempt(wb.reject, question.id, candidates.whole(hit))


def _nothing(wb: Workbench, question: Question) -> None:
    doing.attempt(wb.change_question, question.id, not_answerable=True)
    head.start_next(wb, question.id)


def _without_hits(wb: Workbench, question: Question) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Nothing here answers",
            icon=":material/block:",
            shortcut="0",
            on_click=_nothing,
            args=(wb, question),
        )
        st.button(
            "Skip",
            icon=":material/skip_next:",
            shortcut="S",
            on_click=head.start_next,
            args=(wb, question.id),
        )
