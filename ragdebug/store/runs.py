"""Runs: what was searched and with what, and the ranked lists themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import StoreBusy
from ragdebug.runs import RUNNING, RankedSpans, Run
from ragdebug.store import run_export
from ragdebug.store import run_rows as rows
from ragdebug.store.clean import clean, finite, now
from ragdebug.store.processes import own_mark, works
from ragdebug.store.question_rows import moment
from ragdebug.store.run_measures import RunMeasures
from ragdebug.store.run_reading import documents_in, done_in, unknown
from ragdebug.store.sql import changed, insert, one

Pair = tuple[str, str]  # (question, version)

_IDS = "(SELECT unnest(?::VARCHAR[]))"


class RunStore(RunMeasures):
    """The runs of a workspace. A run is written in batches, by one process at a time."""

    def start(self, run: Run) -> None:
        """Save a new run, worked on by this process; `add` brings its lists.

        Raises:
            StoreBusy: there is a run with this id.
        """
        seconds, packages = _seconds(run.seconds), dict(run.packages)
        with self.db.transaction() as cursor:
            if one(cursor, "SELECT 1 FROM runs WHERE id = ?", [run.id]):
                raise StoreBusy(f"There is a run {run.id} already.")
            cursor.execute(
                "INSERT INTO runs SELECT ?, (SELECT coalesce(max(number), 0) + 1 FROM runs), ?, ?,"
                " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, map(?::VARCHAR[], ?::DOUBLE[]),"
                " map(?::VARCHAR[], ?::VARCHAR[]), ?, ?, ?::VARCHAR[], '', ?, ?, ?",
                [
                    *(run.id, run.fingerprint, clean(run.label), clean(run.strategy)),
                    *(clean(run.chunking), clean(run.embedder), run.corpus, run.questions),
                    *(run.depth, clean(run.slice), run.sampled, run.seed, run.asked, run.state),
                    clean(run.error),
                    moment(run.created_at) if run.created_at else now(),
                    finite(run.elapsed_s)[0],
                    *(list(seconds), list(seconds.values())),
                    *(list(packages), list(packages.values())),
                    *(clean(run.tokenizer), clean(run.note), list(run.taken_from)),
                    own_mark() if run.state == RUNNING else "",
                    now() if run.removed else None,
                    run.tenant,
                ],
            )

    def resume(self, run_id: str) -> None:
        """Go on with a run that was stopped, in this process; `done` says what is there.

        Raises:
            StoreBusy: another process works on it.
            RunNotFound: there is no such run.
        """
        with self.db.transaction() as cursor:
            row = one(cursor, "SELECT state, owner FROM runs WHERE id = ?", [run_id])
            if row is None:
                raise unknown(run_id)
            if row[0] == RUNNING and row[1] != own_mark() and works(row[1]):
                raise StoreBusy(
                    f"Another program works on the run {run_id}.", hint="Wait until it has ended."
                )
            cursor.execute(
                "UPDATE runs SET state = ?, owner = ?, error = '' WHERE id = ?",
                [RUNNING, own_mark(), run_id],
            )

    def add(
        self,
        run_id: str,
        questions: Sequence[Pair],
        spans: RankedSpans,
        seconds: NDArray[np.float64],
        errors: Sequence[str],
    ) -> None:
        """Save the lists of a batch of questions, in one transaction; those there already stay.

        Args:
            run_id: a run that was started.
            questions: (id, version) of n questions.
            spans: their n lists. A score that is not finite is kept as null, with the reason.
            seconds: shape (n,), of each question.
            errors: n messages, "" where the search went well.

        Raises:
            RunNotFound: there is no such run.
        """
        n = len(questions)
        assert n == len(spans) == len(spans.pool) == len(seconds) == len(errors), "lengths differ"
        with self.db.transaction() as cursor:
            there = done_in(cursor, run_id)
            new = {q: at for at, (q, _) in reversed(list(enumerate(questions))) if q not in there}
            keep = np.array(sorted(new.values()), np.int64)
            if len(keep) < n:
                spans = rows.take(spans, keep)
                questions, errors = [questions[i] for i in keep], [errors[i] for i in keep]
                seconds = seconds[keep]
            if not changed(
                cursor,
                "UPDATE runs SET score_kind = CASE WHEN ? = '' THEN score_kind ELSE ? END"
                " WHERE id = ?",
                [spans.score_kind, spans.score_kind, run_id],
            ):
                raise unknown(run_id)
            numbers = {d: at for at, d in enumerate(documents_in(cursor, run_id))}
            added = [d for d in spans.documents if d not in numbers]
            numbers |= {d: at for at, d in enumerate(added, len(numbers))}
            at = len(there)
            for table, values in (
                ("run_documents", rows.documents_table(run_id, {d: numbers[d] for d in added})),
                (
                    "run_questions",
                    rows.questions_table(run_id, at, questions, spans, seconds, errors),
                ),
                ("run_hits", rows.hits_table(run_id, at, spans, numbers)),
            ):
                insert(cursor, table, values)

    def finish(
        self,
        run_id: str,
        state: str,
        elapsed_s: float,
        seconds: Mapping[str, float],
        error: str = "",
    ) -> None:
        """Note how a run ended: done, stopped or failed. Times are those of all its parts."""
        times = _seconds(seconds)
        self._change(
            run_id,
            "state = ?, elapsed_s = ?, seconds = map(?::VARCHAR[], ?::DOUBLE[]), error = ?,"
            " owner = ''",
            [state, finite(elapsed_s)[0], list(times), list(times.values()), clean(error)],
        )

    def note(self, run_id: str, text: str) -> None:
        """Set a run's note."""
        self._change(run_id, "note = ?", [clean(text)])

    def label(self, run_id: str, text: str) -> None:
        """Set a run's short name for charts."""
        self._change(run_id, "label = ?", [clean(text)])

    def remove(self, ids: Iterable[str]) -> None:
        """Take runs out of the lists; `restore` puts them back."""
        with self.db.transaction() as cursor:
            cursor.execute(
                f"UPDATE runs SET removed_at = ? WHERE removed_at IS NULL AND id IN {_IDS}",
                [now(), list(ids)],
            )

    def restore(self, ids: Iterable[str]) -> None:
        """Put removed runs back."""
        with self.db.transaction() as cursor:
            cursor.execute(f"UPDATE runs SET removed_at = NULL WHERE id IN {_IDS}", [list(ids)])

    def quoting(self, purged: Mapping[str, str]) -> list[str]:
        """Sentences naming the runs that ranked passages of some documents (id -> source)."""
        with self.db.cursor() as cursor:
            found = cursor.execute(
                "SELECT r.id, string_agg(DISTINCT d.source, ', ' ORDER BY d.source) FROM runs r"
                f" JOIN run_documents d ON d.run = r.id WHERE d.document IN {_IDS}"
                " GROUP BY r.id, r.number ORDER BY r.number DESC",
                [list(purged)],
            ).fetchall()
        return [
            f"The run {run} ranked passages of {sources}; their positions stay, without text."
            for run, sources in found
        ]

    def export(
        self,
        run_ids: Iterable[str],
        folder: str | Path,
        format: str = "parquet",  # noqa: A002 - what it is called everywhere
        texts: bool = True,
    ) -> list[Path]:
        """Write runs to Parquet or CSV files; see `run_export.export`."""
        return run_export.export(self.db, run_ids, Path(folder), format, texts=texts)

    def _change(self, run_id: str, sets: str, values: list[Any]) -> None:
        with self.db.transaction() as cursor:
            if not changed(cursor, f"UPDATE runs SET {sets} WHERE id = ?", [*values, run_id]):
                raise unknown(run_id)


def _seconds(values: Mapping[str, float]) -> dict[str, float]:
    return {clean(k): v for k, x in values.items() if (v := finite(x)[0]) is not None}
