"""A fused score: what each list gave, and what would let the chunk in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.components.hit_board import score
from ragdebug.ui.components.sums import Line, sums
from ragdebug.ui.explain.asked import Asked, Subject
from ragdebug.workbench import admitting

if TYPE_CHECKING:
    from ragdebug.explain import Change, Entry
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.explanations import FusionExplanation

NAMES = admitting.LISTS


def draw(wb: Workbench, asked: Asked, subject: Subject, key: str) -> None:
    """Draw the ledger of one chunk."""
    made = wb.explain_fusion(asked.query, asked.strategy, subject.row, asked.trace)
    ledger = made.ledger
    standing = f"rank {ledger.rank:,} of {ledger.of:,}" if ledger.rank else "not in the fused list"
    unit = _unit(ledger.settings.method, ledger.settings.k)
    total = "–" if made.score is None else f"{made.score:.5f}"
    st.markdown(f"**{total}** {ledger.settings.method} · {standing}")
    largest = max((e.share for e in ledger.entries), default=0.0)
    sums(
        ["list", "rank", "its score", unit, "weight", "share"],
        [_line(e, largest) for e in ledger.entries],
        key=key,
        total=["sum", "", "", "", "", f"{ledger.score:.5f}"],
    )
    for entry in ledger.entries:
        if entry.rank is None:
            st.caption(absent(entry))
    for line in admission(made):
        st.markdown(line)


def absent(entry: Entry) -> str:
    """Why a list gave nothing."""
    name = NAMES.get(entry.list, entry.list)
    text = f"Not within depth {entry.depth:,} of {name}"
    if entry.far_rank is not None:
        return f"{text}: it stands at {entry.far_rank:,}."
    if not entry.far_known:
        return f"{text}; how far below is not known until its model is loaded."
    if entry.list == "bm25":
        return f"{text}, nor below: it holds no term of the query, or is filtered out."
    return f"{text}, nor below: it is not indexed, or is filtered out."


def admission(made: FusionExplanation) -> list[str]:
    """Whether it is let in, and which single change would do it, as Markdown."""
    goal = admitting.goal(made)
    if made.inside:
        return [f":green[:material/check:] It is in the {goal}."]
    gap = ""
    if made.score is not None and made.last is not None:
        gap = f", {score(made.last - made.score)} short of the last one there"
    head = f":orange[:material/close:] It is not in the {goal}{gap}."
    if not made.changes:
        return [head]
    if not admitting.helping(made):
        return [f"{head} {admitting.no_change(made)}"]
    lines = [f"- {_change(c)}" for c in made.changes]
    return [f"{head} One setting changed, the others as they are:\n" + "\n".join(lines)]


def _change(change: Change) -> str:
    name = literal.plain(admitting.setting(change))
    if change.after is None:
        return f":gray[{name}: no value does]"
    return f"{name} **{change.before:g} → {change.after:.10g}**: it would be #{change.rank}"


def _unit(method: str, k: float) -> str:
    return f"1 / ({k:g} + rank)" if method == "rrf" else "scaled 0–1"


def _line(entry: Entry, largest: float) -> Line:
    there = entry.rank is not None
    return Line(
        [
            NAMES.get(entry.list, literal.one_line(entry.list)),
            f"{entry.rank:,}" if there else "–",
            "–" if entry.score is None else f"{score(entry.score)} {entry.score_kind}",
            f"{entry.unit:.5f}" if there else "–",
            f"{entry.weight:g}",
            f"{entry.share:.5f}",
        ],
        share=entry.share / largest if largest > 0 else None,
        quiet=not there,
    )
