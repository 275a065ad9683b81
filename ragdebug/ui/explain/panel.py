"""The panel itself: one kind of explanation at a time, for one chunk or for two side by side."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal
from ragdebug.ui.explain import bm25, fusion, reranker, vector, working
from ragdebug.ui.explain.asked import BM25, FUSION, RERANK, VECTOR, Asked, Subject
from ragdebug.ui.explain.working import Work

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

SOON_S = 0.5  # how long the page waits before it draws what is known
_EVERY_S = 0.5
_NOTES = {
    VECTOR: "How far the cosine falls when a sentence is left out: blue adds, orange takes away. "
    "Weights do not add up to the cosine. Click a sentence for its words.",
    RERANK: "How far the reranker's score falls when a sentence is left out: blue adds, orange "
    "takes away. Weights do not add up to the score.",
    FUSION: "What each list gave, and the smallest change of one setting that lets it in.",
}
ALONE, BESIDE = 100, 64  # characters of the line that says where a chunk stands
_MODELS = {VECTOR: (vector.works, vector.draw), RERANK: (reranker.works, reranker.draw)}


def draw(
    wb: Workbench, asked: Asked, subjects: Sequence[Subject], kind: str, key: str = "explain"
) -> None:
    """Draw one explanation of one or two chunks, each under its name.

    Args:
        wb: the workbench.
        asked: the search.
        subjects: one or two.
        kind: one of `Asked.kinds`.
        key: of the widgets, unique on the page.
    """
    try:
        asking = subjects if kind == BM25 else ()
        rows = [wb.explain_bm25(asked.query, asked.strategy, s.row) for s in asking]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            literal.small(_NOTES.get(kind) or rows[0].formula)
            if kind == VECTOR:
                _likest()
        nested = any(s.chunk.section for s in subjects)
        wanted: set[Hashable] = set()
        for at, place in enumerate(st.columns(len(subjects), gap="medium")):
            subject, name = subjects[at], f"{key}_{kind.lower()}_{at}"
            with place, st.container(gap="xsmall"):
                _head(subject, ALONE if len(subjects) == 1 else BESIDE, level=nested)
                if kind == BM25:
                    bm25.draw(rows[at], name, bm25.largest(rows))
                elif kind == FUSION:
                    fusion.draw(wb, asked, subject, name)
                else:
                    wanted |= _by_model(wb, asked, subject, kind, name)
        working.only(wanted)
    except RagDebugError as error:
        literal.problem(error)


def _likest() -> None:
    st.toggle(
        "Likest words",
        key=vector.WORDS,
        width="content",
        help="For each word of the query the word of the text most like it, by the model's "
        "vectors of their tokens. A hint: the cosine compares whole texts.",
    )


def _head(subject: Subject, most: int, *, level: bool) -> None:
    """What is explained, and where it stands; `level` keeps the line of one without headings."""
    chunk = subject.chunk
    last = chunk.section[-1] if chunk.section else chunk.source
    st.markdown(f"**{literal.plain(subject.title)}** · {literal.plain(last, 60)}")
    if chunk.section:
        # One line, so that two hits side by side stay level.
        literal.small(literal.one_line(" › ".join([chunk.source, *chunk.section[:-1]]), most))
    elif level:
        st.caption("no headings")


def _by_model(wb: Workbench, asked: Asked, subject: Subject, kind: str, key: str) -> set[Hashable]:
    """Draw what a model has to compute; while it does, look again and again."""
    works, show = _MODELS[kind]
    found = works(wb, asked, subject)
    for work in found.values():
        work.wait(SOON_S)
    busy = not all(w.finished for w in found.values())
    st.fragment(_watched, run_every=_EVERY_S if busy else None)(
        lambda: works(wb, asked, subject), show, asked, subject, key, busy
    )
    return set(found)


def _watched(
    works: Callable[[], dict[Hashable, Work]],
    show: Callable[[Asked, Subject, dict[Hashable, Work], str], None],
    asked: Asked,
    subject: Subject,
    key: str,
    watching: bool,
) -> None:
    found = works()
    if not watching:  # a click may have asked for more
        for work in found.values():
            work.wait(SOON_S)
    busy = not all(w.finished for w in found.values())
    show(asked, subject, found, key)
    if busy != watching:
        st.rerun()
