"""A backup holds everything, and only a whole and harmless one is restored."""

from __future__ import annotations

import hashlib
import json
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ragdebug.errors import StoreBusy, StoreDamaged, StoreError, StoreTooNew
from ragdebug.store import backup as backups
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS, Migration
from ragdebug.store.workspace import Store
from tests.store.helpers import Start, text_document


@pytest.fixture
def full(store: Store) -> Store:
    upload = store.uploads.put(b"original bytes")
    store.documents.save([text_document("a", "Wörter", upload=upload), text_document("b")])
    store.documents.tag(["a"], {"k": "v"})
    store.documents.remove(["b"])
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    store.queries.add("asked")
    return store


Entries = dict[str, bytes]


def rewritten(file: Path, change: Callable[[Entries], None]) -> Path:
    """The same archive with some entries changed."""
    with zipfile.ZipFile(file) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    target = file.with_name("changed.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return target


def manifest(entries: Entries, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg]
    value = json.loads(entries["manifest.json"])
    change(value)
    entries["manifest.json"] = json.dumps(value).encode()


def test_a_restored_workspace_holds_all_that_was_there(full: Store, tmp_path: Path) -> None:
    file = full.backup(tmp_path / "out" / "backup.zip")
    Store.restore_backup(file, tmp_path / "new")
    new = Store(tmp_path / "new")
    assert new.documents.infos(removed=True) == full.documents.infos(removed=True)
    assert new.documents.load("a") == full.documents.load("a")
    assert new.documents.original("a", new.uploads) == ("a.txt", b"original bytes")
    assert new.vectors.count("m") == 1
    assert [q.query for q in new.queries.recent()] == ["asked"]
    assert new.notices == []
    new.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new", "out", "workspace"]
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["backup.zip"]


def test_a_backup_replaces_an_older_one_whole_or_not_at_all(
    full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = full.backup(tmp_path / "backup.zip")
    before = file.read_bytes()

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(backups, "_write", fail)
        with pytest.raises(StoreError, match="No space left"):
            full.backup(file)
    assert file.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["backup.zip", "workspace"]


def test_vectors_may_stay_out(full: Store, tmp_path: Path) -> None:
    file = backups.backup(full, tmp_path / "small.zip", vectors=False)
    assert "vectors.duckdb" not in zipfile.ZipFile(file).namelist()
    Store.restore_backup(file, tmp_path / "new")
    assert Store(tmp_path / "new").vectors.count("m") == 0


def test_a_backup_taken_while_others_save_holds_whole_batches(
    full: Store, tmp_path: Path, start: Start
) -> None:
    code = """
from ragdebug.store.workspace import Store
from tests.store.helpers import text_document
store = Store(args[0])
say("ready")
for n in range(100000):
    store.documents.save([text_document(f"{n}-{i}", "text") for i in range(7)])
"""
    start(code, full.folder)
    file = full.backup(tmp_path / "backup.zip")
    Store.restore_backup(file, tmp_path / "new")
    assert (len(Store(tmp_path / "new").documents.infos()) - 1) % 7 == 0


def test_two_backups_at_once_do_not_disturb_each_other(full: Store, tmp_path: Path) -> None:
    files = [tmp_path / f"{n}.zip" for n in range(3)]
    threads = [threading.Thread(target=full.backup, args=(f,)) for f in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, file in enumerate(files):
        Store.restore_backup(file, tmp_path / f"new{n}")


def test_nothing_is_restored_over_something(full: Store, tmp_path: Path) -> None:
    file = full.backup(tmp_path / "backup.zip")
    with pytest.raises(StoreBusy, match="never restored over"):
        Store.restore_backup(file, full.folder)
    with pytest.raises(StoreBusy):
        Store.restore_backup(file, file)
    (tmp_path / "empty").mkdir()
    Store.restore_backup(file, tmp_path / "empty")
    assert Store(tmp_path / "empty").documents.load("a").text == "Wörter"


def changes() -> dict[str, Callable[[Entries], None]]:
    """What may be wrong with an archive."""
    evil = b"evil"
    digest = hashlib.sha256(evil).hexdigest()
    entry = {"bytes": len(evil), "sha256": digest}

    def add(name: str) -> Callable[[Entries], None]:
        def change(entries: Entries) -> None:
            entries[name] = evil
            manifest(entries, lambda m: m["files"].update({name: entry}))

        return change

    def larger(entries: Entries) -> None:
        entries["facts.duckdb"] += bytes(10_000_000)

    def other_bytes(entries: Entries) -> None:
        data = bytearray(entries["facts.duckdb"])
        data[-5] ^= 1
        entries["facts.duckdb"] = bytes(data)

    def wrongly_named(entries: Entries) -> None:
        add(f"uploads/{'0' * 64}")(entries)

    def not_a_database(entries: Entries) -> None:
        add("facts.duckdb")(entries)

    return {
        "above": add("../outside.txt"),
        "absolute": add("/tmp/rooted.txt"),
        "below": add("uploads/../../x"),
        "backslash": add("uploads\\..\\x"),
        "other file": add("notes.txt"),
        "upload of another hash": wrongly_named,
        "not a database": not_a_database,
        "unlisted": lambda e: e.update({"vectors.duckdb": b"x", "uploads/" + digest: evil}),
        "missing facts": lambda e: e.pop("facts.duckdb") and None,
        "missing upload": lambda e: e.pop(next(n for n in e if n.startswith("uploads/"))) and None,
        "missing list": lambda e: e.pop("manifest.json") and None,
        "broken list": lambda e: e.update({"manifest.json": b"{"}),
        "odd list": lambda e: e.update({"manifest.json": b'{"format": 1, "files": [1]}'}),
        "later format": lambda e: manifest(e, lambda m: m.update(format=99)),
        "larger than it says": larger,
        "other bytes": other_bytes,
    }


@pytest.mark.parametrize("what", changes())
def test_an_archive_that_is_not_as_it_was_written_is_refused(
    full: Store, tmp_path: Path, what: str
) -> None:
    file = rewritten(full.backup(tmp_path / "backup.zip"), changes()[what])
    (tmp_path / "deep").mkdir()
    with pytest.raises(StoreDamaged):
        Store.restore_backup(file, tmp_path / "deep" / "new")
    assert list((tmp_path / "deep").iterdir()) == []
    assert not (tmp_path / "outside.txt").exists()
    assert not Path("/tmp/rooted.txt").exists()


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.zip").write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(StoreDamaged):
        Store.restore_backup(tmp_path / "file.zip", tmp_path / "new")
    with pytest.raises(StoreError, match="No such file"):
        Store.restore_backup(tmp_path / "nothing.zip", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_an_archive_is_not_unpacked_beyond_the_limit(full: Store, tmp_path: Path) -> None:
    file = full.backup(tmp_path / "backup.zip")
    with pytest.raises(StoreDamaged):
        backups.restore(file, tmp_path / "new", max_bytes=100_000)
    assert not (tmp_path / "new").exists()


def test_a_backup_of_a_newer_store_is_refused(tmp_path: Path) -> None:
    newer = Store(tmp_path / "workspace")
    newer.facts.migrations = (*FACTS, Migration(99, "later", ()))
    newer.documents.save([text_document("a")])
    file = newer.backup(tmp_path / "backup.zip")
    with pytest.raises(StoreTooNew):
        Store.restore_backup(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_backup_of_an_older_store_is_brought_up_to_date(tmp_path: Path) -> None:
    old = Store(tmp_path / "workspace")
    old.documents.save([text_document("a")])
    with old.facts.transaction() as cursor:
        cursor.execute("UPDATE store_meta SET value = '0' WHERE key = 'schema'")
    file = old.backup(tmp_path / "backup.zip")
    Store.restore_backup(file, tmp_path / "new")
    new = Store(tmp_path / "new")
    assert new.documents.load("a").text
    assert Database(tmp_path / "new" / "facts.duckdb", FACTS).notices == []


def test_an_empty_workspace_can_be_backed_up(store: Store, tmp_path: Path) -> None:
    Store.restore_backup(store.backup(tmp_path / "backup.zip"), tmp_path / "new")
    assert Store(tmp_path / "new").documents.infos() == []
