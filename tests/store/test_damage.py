"""Logs and files that cannot be read: bytes are kept, what can be opened is opened."""

from __future__ import annotations

import shutil
from contextlib import nullcontext
from pathlib import Path

import duckdb
import numpy as np
import pytest

from ragdebug.errors import StoreDamaged, StoreError, StoreTooNew
from ragdebug.store import faults
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS
from ragdebug.store.workspace import Store
from tests.store.helpers import Start, start_process, text_document

# Saves one document cleanly and another one that stands only in the log, then dies.
CRASH = """
import os
from ragdebug.store.workspace import Store
from tests.store.helpers import text_document
store = Store(args[0])
store.documents.save([text_document("safe")])
store.close()
for n in range(20):
    store.documents.save([text_document(f"log{n}", "only in the log " * 50)])
say("ready")
os.kill(os.getpid(), 9)
"""


@pytest.fixture(scope="module")
def crash_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crash") / "workspace"
    start_process(CRASH, folder).wait()
    return folder


@pytest.fixture
def crashed(path: Path, crash_site: Path) -> Path:
    """A database whose last process died with part of the rows in the log."""
    shutil.copytree(crash_site, path.parent)
    assert log_of(path).stat().st_size > 1000
    return path


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")


def kept(path: Path) -> list[Path]:
    return sorted(path.parent.glob("*.damaged-*"))


def documents(path: Path) -> list[str]:
    store = Store(path.parent)
    try:
        return sorted(i.id for i in store.documents.infos())
    finally:
        store.close()


def test_a_whole_log_is_read_after_a_crash(crashed: Path) -> None:
    assert documents(crashed) == sorted(["safe", *(f"log{n}" for n in range(20))])
    assert Store(crashed.parent).notices == []


def test_a_corrupt_log_is_set_aside_and_the_rest_opens(crashed: Path) -> None:
    broken = bytearray(log_of(crashed).read_bytes())
    broken[61:400] = bytes(339)
    log_of(crashed).write_bytes(broken)
    store = Store(crashed.parent)
    assert [i.id for i in store.documents.infos()] == ["safe"]
    (aside,) = kept(crashed)
    assert aside.read_bytes() == bytes(broken)
    assert aside.name.endswith(".wal")
    notices = " ".join(store.notices)
    assert "lost" in notices
    assert aside.name in notices
    store.close()
    assert documents(crashed) == ["safe"]  # no crash loop: the next start finds nothing odd
    assert kept(crashed) == [aside]


