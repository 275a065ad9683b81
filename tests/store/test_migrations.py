"""Old, half upgraded, interrupted and newer databases."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from ragdebug.errors import StoreError, StoreTooNew
from ragdebug.store.connection import Database
from ragdebug.store.migrations import FACTS, VECTORS, Migration
from tests.store.helpers import Start

FIRST = Migration(1, "notes", ("CREATE TABLE IF NOT EXISTS notes (id INTEGER, word VARCHAR)",))
SECOND = Migration(
    2,
    "notes have a colour",
    (
        "ALTER TABLE notes ADD COLUMN IF NOT EXISTS colour VARCHAR DEFAULT 'blue'",
        "CREATE TABLE IF NOT EXISTS colours (name VARCHAR PRIMARY KEY)",
    ),
)


@pytest.fixture
def old(path: Path) -> Path:
    """A database of the first version, with a row."""
    db = Database(path, [FIRST], linger_s=0)
    with db.transaction() as cursor:
        cursor.execute("INSERT INTO notes VALUES (1, 'kept')")
    return path


def rows(path: Path, query: str, migrations: tuple[Migration, ...] = (FIRST, SECOND)) -> object:
    with Database(path, migrations, linger_s=0).cursor() as cursor:
        return cursor.execute(query).fetchall()


def schema(path: Path) -> object:
    return rows(path, "SELECT value FROM store_meta WHERE key = 'schema'")


def test_an_old_database_is_brought_up_to_date_and_copied_before(old: Path) -> None:
    assert rows(old, "FROM notes") == [(1, "kept", "blue")]
    assert schema(old) == [("2",)]
    copy = old.with_name("facts.duckdb.v1.bak")
    with duckdb.connect(str(copy), read_only=True) as connection:
        assert connection.execute("FROM notes").fetchall() == [(1, "kept")]
    (notice,) = Database(old, [FIRST, SECOND]).notices
    assert copy.name in notice


def test_a_new_database_is_not_copied(path: Path) -> None:
    assert rows(path, "FROM notes") == []
    assert [p.name for p in path.parent.glob("*.bak")] == []
    assert Database(path, [FIRST, SECOND]).notices == []


@pytest.mark.parametrize(
    "half",
    [
        "ALTER TABLE notes ADD COLUMN colour VARCHAR DEFAULT 'blue'",
        "CREATE TABLE colours (name VARCHAR PRIMARY KEY)",
        "ALTER TABLE notes ADD COLUMN colour VARCHAR DEFAULT 'blue';"
        "CREATE TABLE colours (name VARCHAR PRIMARY KEY)",
    ],
)
def test_a_half_upgraded_database_is_finished_without_loss(old: Path, half: str) -> None:
    with duckdb.connect(str(old)) as connection:
        connection.execute(half)
    assert rows(old, "FROM notes") == [(1, "kept", "blue")]
    assert schema(old) == [("2",)]


def test_upgrading_twice_changes_nothing(old: Path) -> None:
    rows(old, "FROM notes")
    with duckdb.connect(str(old)) as connection:
        connection.execute("UPDATE notes SET colour = 'red'")
        connection.execute("UPDATE store_meta SET value = '1' WHERE key = 'schema'")
    assert rows(old, "FROM notes") == [(1, "kept", "red")]
    assert schema(old) == [("2",)]
    assert rows(old, "SELECT count(*) FROM store_meta WHERE key = 'schema'") == [(1,)]


def test_a_failing_migration_changes_nothing_and_says_so(old: Path) -> None:
    bad = Migration(2, "bad", ("ALTER TABLE notes ADD COLUMN colour VARCHAR", "CREATE TABLE ("))
    with pytest.raises(StoreError, match=old.name), Database(old, [FIRST, bad]).cursor():
        pass
    assert rows(old, "FROM notes", (FIRST,)) == [(1, "kept")]


def test_an_upgrade_killed_in_the_middle_starts_again(old: Path, start: Start) -> None:
    code = """
import os
import ragdebug.store.migrations as m
from ragdebug.store.connection import Database
first = m.Migration(1, "notes", ())
second = m.Migration(2, "", ("ALTER TABLE notes ADD COLUMN IF NOT EXISTS colour VARCHAR",))
m.write_meta = lambda *a: os.kill(os.getpid(), 9)
with Database(args[0], [first, second]).cursor():
    pass
"""
    killed = start(code, old, wait=False)
    assert killed.wait() == -9
    assert rows(old, "FROM notes") == [(1, "kept", "blue")]
    assert schema(old) == [("2",)]


def test_a_newer_database_is_refused_and_untouched(old: Path) -> None:
    rows(old, "FROM notes")
    before = old.read_bytes()
    for _ in range(2):
        with pytest.raises(StoreTooNew) as caught, Database(old, [FIRST], linger_s=0).cursor():
            pass
        assert "version 2" in caught.value.message
        assert "knows 1" in caught.value.message
        assert old.name in caught.value.message
        assert caught.value.hint
    assert old.read_bytes() == before


def test_a_database_that_is_not_ours_yet_keeps_its_tables(path: Path) -> None:
    path.parent.mkdir()
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE sample AS SELECT 1 AS a UNION ALL SELECT 2")
    assert rows(path, "SELECT count(*) FROM sample", FACTS) == [(2,)]
    assert path.with_name("facts.duckdb.v0.bak").exists()


def test_numbers_of_released_migrations_are_whole_and_rising() -> None:
    for migrations in (FACTS, VECTORS):
        assert [m.number for m in migrations] == list(range(1, len(migrations) + 1))


def test_every_table_of_facts_has_a_tenant_that_may_be_null(path: Path) -> None:
    missing = rows(
        path,
        "SELECT table_name FROM duckdb_tables() WHERE table_name <> 'store_meta' EXCEPT"
        " SELECT table_name FROM duckdb_columns() WHERE column_name = 'tenant' AND is_nullable",
        FACTS,
    )
    assert missing == []


@pytest.mark.parametrize("migrations", [FACTS, VECTORS])
def test_every_released_migration_may_run_over_its_own_work(
    path: Path, migrations: tuple[Migration, ...]
) -> None:
    with Database(path, migrations, linger_s=0).cursor() as cursor:
        for migration in migrations:
            for statement in migration.statements:
                cursor.execute(statement)


def test_a_workspace_of_the_second_version_gets_the_tables_of_the_third(path: Path) -> None:
    db = Database(path, FACTS[:2], linger_s=0)
    with db.transaction() as cursor:
        cursor.execute("INSERT INTO settings (key, value) VALUES ('name', 'kept')")
    got = rows(
        path,
        "SELECT value, (SELECT count(*) FROM registered), (SELECT count(*) FROM pieces),"
        " (SELECT count(*) FROM result_list_hits) FROM settings",
        FACTS,
    )
    assert got == [("kept", 0, 0, 0)]
