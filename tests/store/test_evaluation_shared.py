"""Questions and runs under two processes, many readers, kills, damage and an old store."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import duckdb
import numpy as np
import pytest

from ragdebug.errors import StoreBusy, StoreError
from ragdebug.runs import DONE, RUNNING, STOPPED
from ragdebug.store.connection import Database
from ragdebug.store.evaluation_tables import EVALUATION
from ragdebug.store.migrations import FACTS
from ragdebug.store.workspace import Store
from tests.store.evaluations import lists, measured, place, question, run
from tests.store.helpers import Start, text_document
from tests.store.test_killed import killed_after, last_said

BATCH = 20  # questions
DEPTH = 10  # hits of each

# Works on a run, batch after batch, and says how many are saved.
EVALUATE = """
import numpy as np
from ragdebug.store.workspace import Store
from tests.store.evaluations import lists, run
store = Store(args[0], wait_s=60)
most = int(args[1])
if store.runs.runs():
    store.runs.resume("aaaa0001")
else:
    store.runs.start(run(asked=most * 20))
n = len(store.runs.done("aaaa0001")) // 20
say("ready")
while n < most:
    pairs = [(f"q{n * 20 + i}", "v") for i in range(20)]
    hits = lists(*([(f"d{r}", 0, 9, 1 / (1 + r)) for r in range(10)] for _ in pairs))
    store.runs.add("aaaa0001", pairs, hits, np.zeros(20), [""] * 20)
    n += 1
    say(n)
    time.sleep(float(args[2]))
store.runs.finish("aaaa0001", "done", 1.0, {})
store.close()
"""

# Saves the same questions again and again, each time with another text.
REWRITE = """
from dataclasses import replace
from ragdebug.store.workspace import Store
from tests.store.evaluations import place, question
store = Store(args[0])
say("ready")
n = int(args[1])
while True:
    n += 1
    asked = [replace(question(f"q{i}", place()), text=f"text {n}") for i in range(4)]
    store.questions.save(asked)
    say(n)
