"""Purging deletes for good, says what it could not reach, and leaves the others alone."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragdebug.errors import DocumentNotFound
from ragdebug.questions import PLACED, STALE, UNPLACED, Label, Need, Question
from ragdebug.records import Chunk, Place
from ragdebug.store.console import run_sql
from ragdebug.store.workspace import Store
from ragdebug.table import DocumentChunks, text_digest
from tests.store.evaluations import lists, run
from tests.store.helpers import text_document

SECRET = "unmistakable" * 30


def cut(*texts: str) -> DocumentChunks:
    return DocumentChunks.of(
        [Chunk("", "d", "v", "s", 0, len(t), t, t, context=t, size=len(t)) for t in texts]
    )


@pytest.fixture
def full(store: Store) -> Store:
    """A secret document in two versions beside another one that shares a chunk with it."""
    old, new = store.uploads.put(SECRET.encode()), store.uploads.put(f"{SECRET}!".encode())
    store.documents.save([text_document("a", f"{SECRET} old", upload=old, title=SECRET)])
    store.documents.save([text_document("a", f"{SECRET} new", version="v2", upload=new)])
    store.documents.save([text_document("b", "harmless")])
    store.chunks.put(
        {
            ("a", "v1"): cut(f"{SECRET} old", "common"),
            ("a", "v2"): cut(f"{SECRET} new"),
            ("b", "v1"): cut("common", "harmless"),
        },
        "fine",
    )
    hashes = [
        text_digest(t).hex() for t in (f"{SECRET} old", f"{SECRET} new", "common", "harmless")
    ]
    store.vectors.put("m", hashes, np.eye(4, dtype=np.float32))
    store.scores.put("m", "q", dict.fromkeys(hashes, 1.0))
    store.indexes.publish("f00", lambda folder: (folder / "terms").write_text(SECRET) and None)
    return store


def files_with(folder: Path, words: str) -> list[str]:
    return [
        str(p.relative_to(folder))
        for p in sorted(folder.rglob("*"))
        if p.is_file() and words.encode() in p.read_bytes()
    ]


def test_everything_of_a_purged_document_is_gone_from_the_disk(full: Store) -> None:
    full.close()
    assert len(files_with(full.folder, SECRET)) >= 4
    report = full.purge(["a"])
    full.close()
    assert files_with(full.folder, SECRET) == []
    assert report.documents == ("a.txt",)
    assert (report.versions, report.chunks, report.vectors, report.scores) == (2, 3, 2, 2)
    assert len(report.uploads) == 2
    assert (report.quoted_by, report.remains) == ((), ())
    with pytest.raises(DocumentNotFound):
        full.documents.load("a", "v1")
    assert full.documents.infos(removed=True)[0].id == "b"


def test_the_other_documents_keep_all_they_have(full: Store) -> None:
    full.purge(["a"])
    assert full.documents.load("b").text == "harmless"
    assert full.chunks.get([("b", "v1")], "fine").keys() == {("b", "v1")}
    hashes = [text_digest(t).hex() for t in ("common", "harmless")]
    assert full.vectors.known("m", hashes).all()
    assert full.scores.get("m", "q", hashes).keys() == set(hashes)


def test_questions_and_runs_keep_no_word_of_a_purged_document(full: Store) -> None:
    quote = Place("a", "v1", "a.txt", 0, len(SECRET), SECRET)
    lost = replace(quote, document="", version="", start=-1, end=-1)  # stands nowhere
    other = Place("b", "v1", "b.txt", 0, 8, "harmless")
    need = Need((Label(quote, given=SECRET), Label(lost, UNPLACED), Label(other)))
    asked = Question("q1", "what is it?", needs=(need,), rejected=(quote,))
    full.questions.save([Question("q2", "else?", needs=(Need((Label(other),)),)), asked])
    full.questions.save([replace(asked, text="what was it?", needs=(need, need))])
    full.runs.start(run())
    full.runs.add("aaaa0001", [("q1", asked.version)], lists([("a", 0, 9, 0.5)]), np.zeros(1), [""])
    run_sql(full, "SELECT 1")
    full.close()
    report = full.purge(["a"])
    full.close()
    assert files_with(full.folder, SECRET) == []
    labels = [x for n in full.questions.get(["q1"])["q1"].needs for x in n.labels]
    assert [(x.place.quote, x.status, x.given) for x in labels] == [
        ("", STALE, ""),
        ("", STALE, ""),
        ("harmless", PLACED, ""),
    ] * 2
    assert full.questions.get(["q1"])["q1"].rejected == (replace(quote, quote=""),)
    old = full.questions.versions([("q1", asked.version)])["q1", asked.version]
    assert old.text == "what is it?"
    assert [x.place.quote for x in old.needs[0].labels] == ["", "", "harmless"]
    assert full.questions.get(["q2"])["q2"].needs[0].labels[0].status == PLACED
    assert len(full.runs.load("aaaa0001").spans.start) == 1
    said = " ".join(report.quoted_by)
    assert "'what was it?'" in said
    assert "run aaaa0001" in said
    assert "else?" not in said


def test_a_removed_document_can_be_purged_too(full: Store) -> None:
    full.documents.remove(["a"])
    assert full.purge(["a"]).documents == ("a.txt",)


def test_what_still_quotes_a_purged_document_is_named(full: Store) -> None:
    full.queries.add("what is in a.txt?", {})
    full.queries.add("plain", {"expected": {"document": "a", "source": "a.txt"}})
    full.queries.add("unrelated", {"expected": {"document": "b"}})
    link = full.queries.save_state({"open": "a.txt"})
    said = " ".join(full.purge(["a"]).quoted_by)
    assert "what is in a.txt?" in said
    assert "'plain'" in said
    assert link in said
    assert "unrelated" not in said


def test_an_original_that_others_come_from_is_kept_and_named(store: Store) -> None:
    upload = store.uploads.put(b"n,word\n1,one\n2,two\n")
    store.documents.save(
        [
            text_document("r1", "one", source="t.csv#1", upload=upload),
            text_document("r2", "two", source="t.csv#2", upload=upload),
        ]
    )
    report = store.purge(["r1"])
    assert report.uploads == ()
    assert upload in report.remains[0]
    assert store.uploads.get(upload)
    assert store.purge(["r2"]).uploads == (upload,)
    assert store.uploads.get(upload) is None


def test_a_file_in_use_that_cannot_be_rewritten_now_is_named(full: Store) -> None:
    full.cache.wait_s = 0.1
    inside, done = threading.Event(), threading.Event()

    def read() -> None:
        with Store(full.folder).cache.cursor():
            inside.set()
            done.wait()

    thread = threading.Thread(target=read)
    thread.start()
    inside.wait()
    report = full.purge(["a"])
    done.set()
    thread.join()
    assert report.remains[0].startswith("vectors.duckdb is in use")
    assert [i.id for i in full.documents.infos()] == ["b"]


def test_copies_kept_aside_are_named(full: Store) -> None:
    for name in ("facts.duckdb.v1.bak", "facts.duckdb.damaged-20310504-120000"):
        (full.folder / name).write_text(SECRET)
    said = " ".join(full.purge(["a"]).remains)
    assert "facts.duckdb.v1.bak" in said
    assert "facts.duckdb.damaged-20310504-120000" in said


def test_purging_nothing_known_changes_nothing(full: Store) -> None:
    before = full.documents.revision()
    assert full.purge(["nobody"]).documents == ()
    assert full.purge([]).documents == ()
    assert full.documents.revision() == before
    assert full.indexes.names() == ["f00"]


def test_a_purge_that_was_interrupted_is_finished_by_the_next(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(sha256: str) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(full.uploads, "delete", stop)
        with pytest.raises(KeyboardInterrupt):
            full.purge(["a"])
    assert full.documents.load("a").text == f"{SECRET} new"  # still listed, nothing half shown
    full.purge(["a"])
    full.close()
    assert files_with(full.folder, SECRET) == []
