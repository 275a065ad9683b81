"""A cosine: what each sentence is worth to it, which words are alike, where reading stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.components.sums import Line, sums
from ragdebug.ui.explain import weights, working
from ragdebug.ui.explain.asked import Asked, Subject
from ragdebug.ui.explain.working import Work

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ragdebug.workbench import Workbench
    from ragdebug.workbench.explanations import VectorExplanation, WordSimilarity

WORDS = "explain_likest"
APART = 0.005  # cosines of one text, embedded at two times, lie closer together


def works(wb: Workbench, asked: Asked, subject: Subject) -> dict[Hashable, Work]:
    """What has to be computed for one chunk, by key; begun when it was not."""
    query, strategy, row = asked.query, asked.strategy, subject.row
    base = (str(wb.path), wb.revision(), query, str(strategy), row)
    made: dict[Hashable, Work] = {}

    def want(name: str, work: Work) -> None:
        made[*base, name] = work

    want("vector", working.ask((*base, "vector"), lambda: wb.explain_vector(query, strategy, row)))
    part = weights.picked(asked, subject)
    if part >= 0:
        name = f"words {part}"
        want(name, working.ask((*base, name), lambda: wb.explain_words(query, strategy, row, part)))
    if st.session_state.get(WORDS):
        want(
            "likest",
            working.ask((*base, "likest"), lambda: iter([wb.explain_tokens(query, strategy, row)])),
        )
    return made


def draw(asked: Asked, subject: Subject, found: dict[Hashable, Work], key: str) -> None:
    """Draw what is known of one chunk."""
    named = {str(k[-1]): work for k, work in found.items() if isinstance(k, tuple)}
    for work in found.values():
        if work.problem is not None:
            literal.problem(work.problem)
    made: VectorExplanation | None = named["vector"].latest
    if made is None:
        if named["vector"].problem is None:
            st.caption(":material/hourglass_top: asking the model …")
        return
    standing = f"rank {made.rank:,} of {made.ranked:,}" if made.rank else "not in the list"
    st.markdown(f"**{made.score:.4f}** cosine · {standing}")
    weights.draw(asked, subject, made.indexed, made.reading, made.occlusion, f"{key}_text",
                 words=True)  # fmt: skip
    notes = [
        _given(made),
        weights.labelled(subject.chunk.label, made.score, made.without_label),
        weights.hidden(asked, subject, made.indexed, made.reading),
    ]
    for note in filter(None, notes):
        st.caption(note)
    part = weights.picked(asked, subject)
    words = named.get(f"words {part}")
    if words is not None and words.latest is not None:
        weights.draw_words(made.indexed, part, words.latest, f"{key}_words")
    likest = named.get("likest")
    if likest is not None and likest.latest is not None:
        _likest(asked, likest.latest, f"{key}_likest")


def _given(made: VectorExplanation) -> str:
    """What to say where the indexed vector is not that of the text as it stands here."""
    if made.listed is None or abs(made.listed - made.score) < APART:
        return ""
    return (
        f"It is ranked by {made.listed:.4f}, the cosine of the vector that came with the chunk."
        f" {made.score:.4f} is that of its text, embedded here; the weights are of this text."
    )


def _likest(asked: Asked, made: WordSimilarity, key: str) -> None:
    sums(
        ["in the query", "likest word here", "cosine"],
        [
            Line(
                [
                    asked.query[slice(*m.query)],
                    made.text[slice(*m.text)],
                    f"{m.similarity:.3f}",
                ],
                share=max(0.0, m.similarity),
            )
            for m in made.matches
        ],
        key=key,
        words=2,
        height=260,
    )
    if not made.in_context:
        st.caption("This model has no vectors of words in their context: each was embedded alone.")
