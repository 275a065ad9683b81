"""The queries to start from answer with and without runs, and with the right numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ragdebug.runs import DONE
from ragdebug.store.console import SqlResult, run_sql
from ragdebug.store.ready_queries import READY, VIEWS
from ragdebug.store.workspace import Store
from tests.store.evaluations import lists, measured, place, question, run
from tests.store.helpers import text_document

BY_TITLE = {ready.title: ready.sql for ready in READY}
NAMES = ["recall@5", "recall@2000t", "rr@10", "tokens@5"]


def save_run(store: Store, name: str, label: str, ranks: list[int]) -> None:
    """A run over q1 and q2 (answered in a.txt) that finds their needs at some ranks."""
    asked = [(q.id, q.version) for q in store.questions.all()]
    store.runs.start(run(name, label=label, strategy=label, created_at="2031-05-04T12:00:00Z"))
    hits = [[("b", 0, 8, 0.9), ("a", 11, 19, 0.4)], [("a", 0, 20, 0.7)], [("b", 0, 5, 0.2)]]
    store.runs.add(name, asked, lists(*hits), np.array([0.001, 0.002, 0.003]), ["", "", ""])
    store.runs.finish(name, DONE, 1.0, {})
    values = [[0 < r <= 5, 0 < r <= 5, 1 / r if r else 0, 9] for r in ranks]
    table = measured(["q1", "q2"], NAMES, values)
    store.runs.save_measures(name, replace(table, found=tuple(np.array([r]) for r in ranks)))


@pytest.fixture
def full(store: Store) -> Store:
    store.documents.save([text_document("a", "Pay within ten days."), text_document("b", "Other.")])
    store.questions.save(
        [
            question("q1", place(), tags=("paraphrase",)),
            question("q2", place(), tags=("paraphrase", "name")),
            question("q3", not_answerable=True),
        ]
    )
    save_run(store, "aaaa0000", "hybrid", [0, 0])  # an older run of the same experiment
    save_run(store, "aaaa0001", "hybrid", [2, 1])
    save_run(store, "aaaa0002", "vector", [8, 1])
    return store


def ask(store: Store, title: str) -> list[dict[str, object]]:
    return rows(run_sql(store, BY_TITLE[title]))


def rows(answer: SqlResult) -> list[dict[str, object]]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


@pytest.mark.parametrize("title", BY_TITLE)
def test_each_answers_in_an_empty_workspace(store: Store, title: str) -> None:
    answer = run_sql(store, BY_TITLE[title])
    assert answer.columns
    assert title == "All tables" or answer.rows == ()


def test_titles_are_different_and_short() -> None:
    assert len(BY_TITLE) == len(READY)
    assert all(0 < len(r.title) <= 60 for r in READY)


def test_best_runs_come_first_with_their_means(full: Store) -> None:
    found = ask(full, "Best runs")
    assert [(r["run"], r["questions"], r["recall@5"], r["rr@10"]) for r in found] == [
        ("aaaa0001", 2, 1.0, 0.75),
        ("aaaa0002", 2, 0.5, 0.5625),
        ("aaaa0000", 2, 0.0, 0.0),
    ]


def test_removed_runs_are_in_none_of_them(full: Store) -> None:
    full.runs.remove(["aaaa0001"])
    assert [r["run"] for r in ask(full, "Best runs")] == ["aaaa0002", "aaaa0000"]
    assert len(ask(full, "History of recall@5")) == 2


def test_the_worst_questions_come_first_over_the_latest_runs(full: Store) -> None:
    found = ask(full, "Worst questions")
    assert [(r["question"], r["recall@5"], r["runs"]) for r in found] == [
        ("q1", 0.5, 2),
        ("q2", 1.0, 2),
    ]


def test_what_only_one_strategy_finds_names_it(full: Store) -> None:
    assert ask(full, "Found by one strategy only") == [
        {"text": "what about q1?", "need": 0, "only_by": "hybrid", "rank": 2, "runs": 2}
    ]


def test_what_is_found_too_low_and_what_never(full: Store) -> None:
    assert ask(full, "Found, but below the first five") == [
        {"label": "vector", "text": "what about q1?", "need": 0, "rank": 8}
    ]
    assert ask(full, "Never found") == []
    save_run(full, "aaaa0003", "hybrid", [0, 1])
    save_run(full, "aaaa0004", "vector", [0, 1])
    assert ask(full, "Never found") == [
        {"text": "what about q1?", "need": 0, "evidence": "ten days", "runs": 2}
    ]


def test_top_scores_of_unanswerable_questions_stand_beside_the_others(full: Store) -> None:
    found = ask(full, "Not answerable: top scores against the others")
    assert [(r["label"], r["state"], r["questions"], r["highest"]) for r in found] == [
        ("hybrid", "labelled", 2, 0.9),
        ("hybrid", "not answerable", 1, 0.2),
        ("vector", "labelled", 2, 0.9),
        ("vector", "not answerable", 1, 0.2),
    ]


def test_hits_are_shown_with_their_text(full: Store) -> None:
    found = rows(run_sql(full, "FROM hits WHERE run = 'aaaa0001' ORDER BY question, rank"))
    assert [(r["text"], r["rank"], r["source"], r["passage"]) for r in found[:3]] == [
        ("what about q1?", 1, "b.txt", "Other."),
        ("what about q1?", 2, "a.txt", "ten days"),
        ("what about q2?", 1, "a.txt", "Pay within ten days."),
    ]


def test_the_text_of_a_question_is_that_of_the_run(full: Store) -> None:
    asked = full.questions.get(["q1"])["q1"]
    full.questions.save([replace(asked, text="asked otherwise")])
    found = rows(run_sql(full, "FROM question_measures WHERE question = 'q1'"))
    assert {r["text"] for r in found} == {"what about q1?"}


def test_questions_are_grouped_by_each_of_their_tags(full: Store) -> None:
    assert ask(full, "Questions by tag") == [
        {"tag": "paraphrase", "questions": 4, "recall@5": 0.75},
        {"tag": "name", "questions": 2, "recall@5": 1.0},
    ]


def test_every_view_can_be_asked_whole(full: Store) -> None:
    for name in VIEWS:
        assert run_sql(full, f"FROM {name}").rows, name