def test_saves_lost_with_half_a_log_are_counted(crashed: Path) -> None:
    """DuckDB takes a log that was cut for a complete one; what was confirmed is not all there."""
    log = log_of(crashed)
    half = log.read_bytes()[: log.stat().st_size // 2]
    log.write_bytes(half)
    store = Store(crashed.parent)
    left = len(store.documents.infos())
    assert 1 <= left < 21
    (notice,) = store.notices
    assert f"last {21 - left} saves" in notice
    (aside,) = kept(crashed)
    assert aside.name in notice
    assert aside.read_bytes() == half
    store.close()


def test_a_log_that_is_none_is_kept(crashed: Path) -> None:
    other = bytes(range(256)) * 12
    log_of(crashed).write_bytes(other)
    store = Store(crashed.parent)
    assert [i.id for i in store.documents.infos()] == ["safe"]
    (aside,) = kept(crashed)
    assert aside.read_bytes() == other
    assert aside.name in " ".join(store.notices)
    store.close()
    assert not list(crashed.parent.glob("*.new-*"))


def test_a_log_without_its_database_is_set_aside(crashed: Path) -> None:
    crashed.unlink()
    assert documents(crashed) == []
    assert len(kept(crashed)) == 1


def test_a_file_that_has_gone_is_said_once(path: Path) -> None:
    store = Store(path.parent)
    store.documents.save([text_document("a")])
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    store.close()
    path.unlink()
    store.cache.path.unlink()
    assert store.documents.infos() == []
    assert store.vectors.count("m") == 0  # nothing to say: computed again when needed
    (notice,) = store.notices
    assert "facts.duckdb was gone" in notice
    store.dismiss_notices()
    store.close()
    store.check()
    assert store.notices == []
    store.close()


def test_what_a_killed_process_left_half_made_is_swept(path: Path, start: Start) -> None:
    gone = start("say('ready')")
    gone.wait()
    path.parent.mkdir()
    for name in (f"new-{gone.pid}", f"compact-{gone.pid}-1", f"v1.bak.new-{gone.pid}-1.wal"):
        path.with_name(f"{path.name}.{name}").write_text("half")
    path.with_name(f"{path.name}.new-1").write_text("a living process' work")
    documents(path)
    assert [p.name for p in path.parent.glob("*-*")] == ["facts.duckdb.new-1"]


def test_a_truncated_file_is_named_and_left_as_it_is(path: Path) -> None:
    store = Store(path.parent)
    store.documents.save([text_document("a")])
    store.close()
    half = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(half)
    for _ in range(2):
        with pytest.raises(StoreDamaged) as caught:
            store.documents.infos()
        assert str(path) in caught.value.message
        assert "new store" in caught.value.hint
    assert path.read_bytes() == half
    assert kept(path) == []


def test_a_new_store_can_be_started_and_the_damaged_one_stays(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 1000)
    store = Store(path.parent)
    with pytest.raises(StoreDamaged):
        store.check()
    (aside,) = store.start_new()
    assert aside.read_bytes() == b"not a database" * 1000
    store.documents.save([text_document("a")])
    assert [i.id for i in store.documents.infos()] == ["a"]
    store.close()


def test_a_damaged_file_with_a_log_keeps_both_names(crashed: Path) -> None:
    log = log_of(crashed).read_bytes()
    crashed.write_bytes(crashed.read_bytes()[:10_000])
    with pytest.raises(StoreDamaged):
        documents(crashed)
    assert log_of(crashed).read_bytes() == log
    assert kept(crashed) == []
    assert len(Store(crashed.parent).start_new()) == 2


def test_a_damaged_file_of_vectors_is_replaced_since_it_can_be_computed_again(
    store: Store,
) -> None:
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    store.close()
    store.cache.path.write_bytes(b"x" * 50_000)
    assert store.vectors.count("m") == 0
    (aside,) = kept(store.cache.path)
    assert aside.read_bytes() == b"x" * 50_000
    assert aside.name in " ".join(store.notices)
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    assert store.vectors.count("m") == 1


def test_vectors_that_are_cut_short_are_replaced_at_once(store: Store) -> None:
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    store.close()
    whole = store.cache.path.read_bytes()
    store.cache.path.write_bytes(whole[: len(whole) // 3])  # the head is there, the tables are not
    assert store.vectors.count("m") == 0
    (aside,) = kept(store.cache.path)
    assert aside.name in " ".join(store.notices)


@pytest.mark.parametrize("inside", [False, True])
def test_vectors_that_turn_out_damaged_while_they_are_read_are_replaced_for_the_next_use(
    store: Store, inside: bool
) -> None:
    vector = np.random.default_rng(0).normal(size=(1, 50_000)).astype(np.float32)
    store.vectors.put("m", ["h"], vector)
    store.close()
    whole = store.cache.path.read_bytes()
    at = whole.index(vector[0, 20_000:20_050].tobytes())
    store.cache.path.write_bytes(whole[:at] + b"#" * 50 + whole[at + 50 :])

    def read() -> int:
        with store.cache.cursor() if inside else nullcontext():  # a use within another one
            return len(store.vectors.get("m", ["h"])[0])

    with pytest.raises(StoreDamaged, match=store.cache.path.name) as caught:
        read()
    assert "Try again" in caught.value.hint
    (aside,) = kept(store.cache.path)
    assert aside.name in " ".join(store.notices)
    assert read() == 0
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    store.close()
    assert read() == 1
    assert kept(store.cache.path) == [aside]


def test_a_full_disk_does_not_cost_the_vectors(store: Store) -> None:
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    fatal = duckdb.FatalException(
        "FATAL Error: Failed: database has been invalidated because of a previous fatal error"
    )
    with pytest.raises(StoreError), store.cache.cursor():
        raise fatal
    assert store.vectors.count("m") == 1
    assert kept(store.cache.path) == []


def test_an_empty_file_is_taken_for_no_file(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"")
    assert documents(path) == []
    assert kept(path) == []


def test_every_byte_flipped_in_the_head_of_a_file_gives_a_clear_error(path: Path) -> None:
    Store(path.parent).documents.save([text_document("a")])
    Store(path.parent).close()
    whole = path.read_bytes()
    for at in (0, 9, 13, 300, 4096, 4200, 8192, 8300):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        path.with_name(f"{path.name}.revision").unlink(missing_ok=True)
        store = Store(path.parent)
        try:
            infos = store.documents.infos()
        except (StoreDamaged, StoreTooNew) as error:
            assert path.name in error.message
        else:
            assert [i.id for i in infos] == ["a"]
        store.close()


def test_damage_found_while_reading_is_said_and_the_next_use_starts_again(path: Path) -> None:
    store = Store(path.parent)
    store.documents.save([text_document("a", "wörter " * 200_000)])
    store.close()
    whole = path.read_bytes()
    at = whole.rfind("wörter".encode()) - 100_000  # inside the text's own block
    path.write_bytes(whole[:at] + b"#" * 50 + whole[at + 50 :])
    with pytest.raises(StoreDamaged, match=path.name):
        store.documents.load("a")
    assert eventually_closed(store)
    path.write_bytes(whole)
    assert store.documents.load("a").text == "wörter " * 200_000
    store.close()


def eventually_closed(store: Store) -> bool:
    store.close()
    return not store.facts.is_open


def test_a_folder_in_place_of_the_file_is_no_damage(path: Path) -> None:
    path.mkdir(parents=True)
    (path / "something").write_text("")
    with pytest.raises(StoreError) as caught:
        documents(path)
    assert not isinstance(caught.value, StoreDamaged)
    assert path.is_dir()


def test_a_file_that_may_not_be_written_is_no_damage(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert documents(path) == []
    error = duckdb.IOException(f'IO Error: Cannot open file "{path}": Permission denied')

    def refuse(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(duckdb, "connect", refuse)
    with pytest.raises(StoreError, match="Permission denied") as caught:
        documents(path)
    assert not isinstance(caught.value, StoreDamaged)
    assert kept(path) == []


def test_a_full_disk_is_called_that() -> None:
    error = duckdb.IOException("IO Error: Could not write all bytes: No space left on device")
    ours = faults.translate(error, Path("facts.duckdb"))
    assert ours.title == "Disk full"
    assert not isinstance(ours, StoreDamaged)


def test_words_about_a_later_duckdb_are_understood() -> None:
    error = duckdb.IOException(
        'IO Error: Trying to read a database file with version number 99, but we can only read '
        "versions between 64 and 68."
    )  # fmt: skip
    assert isinstance(faults.translate(error, Path("facts.duckdb")), StoreTooNew)


def test_an_older_copy_put_in_place_by_hand_is_noticed_and_the_counter_goes_on(
    db: Database,
) -> None:
    with db.transaction() as cursor:
        cursor.execute("INSERT INTO settings VALUES ('a', '1', NULL)")
    db.close()
    copy = db.path.with_name("copy")
    shutil.copyfile(db.path, copy)
    for key in "bc":
        with db.transaction() as cursor:
            cursor.execute("INSERT INTO settings VALUES (?, '1', NULL)", [key])
    seen = db.revision()
    db.close()
    shutil.copyfile(copy, db.path)
    with db.cursor() as cursor:
        assert cursor.execute("SELECT count(*) FROM settings").fetchall() == [(1,)]
    assert "last 2 saves" in db.notices[-1]
    assert db.revision() > seen
    db.dismiss_notices()
    db.close()
    with db.cursor():
        assert db.notices == []
    assert Database(db.path, FACTS).revision() == db.revision()
