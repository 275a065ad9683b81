"""SQL of a person is answered from a copy; it never writes, reads files, or goes on for ever."""

from __future__ import annotations

import math
import os
from datetime import date, datetime
from pathlib import Path

import pytest

from ragdebug.errors import SqlRefused
from ragdebug.store import console, console_child
from ragdebug.store.console import SqlResult, run_sql
from ragdebug.store.console_copy import ConsoleCopy
from ragdebug.store.workspace import Store
from tests.store.evaluations import place, question
from tests.store.helpers import Start, text_document


@pytest.fixture
def full(store: Store) -> Store:
    store.questions.save([question("q1", place(), tags=("x", "y")), question("q2")])
    return store


def copies(store: Store) -> list[str]:
    return sorted(p.name for p in (store.folder / "console").glob("*"))


def test_an_answer_has_names_types_and_plain_values(full: Store) -> None:
    answer = run_sql(
        full,
        """SELECT id, tags, created_at > '2020-01-01' AS late, number, 1.5::DOUBLE AS half,
            DATE '2031-05-04' AS day, TIMESTAMP '2031-05-04 12:00:00' AS moment,
            1.25::DECIMAL(9, 2) AS price, 'ab'::BLOB AS bytes, {'k': [1, NULL]} AS nested,
            removed_at FROM questions ORDER BY number""",
    )
    assert answer.rows[0] == (
        *("q1", ["x", "y"], True, 1, 1.5, date(2031, 5, 4), datetime(2031, 5, 4, 12)),
        *(1.25, "6162", {"k": [1, None]}, None),
    )
    assert [r[0] for r in answer.rows] == ["q1", "q2"]
    assert answer.columns[:3] == ("id", "tags", "late")
    assert answer.types[:5] == ("VARCHAR", "VARCHAR[]", "BOOLEAN", "BIGINT", "DOUBLE")
    assert not answer.truncated
    assert answer.elapsed_s >= 0


def test_columns_of_one_name_and_sums_and_odd_numbers_come_through(full: Store) -> None:
    answer = run_sql(
        full,
        "SELECT 1 AS a, 2 AS a, sum(number), 'nan'::DOUBLE AS none, DATE '-2000-01-01' AS old"
        " FROM questions",
    )
    ((one, two, total, none, old),) = answer.rows
    assert (one, two, total) == (1, 2, 3)
    assert answer.columns[:2] == ("a", "a")
    assert math.isnan(none)
    assert isinstance(old, str)  # before what Python's dates reach
    assert old.startswith("2001")
    assert "BC" in old


def test_more_rows_than_asked_for_are_cut_and_it_is_said(full: Store) -> None:
    answer = run_sql(full, "FROM range(1_000_000_000_000)", rows=7)
    assert [r[0] for r in answer.rows] == list(range(7))
    assert answer.truncated
    assert not run_sql(full, "FROM range(7)", rows=7).truncated


def test_every_answer_sees_what_was_saved_before_it(full: Store) -> None:
    ask = "SELECT count(*) FROM questions"
    seen = [run_sql(full, ask).rows[0][0]]
    kept = copies(full)
    full.queries.add("asked")  # even what counts as no change
    seen.append(run_sql(full, "SELECT count(*) FROM queries").rows[0][0])
    full.questions.save([question("q3")])
    seen.append(run_sql(full, ask).rows[0][0])
    assert seen == [2, 1, 3]
    assert len(kept) == len(copies(full)) == 1
    assert copies(full) != kept


def test_the_copy_is_used_again_while_nothing_is_saved(full: Store) -> None:
    full.close()
    copy = ConsoleCopy(full.facts, full.folder / "console")
    assert copy.fresh() == copy.fresh()
    copy.close()
    assert copies(full) == []


def test_closing_takes_the_copy_away_and_those_of_the_dead_are_swept(
    full: Store, start: Start
) -> None:
    gone = start("say('ready')")
    gone.wait()
    (full.folder / "console").mkdir()
    (full.folder / "console" / f"facts-{gone.pid}-1.duckdb").write_bytes(b"old")
    run_sql(full, "SELECT 1")
    assert copies(full) == [name for name in copies(full) if f"-{os.getpid()}-" in name]
    full.close()
    assert copies(full) == []


