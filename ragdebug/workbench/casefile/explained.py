"""Explanations of scores as tables: terms of BM25, shares of fusion, weights of sentences."""

from __future__ import annotations

from ragdebug.explain import BM25Explanation, Occlusion
from ragdebug.workbench import admitting
from ragdebug.workbench.casefile.records import Table
from ragdebug.workbench.explanations import (
    FusionExplanation,
    IndexedText,
    Reading,
    RerankExplanation,
    VectorExplanation,
)

NONE = "–"
LONGEST = 200  # characters of a sentence
Passage = tuple[str, int, int]


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
    note = f"{made.formula}. Length {made.length:,} terms, average {made.average_length:,.1f}."
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
        admitting.sentence(made),
    )


def vector(title: str, made: VectorExplanation, passage: Passage) -> Table:
    """A row a sentence, with what it is worth to the cosine."""
    rank = f"rank {made.rank:,} of {made.ranked:,}" if made.rank is not None else "not indexed"
    said = f"Cosine {made.score:.4f} by {made.model}."
    return _sentences(
        f"{title}: vector, {rank}", made.indexed, made.reading, made.occlusion, said, passage
    )


def rerank(title: str, made: RerankExplanation, passage: Passage) -> Table | None:
    """A row a sentence, with what it is worth to the reranker; None where it gives no scores."""
    if made.occlusion is None:
        return None
    before = f"rank {made.before:,} before" if made.before is not None else "not listed before"
    if made.after is not None:
        after = f"rank {made.after:,} after"
    else:
        after = f"not among the {made.pool:,} that it read"
        if made.would_be is not None:
            after += f"; it would stand at {made.would_be:,}"
    said = f"Score {made.occlusion.score:.4g} {made.score_kind} by {made.model}."
    return _sentences(
        f"{title}: reranker, {before}, {after}",
        made.indexed,
        made.reading,
        made.occlusion,
        said,
        passage,
    )


def _sentences(
    title: str,
    indexed: IndexedText,
    reading: Reading,
    occlusion: Occlusion,
    said: str,
    passage: Passage,
) -> Table:
    rows = []
    for part, kind in zip(occlusion.parts, indexed.kinds, strict=True):
        text = " ".join(indexed.text[part.start : part.end].split())
        text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
        weight = "not read" if part.weight is None else f"{part.weight:+.4f}"
        rows.append((text, "" if kind == "sentence" else kind, weight))
    note = f"{said} A weight says how far the score falls without that sentence; weights do not "
    note += "add up to the score."
    if reading.cut:
        note += f" The model reads {reading.window:,} of {reading.tokens:,} tokens."
    return Table(title, ("sentence", "part", "weight"), tuple(rows), note, passage)
