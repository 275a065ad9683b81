"""Questions with their needs and places; every version that was ever saved is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdebug.questions import Question
from ragdebug.store import question_rows as rows
from ragdebug.store.clean import iso, now
from ragdebug.store.connection import Database
from ragdebug.store.sql import incoming, insert, one

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Pair = tuple[str, str]  # (question, version)

_IDS = "(SELECT unnest(?::VARCHAR[]))"


class QuestionStore:
    """The questions of a workspace, in the order in which they came."""

    def __init__(self, db: Database) -> None:
        self.db = db

    # Saving ---------------------------------------------------------------------------------------

    def save(self, questions: Sequence[Question]) -> None:
        """Save questions, new or changed, whole: all of them or, after an error, none.

        Of two with one id the later one counts. An empty `created_at` or `updated_at` becomes this
        moment. Half characters and NUL are replaced, so go on with what `get` gives back.

        Raises:
            StoreError: a grade is no finite number.
        """
        last = {q.id: q for q in map(rows.cleaned, questions)}
        if last:
            with self.db.transaction() as cursor:
                _save(cursor, list(last.values()))

    def remove(self, ids: Iterable[str]) -> None:
        """Take questions out of the set; `restore` puts them back."""
        with self.db.transaction() as cursor:
            cursor.execute(
                f"UPDATE questions SET removed_at = ? WHERE removed_at IS NULL AND id IN {_IDS}",
                [now(), list(ids)],
            )

    def restore(self, ids: Iterable[str]) -> None:
        """Put removed questions back."""
        with self.db.transaction() as cursor:
            cursor.execute(
                f"UPDATE questions SET removed_at = NULL WHERE id IN {_IDS}", [list(ids)]
            )

    # Reading --------------------------------------------------------------------------------------

    def all(self, removed: bool | None = False) -> list[Question]:
        """The questions in the order they came; only removed ones, or (None) both, if asked for."""
        where = {False: "removed_at IS NULL", True: "removed_at IS NOT NULL", None: "true"}
        with self.db.cursor() as cursor:
            return _read(cursor, where[removed])

    def get(self, ids: Iterable[str]) -> dict[str, Question]:
        """Questions by id, removed ones too; unknown ids are left out."""
        with self.db.cursor() as cursor:
            return {q.id: q for q in _read(cursor, f"id IN {_IDS}", [list(ids)])}

    def versions(self, pairs: Sequence[Pair]) -> dict[Pair, Question]:
        """Questions as they were, by (id, `Question.version`); unknown pairs are left out."""
        with self.db.cursor() as cursor:
            found = cursor.execute(
                "WITH wanted AS (SELECT DISTINCT unnest(?::VARCHAR[]) AS question,"
                " unnest(?::VARCHAR[]) AS version) SELECT question, version, record"
                " FROM question_versions JOIN wanted USING (question, version)",
                [[p[0] for p in pairs], [p[1] for p in pairs]],
            ).fetchall()
        return {(row[0], row[1]): rows.decode(row[2]) for row in found}

    def revision(self) -> int:
        """A number that differs after any save by anybody; cheap, takes no lock."""
        return self.db.revision()

    # Purging --------------------------------------------------------------------------------------

    def quoting(self, purged: Mapping[str, str]) -> list[str]:
        """Sentences naming the questions with places in some documents (id -> source)."""
        found = [(q.text, rows.sources(q, purged)) for q in self.all(removed=None)]
        return [
            f"The question {text!r} has labels in {', '.join(sources)}; their quotes were taken "
            "out, and they are stale."
            for text, sources in found
            if sources
        ]

    def forget(self, purged: Mapping[str, str]) -> list[tuple[str, str]]:
        """Take the quotes of some documents (id -> source) out of all versions of questions.

        Labels in them become stale. A version keeps its name, by which runs know it.

        Returns:
            (question, version) of all that were changed.
        """
        with self.db.transaction() as cursor:
            changed = [
                replace(rows.without_quotes(q, purged), updated_at=iso(now()))
                for q in _read(cursor, "true")
                if rows.sources(q, purged)
            ]
            kept = []
            for question, version, record in cursor.execute(
                "SELECT question, version, record FROM question_versions"
            ).fetchall():
                before = rows.decode(record)
                if rows.sources(before, purged):
                    after = rows.without_quotes(before, purged)
                    kept.append((question, version, rows.encode(after)))
            with incoming(cursor, rows.table(kept, ("question", "version", "record"))):
                cursor.execute(
                    "UPDATE question_versions v SET record = i.record FROM incoming i"
                    " WHERE v.question = i.question AND v.version = i.version"
                )
            if changed:
                _save(cursor, changed)
        return [(question, version) for question, version, _ in kept]


def _read(cursor: DuckDBPyConnection, where: str, values: Sequence[object] = ()) -> list[Question]:
    found = cursor.execute(
        f"SELECT record, removed_at IS NOT NULL FROM questions WHERE {where} ORDER BY number",
        list(values),
    ).fetchall()
    return [replace(rows.decode(record), removed=removed) for record, removed in found]


def _save(cursor: DuckDBPyConnection, questions: Sequence[Question]) -> None:
    ids = [q.id for q in questions]
    there = {
        row[0]: (row[1], row[2], rows.decode(row[3]).created_at)
        for row in cursor.execute(
            f"SELECT id, number, removed_at, record FROM questions WHERE id IN {_IDS}", [ids]
        ).fetchall()
    }
    last = one(cursor, "SELECT coalesce(max(number), 0) FROM questions")
    number, moment = int(last[0]) if last else 0, now()
    heads, dated = [], []
    for question in questions:
        if question.id not in there:
            number += 1
        own, removed_at, created = there.get(question.id, (number, None, ""))
        made = replace(
            question,
            created_at=question.created_at or created or iso(moment),
            updated_at=question.updated_at or iso(moment),
        )
        dated.append(made)
        heads.append(rows.head(made, own, (removed_at or moment) if made.removed else None))
    for table in ("questions", "needs", "labels", "rejected_places"):
        column = "id" if table == "questions" else "question"
        cursor.execute(f"DELETE FROM {table} WHERE {column} IN {_IDS}", [ids])
    insert(cursor, "questions", rows.heads_table(heads))
    insert(cursor, "needs", rows.needs_table(dated))
    insert(cursor, "labels", rows.labels_table(dated))
    insert(cursor, "rejected_places", rows.rejected_table(dated))
    with incoming(cursor, rows.versions_table(heads)):
        cursor.execute(
            "INSERT INTO question_versions SELECT i.*, ?, NULL FROM incoming i WHERE NOT EXISTS"
            " (SELECT 1 FROM question_versions v"
            " WHERE v.question = i.question AND v.version = i.version)",
            [moment],
        )