@pytest.mark.parametrize(
    "sql",
    [
        "COPY questions TO '{out}'",
        "COPY (SELECT 1) TO '{out}' (FORMAT parquet)",
        "EXPORT DATABASE '{out}'",
        "ATTACH '{out}'",
        "ATTACH '{secret}' AS other (READ_ONLY)",
        "INSTALL httpfs",
        "LOAD httpfs",
        "PRAGMA database_list",
        "PRAGMA enable_external_access = true",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "RESET memory_limit",
        "CALL pragma_version()",
        "CREATE TABLE t AS SELECT 1",
        "CREATE TEMP TABLE t AS SELECT 1",
        "CREATE MACRO m(a) AS a",
        "DROP VIEW hits",
        "DELETE FROM questions",
        "UPDATE questions SET text = 'x'",
        "INSERT INTO settings VALUES ('a', 'b', NULL)",
        "CHECKPOINT",
        "BEGIN",
        "USE memory",
        "PREPARE p AS SELECT 1",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE questions",
        "EXPLAIN ANALYZE DELETE FROM questions",
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM read_blob('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM sniff_csv('{secret}')",
        "SELECT * FROM parquet_scan('{out}')",
        "SELECT * FROM read_csv('http://localhost:1/x.csv')",
        "SELECT * FROM query('COPY questions TO ''{out}''')",
        "SELECT getenv('HOME')",
        "SELECT * FROM sqlite_scan('{secret}', 't')",
        "",
        " -- nothing\n",
        ";",
        "SELEKT 1",
        "SELECT * FROM nothing_of_that_name",
        "SELECT \ud800",
    ],
)
def test_what_is_not_one_reading_query_is_refused_and_nothing_happens(
    full: Store, tmp_path: Path, sql: str
) -> None:
    out, secret = tmp_path / "out.csv", tmp_path / "secret.csv"
    secret.write_text("a,b\nunmistakable,2\n")
    with pytest.raises(SqlRefused) as caught:
        run_sql(full, sql.replace("{out}", str(out)).replace("{secret}", str(secret)))
    assert caught.value.message
    assert "unmistakable" not in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["secret.csv", "workspace"]
    assert [q.id for q in full.questions.all()] == ["q1", "q2"]


def test_the_words_of_the_database_say_what_is_wrong(full: Store) -> None:
    with pytest.raises(SqlRefused, match=r'"txt" not found[\s\S]*text'):
        run_sql(full, "SELECT txt FROM questions")
    with pytest.raises(SqlRefused, match="DELETE is not allowed"):
        run_sql(full, "DELETE FROM questions")
    with pytest.raises(SqlRefused, match="2 statements"):
        run_sql(full, "SELECT 1; SELECT 2")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range + b.range = 3",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT 1 FROM t) SELECT count(*) FROM t",
    ],
)
def test_a_query_without_end_is_ended(full: Store, sql: str) -> None:
    with pytest.raises(SqlRefused, match="longer than 0.3 seconds|emory"):
        run_sql(full, sql, seconds=0.3)
    assert run_sql(full, "SELECT 1").rows == ((1,),)


def test_a_query_that_wants_too_much_memory_is_refused(full: Store) -> None:
    with pytest.raises(SqlRefused, match="(?i)memory"):
        run_sql(full, "SELECT list(a.range || b.range) FROM range(30000) a, range(30000) b")


def test_an_answer_of_huge_texts_is_cut(full: Store) -> None:
    answer = run_sql(full, "SELECT repeat('x', 100_000) FROM range(2000)")
    assert answer.truncated
    assert 0 < len(answer.rows) < 2000
    assert sum(len(r[0]) for r in answer.rows) <= console_child.ANSWER


def test_a_process_that_dies_gives_a_clear_word(
    full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dies = tmp_path / "dies.py"
    dies.write_text("import os\nos.abort()\n")
    monkeypatch.setattr(console, "_CHILD", dies)
    with pytest.raises(SqlRefused, match="was ended"):
        run_sql(full, "SELECT 1")


def test_a_process_that_hears_nothing_is_ended(
    full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = tmp_path / "deaf.py"
    deaf.write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setattr(console, "_CHILD", deaf)
    monkeypatch.setattr(console, "_GRACE_S", 0.2)
    with pytest.raises(SqlRefused, match="longer than"):
        run_sql(full, "SELECT 1", seconds=0.1)


def test_a_query_that_is_too_long_is_refused(full: Store) -> None:
    with pytest.raises(SqlRefused, match="characters"):
        run_sql(full, "SELECT 1 --" + "x" * 100_000)


def test_summaries_and_descriptions_are_queries_too(full: Store) -> None:
    def answer(sql: str) -> SqlResult:
        return run_sql(full, sql)

    assert ("questions",) in answer("SHOW TABLES").rows
    assert answer("DESCRIBE questions").rows[0][0] == "id"
    assert answer("SUMMARIZE questions").rows[0][0] == "id"
    assert answer("FROM questions SELECT id").rows == (("q1",), ("q2",))
    assert answer("VALUES (1), (2)").rows == ((1,), (2,))
    assert "QUESTIONS" in str(answer("EXPLAIN FROM questions").rows).upper()


def test_nothing_of_a_purged_document_stays_in_a_copy(full: Store) -> None:
    full.documents.save([text_document("a", "unmistakable words")])
    assert run_sql(full, "SELECT text FROM document_versions").rows == (("unmistakable words",),)
    full.purge(["a"])
    assert copies(full) == []
    assert run_sql(full, "SELECT text FROM document_versions").rows == ()
