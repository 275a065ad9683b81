"""Two processes, many threads and several objects share one file, in turns."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest

from ragdebug.errors import StoreBusy, StoreError
from ragdebug.store import owners
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS
from ragdebug.store.workspace import Store
from tests.store.helpers import Start, eventually, rest_of, text_document

HOLD = """
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS
sys.orig_argv = ["python", "/somewhere/bin/ragdebug", "--workspace", "x", "ingest", "a secret"]
with Database(args[0], FACTS).cursor():
    say("ready")
    sys.stdin.readline()
"""

FOREIGN = """
import duckdb
held = duckdb.connect(args[0])
say("ready")
sys.stdin.readline()
"""

BUSY = """
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS
db = Database(args[0], FACTS)
until = time.monotonic() + float(args[1])
first = True
while time.monotonic() < until:
    with db.transaction() as c:
        time.sleep(0.02)
    if first:
        say("ready")
        first = False
"""


def release(process: object) -> None:
    process.communicate("\n")  # type: ignore[attr-defined]


def is_free(path: Path, start: Start) -> bool:
    """Whether another process could open the file now."""
    code = "import duckdb\nduckdb.connect(args[0])\nsay('ready')"
    process = start(code, path, wait=False)
    return "ready" in process.communicate()[0]


def test_file_and_holder_are_named_when_another_process_keeps_the_file(
    path: Path, start: Start
) -> None:
    holder = start(HOLD, path)
    with pytest.raises(StoreBusy) as caught, Database(path, FACTS, wait_s=0.2).cursor():
        pass
    assert str(path) in caught.value.message
    assert f"ragdebug ingest (PID {holder.pid})" in caught.value.message
    assert "secret" not in str(caught.value)
    assert caught.value.hint


def test_a_holder_that_is_no_program_of_ours_is_named_by_its_process(
    path: Path, start: Start
) -> None:
    path.parent.mkdir()
    holder = start(FOREIGN, path)
    with pytest.raises(StoreBusy, match=rf"{path.name}.*PID {holder.pid}"):
        Store(path.parent, wait_s=0.2).documents.infos()


def test_the_same_object_works_as_soon_as_the_holder_lets_go(path: Path, start: Start) -> None:
    holder = start(HOLD, path)
    db = Database(path, FACTS, wait_s=0.1)
    with pytest.raises(StoreBusy), db.cursor():
        pass
    release(holder)
    with db.cursor() as cursor:
        assert cursor.execute("SELECT 1").fetchall() == [(1,)]
    db.close()


def test_the_one_that_waits_says_for_whom_and_gets_its_turn(path: Path, start: Start) -> None:
    holder = start(HOLD, path)
    said: list[str] = []

    def on_wait(sentence: str) -> None:
        said.append(sentence)
        assert holder.stdin is not None
        holder.stdin.write("\n")
        holder.stdin.flush()

    db = Database(path, FACTS, wait_s=30, on_wait=on_wait, linger_s=0)
    with db.cursor() as cursor:
        assert cursor.execute("SELECT 1").fetchall() == [(1,)]
    assert said == [f"waiting for ragdebug ingest (PID {holder.pid})"]
    assert not path.with_name("facts.duckdb.waiting").exists()


def test_a_process_that_works_without_pause_still_lets_others_in(path: Path, start: Start) -> None:
    busy = start(BUSY, path, 25)
    db = Database(path, FACTS, wait_s=20, linger_s=0)
    for _ in range(3):
        with db.transaction() as cursor:
            cursor.execute("INSERT INTO settings VALUES (?, 'x', NULL)", [str(time.time_ns())])
        assert busy.poll() is None


def test_threads_that_overlap_without_end_still_let_another_process_in(
    path: Path, start: Start
) -> None:
    db = Database(path, FACTS, wait_s=30)
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            with db.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM documents").fetchall()
                time.sleep(0.05)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        other = start(HOLD, path)  # comes back when it has the file
        release(other)
        assert other.returncode == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    db.close()


def test_the_file_is_free_for_others_after_the_last_use(path: Path, start: Start) -> None:
    db = Database(path, FACTS, linger_s=0.1)
    with db.cursor():
        assert db.is_open
    assert eventually(lambda: not db.is_open)
    assert is_free(path, start)


def test_the_file_stays_open_through_a_burst_of_uses(path: Path) -> None:
    db = Database(path, FACTS, linger_s=30)
    with db.cursor():
        pass
    first = db._shared.connection
    for _ in range(20):
        with db.cursor() as cursor:
            cursor.execute("SELECT 1").fetchall()
    assert db._shared.connection is first
    db.close()
    assert not db.is_open


def test_nothing_keeps_the_file_after_every_store_was_used(store: Store, start: Start) -> None:
    import numpy as np

    store.documents.save([text_document("a")])
    store.documents.load("a")
    store.vectors.put("m", ["h"], np.ones((1, 4), np.float32))
    store.vectors.get("m", ["h"])
    store.queries.add("words")
    store.close()
    assert is_free(store.facts.path, start)
    assert is_free(store.cache.path, start)


def test_objects_on_the_same_folder_share_one_connection(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    path.parent.mkdir()
    link.symlink_to(path.parent)
    one, two = Database(path, FACTS, linger_s=30), Database(link / path.name, FACTS, linger_s=30)
    with one.cursor(), two.cursor():
        assert one._shared is two._shared
    one.close()
    assert not two.is_open


def test_a_cursor_inside_a_cursor_of_the_same_thread_does_not_block(db: Database) -> None:
    with db.cursor() as outer, db.cursor() as inner, db.cursor() as third:
        assert {c.execute("SELECT 1").fetchall()[0] for c in (outer, inner, third)} == {(1,)}


def test_ten_threads_read_whole_batches_while_one_writes(path: Path) -> None:
    stores = [Store(path.parent) for _ in range(11)]
    stores[0].documents.save([text_document(f"d{n}", "round 0") for n in range(5)])
    stop, seen, failures = threading.Event(), [], []

    def read(store: Store) -> None:
        try:
            while not stop.is_set():
                texts = store.documents.texts(
                    (f"d{n}", f"v{r}") for n in range(5) for r in range(9)
                )
                current = {i.version for i in store.documents.infos()}
                seen.append((len(texts) % 5, len(current)))
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=read, args=(s,)) for s in stores[1:]]
    for thread in threads:
        thread.start()
    for turn in range(1, 5):
        stores[0].documents.save(
            [text_document(f"d{n}", f"round {turn}", version=f"v{turn}") for n in range(5)]
        )
    stop.set()
    for thread in threads:
        thread.join()
    stores[0].close()
    assert not failures
    assert set(seen) == {(0, 1)}  # never a part of a batch, never two versions at once


def test_many_threads_that_start_together_open_the_file_once(path: Path) -> None:
    db = Database(path, FACTS, linger_s=30)
    together, found = threading.Barrier(8), []

    def use() -> None:
        together.wait()
        with db.cursor() as cursor:
            found.append(cursor.execute("SELECT count(*) FROM documents").fetchall())

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    db.close()
    assert found == [[(0,)]] * 8


def test_owner_file_names_this_process_only_while_it_has_the_file(db: Database) -> None:
    with db.cursor():
        noted = json.loads((db.path.parent / "owner.json").read_text())[db.path.name]
        assert noted["pid"] == os.getpid()
        assert db.holder() == owners.Holder(**noted)
    assert db.holder() is None


@pytest.mark.parametrize("content", ["", "[]", "{", '{"facts.duckdb": 7}', '{"facts.duckdb": {}}'])
def test_a_broken_owner_file_disturbs_nobody(db: Database, content: str) -> None:
    db.path.parent.mkdir()
    (db.path.parent / "owner.json").write_text(content)
    assert db.holder() is None
    with db.cursor():
        assert db.holder() is not None


def test_an_owner_that_is_gone_is_not_blamed(path: Path, start: Start) -> None:
    path.parent.mkdir()
    holder = start(FOREIGN, path)
    (path.parent / "owner.json").write_text(
        json.dumps({path.name: {"pid": holder.pid + 1, "command": "ragdebug app", "since": ""}})
    )
    assert "ragdebug app" not in owners.describe(path, holder.pid)
    assert str(holder.pid) in owners.describe(path, holder.pid)


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["python", "/bin/ragdebug", "ingest", "docs"], "ragdebug ingest"),
        (["python", "-m", "ragdebug", "--workspace", "w", "search", "q"], "ragdebug search"),
        (["python", "-m", "ragdebug.cli", "--verbose", "app"], "ragdebug app"),
        (["python", "/bin/streamlit", "run", "app.py"], "ragdebug app"),
        (["python", "-m", "streamlit", "run", "app.py"], "ragdebug app"),
        (["/usr/bin/python3", "notebook.py"], "python3"),
    ],
)
def test_a_process_calls_itself_what_its_user_typed(
    argv: list[str], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "orig_argv", argv)
    assert owners.own_command() == command


def test_a_killed_holder_does_not_block_the_next(path: Path, start: Start) -> None:
    holder = start(HOLD, path)
    holder.kill()
    holder.wait()
    with Database(path, FACTS, wait_s=5, linger_s=0).cursor() as cursor:
        assert cursor.execute("SELECT count(*) FROM documents").fetchall() == [(0,)]


def test_a_waiter_that_died_is_forgotten(path: Path) -> None:
    path.parent.mkdir()
    sign = path.with_name("facts.duckdb.waiting")
    sign.write_text("1")
    assert owners.someone_waits(path)
    old = time.time() - 60
    os.utime(sign, (old, old))
    assert not owners.someone_waits(path)


def test_somebody_elses_read_only_view_is_waited_for_too(path: Path, start: Start) -> None:
    with Database(path, FACTS, linger_s=0).cursor():
        pass
    start("import duckdb\nc = duckdb.connect(args[0], read_only=True)\nsay('ready')\n"
          "sys.stdin.readline()", path)  # fmt: skip
    with pytest.raises(StoreBusy), Database(path, FACTS, wait_s=0.1).cursor():
        pass


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="could not be made"):
        Store(tmp_path / "file" / "workspace").documents.infos()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_neither_uses_nor_hurts_the_open_file(path: Path, start: Start) -> None:
    code = """
