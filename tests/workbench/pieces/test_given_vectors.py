"""Vectors that came with chunks."""

from __future__ import annotations

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import ModelMismatch
from ragdebug.pieces import PieceFile
from ragdebug.settings import DenseSettings
from tests.workbench.pieces.conftest import DRAFT, THEIRS, vectors_of


def test_given_vectors_are_used_as_they_are(docs: Workbench) -> None:
    given = PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4))
    docs.add_pieces(given, "theirs", "export.jsonl", DRAFT)
    table = docs.chunk_table("imported:theirs")
    plan = docs.plan("imported:theirs", DRAFT)
    assert plan.new == 0
    trace = docs.search_one("refund", f"vector@imported:theirs+model={DRAFT}").trace
    query = docs._embed_query(DRAFT, "refund")
    rows = docs.pieces.rows("theirs", table)
    found = dict(trace.stages[0])
    for position in range(5):
        assert found[int(rows[position])] == pytest.approx(float(query[position]), abs=1e-6)


def test_a_cosine_of_a_given_vector_is_told_from_that_of_the_text(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", DRAFT)
    strategy = f"vector@imported:theirs+model={DRAFT}"
    hit = docs.search_one("refund", strategy).hits[0]
    made = next(docs.explain_vector("refund", strategy, hit.row))
    assert made.listed == pytest.approx(hit.score, abs=1e-6)
    assert abs(made.score - made.listed) > 0.05


def test_with_another_model_their_texts_are_embedded_here(docs: Workbench) -> None:
    docs.add_pieces(
        PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", "their-model"
    )
    assert docs.plan("imported:theirs", DRAFT).new == 5
    docs.set_pieces_model("theirs", DRAFT)
    assert docs.plan("imported:theirs", DRAFT).new == 0


def cosines(wb: Workbench, query: str) -> list[float]:
    found = wb.search_one(query, f"vector@imported:theirs+model={DRAFT}", build=True)
    return sorted(score for _, score in found.trace.stages[0])


def test_a_model_that_is_named_later_counts_for_what_was_indexed_before(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl")
    ours = cosines(docs, "refund")
    run = docs.brought("imported:theirs")
    docs.set_pieces_model("theirs", DRAFT)
    query = docs._embed_query(DRAFT, "refund")
    assert cosines(docs, "refund") == pytest.approx(sorted(map(float, query[:5])), abs=1e-6)
    assert docs.brought("imported:theirs") != run
    docs.set_pieces_model("theirs", "another-model")
    assert cosines(docs, "refund") == pytest.approx(ours, abs=1e-6)


def test_a_set_replaced_while_it_is_searched_keeps_its_own_vectors(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", DRAFT)
    (first,) = docs.piece_sets()
    table = docs.chunk_table("imported:theirs")
    docs.add_pieces(PieceFile(THEIRS, vectors_of(5, 6, 7, 8, 9)), "theirs", "f.jsonl", DRAFT)
    docs.indexes.dense(table, DRAFT, DenseSettings())  # a search that began before
    query = docs._embed_query(DRAFT, "refund")
    assert cosines(docs, "refund") == pytest.approx(sorted(map(float, query[5:10])), abs=1e-6)
    docs.restore_pieces(first.id)
    assert cosines(docs, "refund") == pytest.approx(sorted(map(float, query[:5])), abs=1e-6)


def test_when_all_given_vectors_are_purged_the_rest_is_embedded(docs: Workbench) -> None:
    vectors = vectors_of(0, 1, 2, 3, 4)
    vectors[3:] = np.nan
    docs.add_pieces(PieceFile(THEIRS, vectors), "theirs", "f.jsonl", DRAFT)
    docs.remove([docs.resolve("refunds.md").id])
    docs.purge([docs.resolve("refunds.md", removed=True).id])
    assert len(cosines(docs, "card declined")) == 2


def test_pieces_without_a_vector_are_embedded_with_the_same_model(docs: Workbench) -> None:
    vectors = vectors_of(0, 1, 2, 3, 4)
    vectors[3] = np.nan
    report = docs.add_pieces(PieceFile(THEIRS, vectors), "theirs", "f.jsonl", DRAFT)
    assert any("1 of 5 chunks have no vector" in note for note in report.notes)
    assert docs.plan("imported:theirs", DRAFT).new == 1
    found = docs.search_one("card declined", f"vector@imported:theirs+model={DRAFT}", build=True)
    assert found.trace.indexed == 1.0
    assert found.hits[0].chunk.text == THEIRS[3].text


def test_vectors_of_the_wrong_length_are_not_used(docs: Workbench) -> None:
    report = docs.add_pieces(
        PieceFile(THEIRS, np.ones((5, 7), np.float32)), "theirs", "f.jsonl", DRAFT
    )
    assert any("7 dimensions" in note and "256" in note for note in report.notes)
    assert docs.plan("imported:theirs", DRAFT).new == 5


def test_purge_takes_their_words_and_vectors_too(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", DRAFT)
    docs.remove([docs.resolve("refunds.md").id])
    docs.purge([docs.resolve("refunds.md", removed=True).id])
    (kept,) = docs.piece_sets()
    assert [p.id for p in docs.store.pieces.pieces(kept.id)] == ["b1", "b2"]
    assert docs.store.pieces.vectors(kept.id)[0].tolist() == [3, 4]
    assert len(docs.chunk_table("imported:theirs")) == 2
    assert docs.search_one("ERR_4021", f"vector@imported:theirs+model={DRAFT}").hits


def test_vectors_that_are_not_used_are_named_in_the_list(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", "far-model")
    strategy = f"vector@imported:theirs+model={DRAFT}"
    (note,) = docs.search_one("refund", strategy, build=True).notes
    assert note == "embedded here; the given vectors, of far-model, are not used"
    docs.set_pieces_model("theirs", DRAFT)
    assert docs.model_of_pieces("theirs") == DRAFT
    assert docs.search_one("refund", strategy).notes == ()


def test_a_model_of_another_length_is_refused(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, np.ones((5, 7), np.float32)), "theirs", "f.jsonl")
    with pytest.raises(ModelMismatch, match="have 7 dimensions, and .* has 256"):
        docs.set_pieces_model("theirs", DRAFT)
    assert docs.piece_sets()[0].model == ""
