"""Which questions only one strategy finds, and what all together could."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.results import paging, questions, words
from ragdebug.ui.results.view import View

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import UniqueFinds

KS = (1, 3, 5, 10, 20)


def draw(view: View) -> None:
    """Counts, and the questions behind the one that is chosen."""
    k = st.segmented_control(
        "Found in the first",
        KS,
        default=5,
        required=True,
        key="_results_unique_k",
        persist_state="session",
        help="All passages that a question needs stand in the first k hits.",
    )
    found: UniqueFinds = view.ask("unique_finds", view.ids, int(k or 5), view.share, view.tag)
    if not found.union.n:
        st.caption("The runs that are drawn share no labelled question.")
        return
    best, share = found.best
    literal.small(
        f"Together they find {words.mean(found.union, 'hit@5')} of {found.union.n:,} questions: no "
        "fusion or reranking of these lists can find more. The best alone, "
        f"{view.names[best]}, finds {share:.2f}."
    )
    groups = {f"only {view.names[i]}": ids for i, ids in found.only.items()}
    groups |= {"all of them": found.every, "none of them": found.none}
    named = {name: f"{literal.plain(name, 60)} · {len(ids):,}" for name, ids in groups.items()}
    chosen = st.pills(
        "Found by",
        list(groups),
        format_func=named.__getitem__,
        default=next((name for name, ids in groups.items() if ids), None),
        required=True,
        key=f"_results_unique_{'-'.join(view.ids)}",
    )
    ids = groups.get(chosen or "", ())
    asked = {i: q for run in view.ids for i, q in view.wb.asked(run).items()}
    some, _ = paging.page(ids, f"unique_{chosen}_{k}", "questions")
    if some:
        questions.table(view, [asked[i] for i in some], {}, "unique")
