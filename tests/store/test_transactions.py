"""All or nothing, one after the other, and a clear word when two meet."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from ragdebug.errors import ChangedMeanwhile, StoreBusy, StoreError
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS
from ragdebug.store.workspace import Store
from tests.store.helpers import text_document

INSERT = "INSERT INTO settings VALUES (?, ?, NULL)"


def settings(db: Database) -> list[tuple[str, str]]:
    with db.cursor() as cursor:
        return cursor.execute("SELECT key, value FROM settings ORDER BY ALL").fetchall()


def test_a_block_that_raises_saves_nothing(db: Database) -> None:
    with pytest.raises(ZeroDivisionError), db.transaction() as cursor:
        cursor.execute(INSERT, ["a", "1"])
        raise ZeroDivisionError
    assert settings(db) == []
    with db.transaction() as cursor:
        cursor.execute(INSERT, ["b", "2"])
    assert settings(db) == [("b", "2")]


def test_a_transaction_inside_another_is_part_of_it(db: Database) -> None:
    with pytest.raises(ZeroDivisionError), db.transaction() as outer:
        with db.transaction() as inner:
            assert inner is outer
            inner.execute(INSERT, ["a", "1"])
        assert settings(db) == [("a", "1")]  # seen inside
        raise ZeroDivisionError
    assert settings(db) == []


def test_a_batch_that_fails_half_way_saves_no_document(store: Store) -> None:
    with pytest.raises(OverflowError), store.facts.transaction():
        store.documents.save([text_document("a")])
        store.documents.save([replace(text_document("b"), tokens=2**70)])
    assert store.documents.infos() == []


def test_two_sessions_that_change_one_row_get_a_clear_word(db: Database) -> None:
    """Without the queue of `transaction`: two open transactions on the same row."""
    with db.transaction() as cursor:
        cursor.execute(INSERT, ["q1", "zero"])
    with db.cursor() as first, db.cursor() as second:
        first.execute("BEGIN")
        first.execute("UPDATE settings SET value = 'one' WHERE key = 'q1'")
        with pytest.raises(ChangedMeanwhile) as caught, db.cursor():
            second.execute("BEGIN")
            second.execute("UPDATE settings SET value = 'two' WHERE key = 'q1'")
        assert "Reload" in caught.value.hint
        first.execute("COMMIT")
    assert settings(db) == [("q1", "one")]


def test_two_sessions_that_insert_one_key_leave_one_row(db: Database) -> None:
    with db.cursor() as first, db.cursor() as second:
        for cursor, word in ((first, "one"), (second, "two")):
            cursor.execute("BEGIN")
            cursor.execute(INSERT, ["q1", word])
        first.execute("COMMIT")
        with pytest.raises(ChangedMeanwhile), db.cursor():
            second.execute("COMMIT")
    assert settings(db) == [("q1", "one")]


def test_a_write_that_met_another_is_done_again(db: Database) -> None:
    with db.transaction() as cursor:
        cursor.execute(INSERT, ["n", "0"])
    tries = []

    def work(cursor: object) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise ChangedMeanwhile("somebody was faster")
        cursor.execute("UPDATE settings SET value = '3'")  # type: ignore[attr-defined]

    db.write(work)
    assert settings(db) == [("n", "3")]
    with pytest.raises(ChangedMeanwhile):
        db.write(lambda cursor: (_ for _ in ()).throw(ChangedMeanwhile("always")), attempts=2)


def test_sessions_that_save_the_same_row_at_once_all_succeed_and_leave_one(path: Path) -> None:
    together, failures = threading.Barrier(6), []

    def session(word: str) -> None:
        store = Store(path.parent)
        together.wait()
        try:
            for n in range(5):
                store.documents.save([text_document("d", f"{word} {n}", version=f"{word}{n}")])
                store.documents.tag(["d"], {word: str(n)})
                store.settings.set("name", word)
                store.queries.add("same", {})
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=session, args=(w,)) for w in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = Store(path.parent)
    assert failures == []
    (info,) = store.documents.infos()
    assert info.metadata == dict.fromkeys("abcdef", "4")
    assert len(store.documents.versions("d")) == 30
    assert len(store.queries.recent()) == 1
    assert store.settings.all()["name"] in "abcdef"
    store.close()


def test_a_writer_that_never_ends_is_reported_not_waited_for_without_end(path: Path) -> None:
    db, inside, done = Database(path, FACTS, wait_s=0.1), threading.Event(), threading.Event()

    def hold() -> None:
        with Database(path, FACTS).transaction():
            inside.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    with pytest.raises(StoreBusy, match="another thread"), db.transaction():
        pass
    assert settings(db) == []  # readers are not kept out
    done.set()
    thread.join()
    db.close()


def test_the_revision_grows_with_every_save_and_with_nothing_else(db: Database) -> None:
    other = Database(db.path, FACTS, linger_s=0)
    seen = [db.revision()]
    settings(db)
    seen.append(other.revision())
    with db.transaction() as cursor:
        cursor.execute(INSERT, ["a", "1"])
    seen.append(other.revision())
    with pytest.raises(ZeroDivisionError), db.transaction():
        raise ZeroDivisionError
    seen.append(db.revision())
    assert seen == [0, 0, 1, 1]


def test_what_no_list_depends_on_does_not_count_as_a_change(store: Store) -> None:
    store.documents.save([text_document("a")])
    before = store.documents.revision()
    store.queries.add("asked")
    store.queries.save_state({"k": 1})
    assert store.documents.revision() == before
    with store.facts.transaction(counted=False):
        store.documents.tag(["a"], {"k": "v"})
    assert store.documents.revision() == before + 1


def test_the_revision_needs_no_lock(path: Path) -> None:
    db = Database(path, FACTS, linger_s=0)
    assert db.revision() == 0
    db.close()
    assert db.revision() == 0
    assert not db.is_open


def test_words_that_look_like_sql_are_only_words(store: Store) -> None:
    evil = "'; DROP TABLE documents; --"
    store.documents.save([text_document("a", evil, source=evil, version=evil)])
    store.documents.tag(["a", evil], {evil: evil})
    store.queries.add(evil, {evil: evil})
    store.settings.set(evil, evil)
    (info,) = store.documents.infos()
    assert (info.source, info.metadata) == (evil, {evil: evil})
    assert store.documents.load("a", evil).text == evil
    assert store.settings.get(evil) == evil
    assert store.documents.states(root=evil) == {}


def test_an_error_of_the_database_is_one_of_ours(db: Database) -> None:
    with pytest.raises(StoreError, match=r"facts\.duckdb"), db.cursor() as cursor:
        cursor.execute("SELECT * FROM nothing_of_that_name")
    assert settings(db) == []


def test_a_file_is_rewritten_without_what_was_deleted(db: Database) -> None:
    words = "unmistakable" * 20
    with db.transaction() as cursor:
        for n in range(20):
            cursor.execute(
                "INSERT INTO document_versions VALUES (?, 'v', ?, '', '', '', now(), NULL)",
                [str(n), words * 500],
            )
    db.close()
    assert words.encode() in db.path.read_bytes()
    size = db.path.stat().st_size
    with db.transaction() as cursor:
        cursor.execute("DELETE FROM document_versions")
        cursor.execute(INSERT, ["kept", "1"])
    revision = db.revision()
    db.compact()
    db.close()
    assert words.encode() not in db.path.read_bytes()
    assert db.path.stat().st_size < size
    assert settings(db) == [("kept", "1")]
    assert db.revision() == revision
    assert db.notices == []


def test_a_rewrite_waits_for_readers_and_gives_up_in_time(path: Path) -> None:
    db, inside, done = Database(path, FACTS, wait_s=0.2), threading.Event(), threading.Event()

    def read() -> None:
        with Database(path, FACTS).cursor():
            inside.set()
            done.wait()

    thread = threading.Thread(target=read)
    thread.start()
    inside.wait()
    with pytest.raises(StoreBusy):
        db.compact()
    assert settings(db) == []
    done.set()
    thread.join()
    db.compact()
    assert settings(db) == []
    db.close()
