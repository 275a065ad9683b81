"""What the reranker did: rank before and after, what each sentence is worth to its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.settings import DEFAULT_RERANKER
from ragdebug.ui import literal
from ragdebug.ui.components.hit_board import score
from ragdebug.ui.explain import weights, working
from ragdebug.ui.explain.asked import Asked, Subject
from ragdebug.ui.explain.working import Work

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ragdebug.workbench import Workbench
    from ragdebug.workbench.explanations import RerankExplanation


def works(wb: Workbench, asked: Asked, subject: Subject) -> dict[Hashable, Work]:
    """What has to be computed for one chunk, by key; begun when it was not."""
    query, strategy, row = asked.query, asked.strategy, subject.row
    key = (str(wb.path), wb.revision(), query, str(strategy), row, "rerank")
    return {key: working.ask(key, lambda: wb.explain_rerank(query, strategy, row, asked.trace))}


def draw(asked: Asked, subject: Subject, found: dict[Hashable, Work], key: str) -> None:
    """Draw what is known of one chunk."""
    (work,) = found.values()
    if work.problem is not None:
        literal.problem(work.problem)
    made: RerankExplanation | None = work.latest
    if made is None:
        if work.problem is None:
            st.caption(":material/hourglass_top: asking the reranker …")
        return
    st.markdown(movement(made))
    if made.occlusion is None:
        st.caption("This reranker keeps the order and gives no scores.")
        return
    weights.draw(asked, subject, made.indexed, made.reading, made.occlusion, f"{key}_text")
    notes = [
        weights.labelled(subject.chunk.label, made.occlusion.score, made.without_label),
        weights.hidden(asked, subject, made.indexed, made.reading),
    ]
    if made.score_kind != made.list_kind and made.score is not None:
        notes.append(f"Old and new order are blended: {score(made.score)} {made.list_kind}.")
    if made.model == DEFAULT_RERANKER:
        notes.append("Late interaction was never trained to rerank: it can make an order worse.")
    for note in filter(None, notes):
        st.caption(note)


def movement(made: RerankExplanation) -> str:
    """Score, rank before and rank after, as Markdown."""
    raw = f"**{score(made.raw)}** {made.score_kind} · " if made.raw is not None else ""
    before = f"#{made.before:,}" if made.before is not None else "in no list"
    if made.after is not None:
        moved = made.before - made.after if made.before is not None else 0
        sign = f" :green[▲{moved}]" if moved > 0 else f" :red[▼{-moved}]" if moved < 0 else " ="
        return f"{raw}{before} before → **#{made.after:,}** after{sign}"
    would = f"; scored now, it would be **#{made.would_be:,}**" if made.would_be else ""
    return f"{raw}{before} before, not in the pool of {made.pool}{would}"
