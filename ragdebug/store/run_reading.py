"""Reads runs: what is known of them, and their ranked lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragdebug.errors import RunNotFound
from ragdebug.runs import RUNNING, STOPPED, Run, RunResults
from ragdebug.store import run_rows as rows
from ragdebug.store.clean import clean, iso
from ragdebug.store.connection import Database
from ragdebug.store.processes import works
from ragdebug.store.sql import one

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class RunReader:
    """The reading half of `RunStore`."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def runs(self, removed: bool | None = False) -> list[Run]:
        """Runs, newest first; only removed ones, or (None) both, if asked for.

        A run whose process has died is shown as stopped.
        """
        where = {False: "removed_at IS NULL", True: "removed_at IS NOT NULL", None: "true"}
        with self.db.cursor() as cursor:
            found = cursor.execute(
                f"SELECT {_COLUMNS} FROM runs WHERE {where[removed]} ORDER BY number DESC"
            ).fetchall()
        return [_run(row) for row in found]

    def run(self, name: str) -> Run:
        """A run by its id or the beginning of it, removed or not.

        Raises:
            RunNotFound: no run, or more than one, is meant.
        """
        with self.db.cursor() as cursor:
            found = cursor.execute(
                f"SELECT {_COLUMNS} FROM runs WHERE starts_with(id, ?)"
                " ORDER BY id <> ?, removed_at IS NOT NULL, number DESC",
                [clean(name), clean(name)],
            ).fetchall()
        if not found or not name:
            raise unknown(name)
        if len(found) > 1 and found[0][0] != name:
            raise RunNotFound(
                f"{name} is the beginning of {len(found)} runs: "
                f"{', '.join(row[0] for row in found[:5])}.",
                title="More than one run",
                hint="Give more of the id.",
            )
        return _run(found[0])

    def done(self, run_id: str) -> set[str]:
        """Ids of the questions whose lists, or errors, are there."""
        with self.db.cursor() as cursor:
            return done_in(cursor, run_id)

    def asked(self, run_id: str) -> list[tuple[str, str]]:
        """(id, version) of the questions whose lists, or errors, are there, as they came."""
        with self.db.cursor() as cursor:
            return cursor.execute(
                "SELECT question, version FROM run_questions WHERE run = ? ORDER BY position",
                [run_id],
            ).fetchall()

    def load(self, run_id: str) -> RunResults:
        """A run with its lists, in the order in which they came.

        Raises:
            RunNotFound: there is no such run.
        """
        with self.db.cursor() as cursor:
            found = one(cursor, f"SELECT {_COLUMNS}, score_kind FROM runs WHERE id = ?", [run_id])
            if found is None:
                raise unknown(run_id)
            heads = cursor.execute(
                "SELECT question, version, seconds, error, pool, hits FROM run_questions"
                " WHERE run = ? ORDER BY position",
                [run_id],
            ).fetchall()
            # A batch may be added meanwhile: only the hits of the questions above.
            hits = cursor.execute(
                "SELECT document_number, start_char, end_char, tokens, score FROM run_hits"
                " WHERE run = ? AND position < ? ORDER BY position, rank",
                [run_id, len(heads)],
            ).fetchnumpy()
            documents = documents_in(cursor, run_id)
        columns = list(zip(*heads, strict=True)) or [()] * 6
        return RunResults(
            _run(found[:-1]),
            tuple(zip(columns[0], columns[1], strict=True)),
            rows.read_spans(documents, hits, columns[5], columns[4], found[-1]),
            np.array(columns[2], np.float64),
            tuple(columns[3]),
        )


_NAMES = (
    "id", "fingerprint", "strategy", "chunking", "embedder", "corpus", "questions", "depth",
    "slice", "sampled", "seed", "asked", "state", "error", "created_at", "elapsed_s", "seconds",
    "packages", "tokenizer", "note", "label", "taken_from", "tenant",
)  # fmt: skip
_COLUMNS = ", ".join((*_NAMES, "removed_at IS NOT NULL", "owner"))


def _run(row: tuple[Any, ...]) -> Run:
    value: dict[str, Any] = dict(zip(_NAMES, row, strict=False))
    removed, owner = row[len(_NAMES) :]
    lost = value["state"] == RUNNING and not works(owner)
    return Run(
        **{
            **value,
            "state": STOPPED if lost else value["state"],
            "created_at": iso(value["created_at"]),
            "elapsed_s": value["elapsed_s"] or 0.0,
            "taken_from": tuple(value["taken_from"]),
            "removed": removed,
        }
    )


def done_in(cursor: DuckDBPyConnection, run_id: str) -> set[str]:
    """Ids of the questions that a run has, in the transaction at hand."""
    found = cursor.execute("SELECT question FROM run_questions WHERE run = ?", [run_id])
    return {row[0] for row in found.fetchall()}


def documents_in(cursor: DuckDBPyConnection, run_id: str) -> list[rows.Reference]:
    """A run's documents by their numbers, in the transaction at hand."""
    return cursor.execute(
        "SELECT document, version, source FROM run_documents WHERE run = ?"
        " ORDER BY document_number",
        [run_id],
    ).fetchall()


def unknown(name: str) -> RunNotFound:
    """The error for a run that is not there."""
    return RunNotFound(f"There is no run {name}.", hint="`ragdebug runs list` names them.")