import os
from ragdebug.errors import StoreError
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS
db = Database(args[0], FACTS, linger_s=0)
with db.cursor() as c:
    pid = os.fork()
    if pid == 0:
        try:
            with db.cursor():
                pass
        except StoreError as e:
            os._exit(7 if "fork" in e.message else 1)
        os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    c.execute("INSERT INTO settings VALUES ('k', 'v', NULL)")
if os.fork() == 0:  # nothing open now: the child may open it itself
    with db.cursor() as c:
        code = 10 * code + len(c.execute("FROM settings").fetchall())
    say("ready")
    say(code)
    sys.exit()
os.wait()
"""
    assert rest_of(start(code, path)) == "71"


def test_duckdb_is_not_loaded_before_a_database_is_used(start: Start, tmp_path: Path) -> None:
    code = """
from ragdebug.store.workspace import Store
Store(args[0])
say("ready")
say([m for m in ("duckdb", "pyarrow", "pandas") if m in sys.modules])
"""
    assert rest_of(start(code, tmp_path / "w")) == "[]"
    assert not (tmp_path / "w").exists()


def test_duckdb_tells_the_holder_in_words_we_know(path: Path, start: Start) -> None:
    """DuckDB has no class for a lock; its words are all there is."""
    from ragdebug.store import faults

    path.parent.mkdir()
    holder = start(FOREIGN, path)
    with pytest.raises(duckdb.Error) as caught:
        duckdb.connect(str(path))
    assert faults.is_locked(caught.value)
    assert faults.holder_pid(caught.value) == holder.pid
