"""Measures of runs, one row a question and measure, and the ranks at which needs were found."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.runs import MeasureTable
from ragdebug.store import run_rows as rows
from ragdebug.store.clean import clean, now
from ragdebug.store.run_reading import RunReader, unknown
from ragdebug.store.sql import insert, one

if TYPE_CHECKING:
    import pyarrow as pa

_REASONS = ("", "not defined", "infinite")
_TABLES = ("measure_sets", "measures", "need_ranks")
_SAME = "run = ? AND found_share = ?"


class RunMeasures(RunReader):
    """The measures of runs, a set for each share that counts as found.

    They follow from lists and questions, so saving them counts as no change of the workspace.
    """

    def save_measures(self, run_id: str, table: MeasureTable) -> None:
        """Keep the measures of a run for the table's `found_share`, in place of earlier ones.

        A value that is not finite is kept as null, with the reason.

        Raises:
            RunNotFound: there is no such run.
        """
        share = round(table.found_share, 6)
        with self.db.transaction(counted=False) as cursor:
            if not one(cursor, "SELECT 1 FROM runs WHERE id = ?", [run_id]):
                raise unknown(run_id)
            for name in _TABLES:
                cursor.execute(f"DELETE FROM {name} WHERE {_SAME}", [run_id, share])
            said = "map(?::VARCHAR[], ?::VARCHAR[])"
            cursor.execute(
                f"INSERT INTO measure_sets VALUES (?, ?, ?::VARCHAR[], ?::VARCHAR[], ?, ?, {said},"
                f" {said}, {said}, ?, ?, ?, NULL)",
                [
                    *(run_id, share, list(table.names), list(table.questions)),
                    *(table.unlabelled, table.unanswerable),
                    *_map(table.unusable),
                    *_map(table.partial),
                    *_map(table.errors),
                    *(table.most_k, table.most_tokens, now()),
                ],
            )
            insert(cursor, "measures", _values_table(run_id, share, table))
            insert(cursor, "need_ranks", _ranks_table(run_id, share, table))

    def forget_measures(self, questions: Sequence[tuple[str, str]]) -> None:
        """Have runs measured again that asked one of these (question, version).

        The values themselves stay for SQL, until they are replaced.
        """
        with self.db.transaction() as cursor:
            cursor.execute(
                "DELETE FROM measure_sets WHERE run IN (SELECT q.run FROM run_questions q JOIN"
                " (SELECT unnest(?::VARCHAR[]) AS question, unnest(?::VARCHAR[]) AS version) a"
                " ON q.question = a.question AND q.version = a.version)",
                [[q for q, _ in questions], [v for _, v in questions]],
            )

    def measures(self, run_id: str, found_share: float) -> MeasureTable | None:
        """The measures kept for a run and a share; None when there are none."""
        key = [run_id, round(found_share, 6)]
        with self.db.cursor() as cursor:
            head = one(
                cursor,
                "SELECT names, questions, unlabelled, unanswerable, unusable, partial, errors,"
                f" most_k, most_tokens FROM measure_sets WHERE {_SAME}",
                key,
            )
            if head is None:
                return None
            kept = cursor.execute(
                "SELECT value FROM measures JOIN (SELECT unnest(?::VARCHAR[]) AS name,"
                " unnest(?::INTEGER[]) AS place) USING (name)"
                f" WHERE {_SAME} ORDER BY position, place",
                [head[0], list(range(len(head[0]))), *key],
            ).fetchnumpy()
            ranks = cursor.execute(
                "SELECT position, coalesce(rank, 0) AS rank, coalesce(tokens, -1) AS tokens, grade"
                f" FROM need_ranks WHERE {_SAME} ORDER BY position, need",
                key,
            ).fetchnumpy()
        names, questions, unlabelled, unanswerable, unusable, partial, errors = head[:7]
        ends = np.searchsorted(ranks["position"], np.arange(len(questions) + 1))
        grades = rows.filled(ranks["grade"])
        told = not np.isnan(grades).any()  # a table may lack grades and tokens

        def each(column: NDArray[Any]) -> tuple[NDArray[Any], ...]:
            return tuple(column[a:b] for a, b in pairwise(ends))

        return MeasureTable(
            questions=tuple(questions),
            names=tuple(names),
            values=rows.filled(kept["value"]).reshape(len(questions), len(names)),
            found=each(np.asarray(ranks["rank"], np.int64)),
            unlabelled=unlabelled,
            unanswerable=unanswerable,
            unusable=tuple(unusable.items()),
            errors=tuple(errors.items()),
            found_share=round(found_share, 6),
            grades=each(grades) if told else (),
            tokens=each(np.asarray(ranks["tokens"], np.int64)) if told else (),
            most_k=head[7],
            most_tokens=head[8],
            partial=tuple(partial.items()),
        )


def _map(pairs: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Keys and values of a MAP; of two pairs with one key the later one counts."""
    said = dict(pairs)
    return list(said), [clean(value) for value in said.values()]


def _values_table(run: str, share: float, table: MeasureTable) -> pa.Table:
    import pyarrow as pa

    n, names = len(table.questions), len(table.names)
    position = np.repeat(np.arange(n, dtype=np.int32), names)
    values = np.asarray(table.values, np.float64).reshape(-1)
    return pa.table(
        {
            "run": rows.constant(run, len(values)),
            "found_share": pa.array(np.full(len(values), share)),
            "position": pa.array(position),
            "question": rows.words(position, table.questions),
            "name": rows.words(np.tile(np.arange(names, dtype=np.int32), n), table.names),
            "value": rows.numbers(values),
            "value_missing": rows.reasons(values, np.zeros(len(values), bool), _REASONS),
        }
    )


def _ranks_table(run: str, share: float, table: MeasureTable) -> pa.Table:
    import pyarrow as pa

    counts = [len(f) for f in table.found]
    position = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    found = _joined(table.found)
    told = len(table.grades) == len(table.tokens) == len(counts)
    tokens = _joined(table.tokens) if told else np.full(len(found), -1)
    grades = np.concatenate([np.zeros(0), *table.grades]) if told else np.full(len(found), np.nan)
    need = _joined([np.arange(c) for c in counts])
    return pa.table(
        {
            "run": rows.constant(run, len(found)),
            "found_share": pa.array(np.full(len(found), share)),
            "position": pa.array(position),
            "question": rows.words(position, table.questions),
            "need": pa.array(need, pa.int32()),
            "rank": pa.array(found, pa.int32(), mask=found == 0),
            "tokens": pa.array(tokens, pa.int64(), mask=tokens < 0),
            "grade": rows.numbers(grades),
        }
    )


def _joined(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)
