"""Explanations of scores as tables: the terms of BM25, what each list gave to a fused score."""

from __future__ import annotations

from ragdebug.explain import BM25Explanation
from ragdebug.workbench.casefile.records import Table
from ragdebug.workbench.explanations import FusionExplanation

NONE = "–"


def bm25(title: str, made: BM25Explanation) -> Table:
    """A row a term; the last row is their sum."""
    rows = [
        (
            r.surface,
            r.term,
            f"{r.tf:,}",
            f"{r.frequency:,}",
            f"{r.idf:.3f}",
            f"{r.tf_part:.3f}",
            f"{r.contribution:.4f}",
        )
        for r in made.rows
    ]
    rank = f"rank {made.rank:,} of {made.ranked:,}" if made.rank is not None else "in no list"
    note = f"{made.formula}. Length {made.length:,} terms, average {made.average_length:,.0f}."
    if made.missing:
        note += f" The passage lacks {', '.join(r.surface for r in made.missing)}."
    if made.stop_words:
        note += f" Not looked up: {', '.join(made.stop_words)}."
    total = ("score", "", "", "", "", "", f"{made.score:.4f}")
    return Table(
        f"{title}: BM25, {rank}",
        ("word", "looked up as", "tf", "chunks with it", "idf", "tf part", "contribution"),
        (*rows, total),
        note,
    )


def fusion(title: str, made: FusionExplanation) -> Table:
    """A row a list; the last row is their sum."""
    rows = []
    for e in made.ledger.entries:
        rank = f"{e.rank:,}" if e.rank is not None else f"not within {e.depth:,}"
        if e.rank is None and e.far_rank is not None:
            rank += f" (rank {e.far_rank:,})"
        score = f"{e.score:.4g} {e.score_kind}" if e.score is not None else NONE
        rows.append((e.list, rank, score, f"{e.weight:g}", f"{e.share:.5f}"))
    at = made.ledger.rank
    rank = f"rank {at:,} of {made.ledger.of:,}" if at is not None else "in no place of the list"
    rows.append(("score", "", "", "", f"{made.ledger.score:.5f}"))
    return Table(
        f"{title}: fusion, {rank}",
        ("list", "rank", "score", "weight", "share"),
        tuple(rows),
        _changes(made),
    )


def _changes(made: FusionExplanation) -> str:
    """The smallest changes that would admit it."""
    if made.inside:
        return f"Within the first {made.admitted:,}, which go on."
    said = [
        f"{c.knob}{f' of {c.list}' if c.list else ''} {c.before:g} → {c.after:g}"
        for c in made.changes
        if c.after is not None
    ]
    known = f"Smallest changes that admit it: {'; '.join(said)}." if said else ""
    return known or (
        "No change of one setting admits it." if made.changes else "What would admit it is unknown."
    )
