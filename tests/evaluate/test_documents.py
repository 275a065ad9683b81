"""Measures of ranked documents against ir_measures."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, P, Qrel, R, ScoredDoc, nDCG

from ragdebug.evaluate import measure
from ragdebug.evaluate.documents import ranked_documents
from ragdebug.questions import Label, Need, Question
from ragdebug.records import Place
from tests.evaluate.lists import VERSION, results_of

KS = (1, 3, 5, 10, 20)
NAMES = [f"d{i}" for i in range(30)]


def document_place(name: str) -> Place:
    return Place(name, VERSION, f"{name}.txt", 0, 1000, region="document")


def judged(id_: str, relevance: dict[str, int]) -> Question:
    return Question(
        id_,
        id_,
        level="document",
        needs=tuple(
            Need((Label(document_place(name)),), grade)
            for name, grade in relevance.items()
            if grade
        ),
        rejected=tuple(document_place(name) for name, grade in relevance.items() if not grade),
    )


def known(document: str, version: str) -> str:
    if document not in NAMES:
        raise KeyError(document)
    return "x" * 1000


def test_a_thousand_random_rankings_agree_with_ir_measures() -> None:
    rng = np.random.default_rng(7)
    questions, lists, qrels, run = {}, {}, [], []
    for i in range(1000):
        id_ = f"q{i}"
        some = rng.choice(NAMES, rng.integers(1, 12), replace=False).tolist()
        relevance = {name: int(rng.integers(0, 4)) for name in some}
        relevance[some[0]] = max(relevance[some[0]], 1)
        questions[id_] = judged(id_, relevance)
        qrels += [Qrel(id_, name, grade) for name, grade in relevance.items()]
        # chunks of few documents, so many come twice and more; many scores are equal; some lists
        # are empty, and most documents are not judged
        size = int(rng.choice([0, 1, 5, 20, 60]))
        scores = rng.integers(0, 5, size) / 4
        order = np.argsort(-scores, kind="stable")
        chunks = [(str(rng.choice(NAMES)), int(at), int(at) + 10) for at in range(size)]
        lists[id_] = [chunks[j] for j in order]
        shown = list(dict.fromkeys(name for name, _, _ in lists[id_]))
        run += [ScoredDoc(id_, name, float(-rank)) for rank, name in enumerate(shown)]

    ours = measure(results_of(lists, documents=NAMES), questions, known, ks=KS)
    wanted = {
        **{f"p@{k}": P @ k for k in KS},
        **{f"recall@{k}": R @ k for k in KS},
        **{f"ndcg@{k}": nDCG @ k for k in KS},
        **{f"ap@{k}": AP @ k for k in KS},
        **{f"hit@{k}": ir_measures.Success @ k for k in KS},
        **{f"rr@{k}": RR @ k for k in KS},
    }
    name_of = {measure: name for name, measure in wanted.items()}
    theirs = {name: dict.fromkeys(questions, 0.0) for name in wanted}
    for metric in ir_measures.iter_calc(list(wanted.values()), qrels, run):
        theirs[name_of[metric.measure]][metric.query_id] = metric.value
    for name in wanted:
        expected = [theirs[name][id_] for id_ in ours.questions]
        assert ours.column(name).tolist() == pytest.approx(expected, abs=1e-9), name
    assert ours.column("recall@20").min() == 0
    assert ours.column("ndcg@5").max() == 1


def test_documents_are_ranked_by_their_best_chunk() -> None:
    assert ranked_documents(np.array([4, 2, 4, 4, 0, 2])).tolist() == [0, 1, 4]


def test_a_document_is_in_the_context_from_its_best_chunk_on() -> None:
    asked = judged("q", {"d3": 1})
    lists = {"q": [("d1", 0, 9), ("d1", 10, 19), ("d1", 20, 29), ("d3", 0, 9)]}
    table = measure(
        results_of(lists, documents=NAMES), {"q": asked}, known, budgets=(30, 40), ks=(1, 2)
    )
    assert [f.tolist() for f in table.found] == [[2]]
    assert [t.tolist() for t in table.tokens] == [[40]]
    assert table.column("recall@2").tolist() == [1]
    assert table.column("recall@30t").tolist() == [0]
    assert table.column("recall@40t").tolist() == [1]
    assert np.isnan(table.column("coverage@2")).all()


def test_judged_documents_are_those_with_any_judgment() -> None:
    lists = {"q": [("d1", 0, 9), ("d2", 0, 9), ("d3", 0, 9), ("d4", 0, 9)]}
    table = measure(
        results_of(lists, documents=NAMES), {"q": judged("q", {"d2": 2, "d3": 0})}, known
    )
    assert table.column("judged@3").tolist() == pytest.approx([2 / 3])
    assert table.column("judged@10").tolist() == pytest.approx([2 / 4])


def test_a_judged_document_that_is_not_in_the_corpus_is_named() -> None:
    asked = {"q": judged("q", {"d1": 1, "gone": 1}), "r": judged("r", {"gone": 1})}
    lists = {"q": [("d1", 0, 9)], "r": [("d1", 0, 9)]}
    table = measure(results_of(lists, documents=NAMES), asked, known)
    assert table.partial == (("q", "need 2: gone.txt is not in the corpus"),)
    assert table.unusable == (("r", "need 1: gone.txt is not in the corpus"),)
    assert table.column("recall@5").tolist() == [1]


def test_a_document_that_was_not_retrieved_is_not_found_and_counts() -> None:
    asked = judged("q", {"d1": 1, "d9": 1})
    table = measure(results_of({"q": [("d1", 0, 9)]}, documents=["d1"]), {"q": asked}, known)
    assert table.column("recall@5").tolist() == [0.5]
    assert table.partial == ()


def test_one_of_two_documents_that_would_do_is_enough() -> None:
    either = Need((Label(document_place("gone")), Label(document_place("d1"))))
    asked = Question("q", "q", level="document", needs=(either,))
    table = measure(results_of({"q": [("d1", 0, 9)]}, documents=NAMES), {"q": asked}, known)
    assert table.column("rr@5").tolist() == [1]
    assert table.partial == table.unusable == ()
