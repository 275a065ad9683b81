"""Questions come back as they were saved, in every version they ever had."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdebug.errors import StoreError
from ragdebug.questions import Need, Question
from ragdebug.store.workspace import Store
from tests.store.evaluations import QUESTIONS, place, question
from tests.store.helpers import text_document


def ids(store: Store, removed: bool | None = False) -> list[str]:
    return [q.id for q in store.questions.all(removed)]


def rows(store: Store, query: str) -> list[tuple[object, ...]]:
    with store.facts.cursor() as cursor:
        return cursor.execute(query).fetchall()


@pytest.fixture(scope="module")
def reused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A workspace that many examples share, each of which empties it."""
    store = Store(tmp_path_factory.mktemp("questions"))
    yield store
    store.close()


@settings(max_examples=30, deadline=None)
@given(st.lists(QUESTIONS, max_size=6))
def test_any_questions_come_back_equal_and_in_order(reused: Store, asked: list[Question]) -> None:
    store = reused
    with store.facts.transaction() as cursor:
        for table in ("questions", "needs", "labels", "rejected_places", "question_versions"):
            cursor.execute(f"DELETE FROM {table}")
    last = {q.id: q for q in asked}
    store.questions.save(asked)
    store.questions.save(asked)  # changes nothing
    assert store.questions.all(None) == list(last.values())
    assert store.questions.get(last) == last
    assert store.questions.versions([(q.id, q.version) for q in last.values()]) == {
        (q.id, q.version): q for q in last.values()
    }
    assert ids(store, True) == [q.id for q in last.values() if q.removed]


def test_a_changed_question_keeps_its_place_and_its_earlier_versions(store: Store) -> None:
    first = question("q1", place(), tags=("a",))
    store.questions.save([first, question("q2")])
    second = replace(first, text="other words", needs=(), created_at="", tags=("b",))
    store.questions.save([second])
    assert ids(store) == ["q1", "q2"]
    now = store.questions.get(["q1"])["q1"]
    assert (now.text, now.tags, now.needs) == ("other words", ("b",), ())
    assert now.created_at.endswith("Z")
    kept = store.questions.versions([("q1", first.version), ("q1", now.version), ("q1", "none")])
    assert {key: q.text for key, q in kept.items()} == {
        ("q1", first.version): first.text,
        ("q1", now.version): "other words",
    }
    assert kept["q1", first.version].needs == first.needs
    assert rows(store, "FROM labels") == []


def test_the_moment_of_making_stays_when_a_question_is_saved_again(store: Store) -> None:
    store.questions.save([question("q1", created_at="2031-05-04T12:00:00Z")])
    store.questions.save([question("q1")])
    assert store.questions.get(["q1"])["q1"].created_at == "2031-05-04T12:00:00Z"


def test_a_tag_or_a_note_makes_no_version(store: Store) -> None:
    store.questions.save([question("q1")])
    store.questions.save([question("q1", tags=("new",), notes="seen")])
    assert rows(store, "SELECT count(*) FROM question_versions") == [(1,)]


def test_removed_questions_can_be_put_back(store: Store) -> None:
    store.questions.save([question(name) for name in ("q1", "q2", "q3")])
    store.questions.remove(["q2", "unknown"])
    assert ids(store) == ["q1", "q3"]
    assert ids(store, True) == ["q2"]
    assert store.questions.get(["q2"])["q2"].removed
    store.questions.save([replace(store.questions.get(["q2"])["q2"], notes="still out")])
    assert ids(store) == ["q1", "q3"]
    store.questions.restore(["q2"])
    assert ids(store, None) == ids(store) == ["q1", "q2", "q3"]


def test_rows_for_queries_say_the_same_as_the_questions(store: Store) -> None:
    asked = question("q1", place("a"), place("b", region="page 2"), tags=("x", "y"))
    asked = replace(asked, rejected=(place("c"),), needs=(*asked.needs, Need((), 3.0)))
    store.questions.save([asked, question("q2", not_answerable=True), question("q3")])
    assert rows(store, "SELECT id, state, tags FROM questions ORDER BY number") == [
        ("q1", "labelled", ["x", "y"]),
        ("q2", "not answerable", []),
        ("q3", "unlabelled", []),
    ]
    assert rows(store, "SELECT question, need, grade FROM needs ORDER BY ALL") == [
        ("q1", 0, 1.0),
        ("q1", 1, 1.0),
        ("q1", 2, 3.0),
    ]
    assert rows(
        store,
        "SELECT need, label, source, start_char, end_char, quote, region FROM labels ORDER BY ALL",
    ) == [
        (0, 0, "a.txt", 11, 19, "ten days", ""),
        (1, 0, "b.txt", 11, 19, "ten days", "page 2"),
    ]
    assert rows(store, "SELECT question, source FROM rejected_places") == [("q1", "c.txt")]


def test_half_characters_and_nul_are_replaced_and_the_version_is_that_of_the_rest(
    store: Store,
) -> None:
    store.questions.save([question("q1", place(quote="\ud800x\0"), notes="\0")])
    kept = store.questions.get(["q1"])["q1"]
    assert kept.needs[0].places[0].quote == "\ufffdx\ufffd"
    assert store.questions.versions([("q1", kept.version)])["q1", kept.version] == kept


@pytest.mark.parametrize("grade", [float("nan"), float("inf")])
def test_a_batch_with_a_grade_that_is_no_number_saves_nothing(store: Store, grade: float) -> None:
    bad = replace(question("q2"), needs=(Need((), grade),))
    with pytest.raises(StoreError, match="q2"):
        store.questions.save([question("q1"), bad])
    assert store.questions.all(None) == []


def test_a_moment_that_is_none_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="yesterday"):
        store.questions.save([question("q1", created_at="yesterday")])
    assert store.questions.all(None) == []


def test_two_sessions_that_save_one_question_leave_one_of_them(store: Store) -> None:
    def save(word: str) -> None:
        for _ in range(8):
            store.questions.save([replace(question("q1", place()), text=word)])

    threads = [threading.Thread(target=save, args=(w,)) for w in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (kept,) = store.questions.all()
    assert kept.text in ("one", "two")
    assert rows(store, "SELECT count(*) FROM labels") == [(1,)]
    assert rows(store, "SELECT count(*) FROM question_versions") == [(2,)]


def test_saving_counts_as_a_change_and_reading_does_not(store: Store) -> None:
    seen = [store.questions.revision()]
    store.questions.save([question("q1")])
    seen.append(store.questions.revision())
    store.questions.all()
    store.questions.save([])
    seen.append(store.questions.revision())
    store.questions.remove(["q1"])
    seen.append(store.questions.revision())
    assert seen == [0, 1, 1, 2]


def test_a_document_that_a_question_names_keeps_the_text_of_that_version(store: Store) -> None:
    store.documents.save([text_document("a", "Pay within ten days.")])
    store.questions.save([question("q1", place())])
    store.documents.save([text_document("a", "Pay at once.", version="v2")])
    (need,) = store.questions.all()[0].needs
    (found,) = need.places
    text = store.documents.texts([(found.document, found.version)])["a", "v1"]
    assert text[found.start : found.end] == found.quote
