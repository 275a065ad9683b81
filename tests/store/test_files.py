"""Originals and saved indexes: whole or not at all, for every process."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from ragdebug.errors import StoreDamaged, StoreError
from ragdebug.store.indexes import IndexFolder
from ragdebug.store.uploads import UploadStore
from tests.store.helpers import Start, eventually


@pytest.fixture
def uploads(tmp_path: Path) -> UploadStore:
    return UploadStore(tmp_path / "uploads")


@pytest.fixture
def indexes(tmp_path: Path) -> IndexFolder:
    return IndexFolder(tmp_path / "indexes")


# Uploads ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"bytes \x00\xff", b"x" * 3_000_000])
def test_an_upload_comes_back_under_its_hash(uploads: UploadStore, data: bytes) -> None:
    name = uploads.put(data)
    assert name == hashlib.sha256(data).hexdigest()
    assert uploads.put(data) == name
    assert uploads.get(name) == data
    assert uploads.names() == [name]
    assert [p.name for p in uploads.folder.iterdir()] == [name]
    assert uploads.delete(name)
    assert not uploads.delete(name)
    assert uploads.get(name) is None


def test_a_half_written_upload_is_written_again(uploads: UploadStore) -> None:
    name = uploads.put(b"whole")
    uploads.path(name).write_bytes(b"who")
    with pytest.raises(StoreDamaged, match=name):
        uploads.get(name)
    uploads.put(b"whole")
    assert uploads.get(name) == b"whole"


@pytest.mark.parametrize("name", ["", "..", "../facts.duckdb", "a" * 63, "A" * 64, "a" * 64 + "\n"])
def test_only_hashes_are_names_of_uploads(uploads: UploadStore, name: str) -> None:
    for use in (uploads.get, uploads.delete, uploads.path):
        with pytest.raises(StoreError):
            use(name)


def test_threads_that_put_the_same_bytes_leave_one_file(uploads: UploadStore) -> None:
    together = threading.Barrier(6)

    def put() -> None:
        together.wait()
        uploads.put(b"same" * 1000)

    threads = [threading.Thread(target=put) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(uploads.folder.iterdir())) == 1


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "uploads").write_text("a file")
    with pytest.raises(StoreError, match="could not be kept"):
        UploadStore(tmp_path / "uploads").put(b"x")


# Indexes ------------------------------------------------------------------------------------------


def save_words(folder: Path) -> None:
    np.save(folder / "words.npy", np.arange(1000))
    (folder / "more").mkdir()
    (folder / "more" / "text").write_text("text")


def test_a_published_index_is_there_whole(indexes: IndexFolder) -> None:
    assert not indexes.path("f00-bm25").exists()
    target = indexes.publish("f00-bm25", save_words)
    assert indexes.path("f00-bm25") == target
    assert np.load(target / "words.npy").sum() == 499_500
    assert (target / "more" / "text").read_text() == "text"
    assert indexes.names() == ["f00-bm25"]
    assert [p.name for p in indexes.folder.iterdir()] == ["f00-bm25"]


def test_an_index_that_fails_while_it_is_saved_leaves_nothing(indexes: IndexFolder) -> None:
    def fail(folder: Path) -> None:
        save_words(folder)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        indexes.publish("f00", fail)
    assert list(indexes.folder.iterdir()) == []


def test_the_first_of_two_publishers_wins_and_both_go_on(indexes: IndexFolder) -> None:
    def slow(folder: Path) -> None:
        indexes.publish("f00", lambda f: (f / "who").write_text("fast") and None)
        (folder / "who").write_text("slow")

    target = indexes.publish("f00", slow)
    assert (target / "who").read_text() == "fast"
    assert [p.name for p in indexes.folder.iterdir()] == ["f00"]


def test_a_reader_keeps_an_index_that_is_deleted_meanwhile(indexes: IndexFolder) -> None:
    words = np.load(indexes.publish("f00", save_words) / "words.npy", mmap_mode="r")
    indexes.discard("f00")
    indexes.discard("f00")
    assert words.sum() == 499_500
    assert not indexes.path("f00").exists()


def test_trimming_keeps_those_used_last(indexes: IndexFolder) -> None:
    for n in range(5):
        indexes.publish(f"f{n}", save_words)
        os.utime(indexes.folder / f"f{n}", (1000 + n, 1000 + n))
    indexes.path("f0")  # used now
    assert indexes.trim(keep=3) == ["f2", "f1"]
    assert indexes.names() == ["f0", "f4", "f3"]


def test_trimming_by_size_keeps_at_least_the_last_one(indexes: IndexFolder) -> None:
    for n in range(3):
        indexes.publish(f"f{n}", save_words)
        os.utime(indexes.folder / f"f{n}", (1000 + n, 1000 + n))
    assert indexes.trim(max_bytes=17_000) == ["f0"]  # each has a little over 8,000
    assert indexes.trim(max_bytes=1) == ["f1"]
    assert indexes.clear() == 1
    assert indexes.names() == []


def test_what_a_killed_process_left_is_swept_and_the_living_ones_work_stays(
    indexes: IndexFolder, start: Start
) -> None:
    gone = start("say('ready')", 0)
    gone.wait()
    for pid in (gone.pid, os.getpid()):
        (indexes.folder / f".new-{pid}-1-1").mkdir(parents=True)
    indexes.trim()
    assert [p.name for p in indexes.folder.iterdir()] == [f".new-{os.getpid()}-1-1"]


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "a b", "ü", "x" * 201])
def test_only_plain_names_are_names_of_indexes(indexes: IndexFolder, name: str) -> None:
    for use in (indexes.path, indexes.discard, lambda n: indexes.publish(n, save_words)):
        with pytest.raises(StoreError):
            use(name)


def test_a_full_disk_is_said(indexes: IndexFolder) -> None:
    def full(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match="No space left"):
        indexes.publish("f00", full)


def test_other_processes_see_an_index_whole_or_not_at_all(
    indexes: IndexFolder, start: Start
) -> None:
    code = """
from ragdebug.store.indexes import IndexFolder
indexes = IndexFolder(args[0])
def save(folder):
    (folder / "a").write_text("x" * 1000)
    time.sleep(0.005)
    (folder / "b").write_text("x" * 1000)
say("ready")
for n in range(100_000):
    indexes.publish(f"f{n}", save)
"""
    start(code, indexes.folder)
    seen: set[str] = set()
    assert eventually(lambda: whole(indexes, seen) and len(seen) >= 15)


def whole(indexes: IndexFolder, seen: set[str]) -> bool:
    for name in set(indexes.names()) - seen:
        assert sorted(p.name for p in indexes.path(name).iterdir()) == ["a", "b"]
        seen.add(name)
    return True