"""


def saved(store: Store) -> int:
    """Batches of the run that are there, each of them whole."""
    loaded = store.runs.load("aaaa0001")
    assert len(loaded.questions) % BATCH == 0
    assert [q for q, _ in loaded.questions] == [f"q{i}" for i in range(len(loaded.questions))]
    assert np.diff(loaded.spans.first).tolist() == [DEPTH] * len(loaded.questions)
    assert len(loaded.spans.start) == DEPTH * len(loaded.questions)
    return len(loaded.questions) // BATCH


def test_a_killed_run_loses_at_most_its_last_batch_and_goes_on(path: Path, start: Start) -> None:
    store, dice, said = Store(path.parent), random.Random(5), 0
    for _ in range(4):
        process = start(EVALUATE, path.parent, 100_000, 0)
        said = last_said(killed_after(process, dice.uniform(0.05, 0.5)), said)
        there = saved(store)
        assert there in (said, said + 1)
        assert store.runs.run("aaaa0001").state == STOPPED
        assert store.notices == []
        store.close()
        said = there
    start(EVALUATE, path.parent, said + 2, 0).wait()
    assert saved(store) == said + 2
    assert store.runs.run("aaaa0001").state == DONE
    store.close()


def test_questions_saved_again_while_killed_are_there_once_old_or_new(
    path: Path, start: Start
) -> None:
    store, dice, said = Store(path.parent), random.Random(17), 0
    store.questions.save([question("earlier", place())])
    store.close()
    for _ in range(4):
        process = start(REWRITE, path.parent, said)
        said = last_said(killed_after(process, dice.uniform(0.05, 0.5)), said)
        asked = store.questions.all()
        assert [q.id for q in asked][:1] == ["earlier"]
        texts = {q.text for q in asked[1:]}
        assert len(asked) == (5 if texts else 1)
        assert len(texts) <= 1
        found = int(texts.pop().removeprefix("text ")) if texts else 0
        assert found in (said, said + 1)
        with store.facts.cursor() as cursor:
            labels = cursor.execute("SELECT count(*) FROM labels").fetchall()
        assert labels == [(len(asked),)]
        assert store.notices == []
        store.close()
        said = found


def test_ten_sessions_read_while_a_process_evaluates(path: Path, start: Start) -> None:
    setup = Store(path.parent, wait_s=60)
    setup.questions.save([question(f"q{i}", place()) for i in range(40)])
    setup.close()
    process = start(EVALUATE, path.parent, 12, 0.05)
    seen: list[list[int]] = [[] for _ in range(10)]
    failures: list[BaseException] = []
    ended = threading.Event()

    def read(at: int) -> None:
        store = Store(path.parent, wait_s=60)
        try:
            while not ended.is_set():
                seen[at].append(saved(store))
                assert len(store.questions.all()) == 40
                assert [r.id for r in store.runs.runs()] == ["aaaa0001"]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read, args=(at,)) for at in range(10)]
    for thread in threads:
        thread.start()
    code = process.wait()
    ended.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert code == 0
    assert all(counts == sorted(counts) for counts in seen)  # never fewer than before
    assert saved(setup) == 12
    setup.close()


def test_ten_sessions_read_while_a_thread_of_the_app_evaluates(store: Store) -> None:
    store.runs.start(run())
    failures: list[BaseException] = []
    ended = threading.Event()

    def read() -> None:
        try:
            while not ended.is_set():
                saved(store)
                store.runs.measures("aaaa0001", 0.9)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(10)]
    for thread in threads:
        thread.start()
    for n in range(10):
        pairs = [(f"q{n * BATCH + i}", "v") for i in range(BATCH)]
        hits = lists(*([(f"d{r}", 0, 9, 0.5) for r in range(DEPTH)] for _ in pairs))
        store.runs.add("aaaa0001", pairs, hits, np.zeros(BATCH), [""] * BATCH)
        store.runs.save_measures("aaaa0001", measured([p[0] for p in pairs], ["x"], [1.0] * BATCH))
    ended.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert saved(store) == 10


def test_a_batch_that_another_process_keeps_out_can_be_saved_when_it_lets_go(
    path: Path, start: Start
) -> None:
    store = Store(path.parent, wait_s=0.2)
    store.runs.start(run())
    store.close()
    other = start(
        "import duckdb\nheld = duckdb.connect(args[0])\nsay('ready')\nsys.stdin.readline()\n", path
    )
    batch = ([("q1", "v")], lists([("a", 0, 9, 0.5)]), np.zeros(1), [""])
    with pytest.raises(StoreBusy, match=path.name):
        store.runs.add("aaaa0001", *batch)
    other.communicate("\n")
    store.runs.add("aaaa0001", *batch)
    assert store.runs.done("aaaa0001") == {"q1"}
    store.close()


def test_a_failing_batch_saves_nothing_of_itself(store: Store) -> None:
    store.runs.start(run())
    spans = lists([("a", 0, 9, 0.5)])
    spans.document[0] = 7  # no such document
    with pytest.raises(IndexError):
        store.runs.add("aaaa0001", [("q1", "v")], spans, np.zeros(1), [""])
    assert store.runs.done("aaaa0001") == set()
    with store.facts.cursor() as cursor:
        for table in ("run_documents", "run_questions", "run_hits"):
            assert cursor.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]


def test_a_corrupt_log_loses_the_batches_that_stood_only_there(path: Path, start: Start) -> None:
    store = Store(path.parent)
    store.questions.save([question("q1", place())])
    store.close()
    process = start(EVALUATE, path.parent, 100_000, 0)
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    process.kill()
    process.wait()
    log = path.with_name(f"{path.name}.wal")
    broken = bytearray(log.read_bytes())
    broken[61:400] = bytes(339)
    log.write_bytes(broken)
    assert [q.id for q in store.questions.all()] == ["q1"]
    assert store.runs.runs() == []
    assert "lost" in " ".join(store.notices)
    (aside,) = path.parent.glob("*.damaged-*.wal")
    assert aside.read_bytes() == bytes(broken)
    store.close()


# Old stores ---------------------------------------------------------------------------------------


@pytest.fixture
def old(path: Path) -> Path:
    """A store of the first version with a document and a query."""
    db = Database(path, FACTS[:1], linger_s=0)
    with db.transaction() as cursor:
        cursor.execute("INSERT INTO queries VALUES ('asked before', '{}', now(), NULL)")
        cursor.execute("INSERT INTO settings VALUES ('name', 'mine', NULL)")
    db.close()
    return path


def check(path: Path) -> None:
    """What was there is there, and questions and runs can be saved."""
    store = Store(path.parent)
    assert [q.query for q in store.queries.recent()] == ["asked before"]
    assert store.settings.get("name") == "mine"
    assert store.questions.all(None) == store.runs.runs(None) == []
    assert path.with_name(f"{path.name}.v1.bak").exists()
    store.questions.save([question("q1", place())])
    store.runs.start(run())
    assert [r.state for r in store.runs.runs()] == [RUNNING]
    store.close()


def test_a_store_without_questions_gets_them_and_a_copy_is_kept(old: Path) -> None:
    check(old)


@pytest.mark.parametrize("done", [1, 5, len(EVALUATION)])
def test_a_half_made_upgrade_is_finished(old: Path, done: int) -> None:
    with duckdb.connect(str(old)) as connection:
        for statement in EVALUATION[:done]:
            connection.execute(statement)
    check(old)


def test_an_upgrade_over_its_own_work_changes_no_row(old: Path) -> None:
    store = Store(old.parent)
    store.questions.save([question("q1", place())])
    store.runs.start(run())
    store.close()
    with duckdb.connect(str(old)) as connection:
        connection.execute("UPDATE store_meta SET value = '1' WHERE key = 'schema'")
    assert [q.id for q in store.questions.all()] == ["q1"]
    assert [r.id for r in store.runs.runs()] == ["aaaa0001"]
    store.close()


def test_a_backup_holds_questions_runs_and_measures(store: Store, tmp_path: Path) -> None:
    store.questions.save([question("q1", place())])
    store.runs.start(run())
    store.runs.add("aaaa0001", [("q1", "v")], lists([("a", 0, 9, 0.5)]), np.zeros(1), [""])
    store.runs.save_measures("aaaa0001", measured(["q1"], ["hit@1"], [[1]]))
    file = store.backup(tmp_path / "all.zip")
    Store.restore_backup(file, tmp_path / "other")
    other = Store(tmp_path / "other")
    assert other.questions.all() == store.questions.all()
    assert other.runs.load("aaaa0001").questions == (("q1", "v"),)
    assert other.runs.measures("aaaa0001", 0.9) is not None
    other.close()


def test_a_document_may_be_saved_while_a_run_is_added_to(store: Store) -> None:
    """Both in one transaction of one thread: all or nothing."""
    store.runs.start(run())
    with pytest.raises(StoreError), store.facts.transaction():
        store.documents.save([text_document("a")])
        store.runs.add("none", [("q1", "v")], lists([("a", 0, 9, 0.5)]), np.zeros(1), [""])
    assert store.documents.infos() == []
