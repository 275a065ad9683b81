"""Runs as Parquet or CSV files: what was searched, the hits, the measures, the questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ragdebug.errors import StoreError
from ragdebug.store.connection import Database
from ragdebug.store.disk import sync_folder
from ragdebug.store.question_rows import table
from ragdebug.store.questions import QuestionStore
from ragdebug.store.run_reading import unknown

if TYPE_CHECKING:
    import pyarrow as pa

# Columns after the bar hold what people wrote or documents say, and can be left out.
_TABLES: dict[str, tuple[str, str, str]] = {
    "runs": (
        "id AS run, label, strategy, chunking, embedder, state, error, corpus, questions,"
        " fingerprint, depth, slice, sampled, seed, asked, tokenizer, score_kind, created_at,"
        " elapsed_s, seconds, packages, taken_from",
        "note",
        "FROM runs r JOIN wanted w ON w.run = r.id ORDER BY r.number",
    ),
    "questions": (
        "a.run, a.position, a.question, a.version, a.seconds, a.error, a.pool, a.hits, q.tags,"
        " q.state",
        "v.text, q.notes",
        "FROM run_questions a JOIN wanted USING (run) LEFT JOIN questions q ON q.id = a.question"
        " LEFT JOIN question_versions v ON v.question = a.question AND v.version = a.version"
        " ORDER BY a.run, a.position",
    ),
    "hits": (
        "h.run, a.question, h.rank, d.source, d.document, d.version AS document_version,"
        " h.start_char, h.end_char, h.tokens, h.score, h.score_missing",
        "substr(t.text, h.start_char + 1, h.end_char - h.start_char) AS text",
        "FROM run_hits h JOIN wanted USING (run) JOIN run_questions a USING (run, position)"
        " JOIN run_documents d USING (run, document_number)"
        " LEFT JOIN document_versions t ON t.document = d.document AND t.version = d.version"
        " ORDER BY h.run, h.position, h.rank",
    ),
    "measures": (
        "m.run, m.found_share, m.question, m.name AS measure, m.value, m.value_missing",
        "",
        "FROM measures m JOIN wanted USING (run) ORDER BY m.run, m.found_share, m.position, m.name",
    ),
}


def export(
    db: Database,
    run_ids: Iterable[str],
    folder: Path,
    file_format: str = "parquet",
    *,
    texts: bool = True,
) -> list[Path]:
    """Write runs to files, one a table, in place of older ones.

    In CSV no cell that is a text starts with ``= + - @``, a tab or a line end, which spreadsheets
    would run: it gets an apostrophe in front, as does one that starts with an apostrophe.

    Args:
        db: the database of facts.
        run_ids: the runs.
        folder: made where missing.
        file_format: parquet or csv.
        texts: whether questions, quotes, passages and notes go along; names of files always do.

    Raises:
        RunNotFound: one of them is not there.
        StoreError: an unknown format, or the folder cannot be written to.
    """
    write = _WRITERS.get(file_format)
    if write is None:
        raise StoreError(
            f"Runs cannot be exported as {file_format!r}.", hint=f"Use {' or '.join(_WRITERS)}."
        )
    ids = list(dict.fromkeys(run_ids))
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, values in _tables(db, ids, texts):
            path = folder / f"{name}.{file_format}"
            made = folder / f".{path.name}.{os.getpid()}.part"
            try:
                write(values, made)
                os.replace(made, path)
            finally:
                made.unlink(missing_ok=True)
            written.append(path)
        sync_folder(folder)
    except OSError as error:
        raise StoreError(
            f"The runs could not be exported to {folder}: {error.strerror or error}.",
            hint="Check the room on the disk and the folder's permissions.",
        ) from error
    return written


def _tables(db: Database, ids: list[str], texts: bool) -> Iterator[tuple[str, pa.Table]]:
    with db.cursor() as cursor:
        known = "SELECT id FROM runs WHERE id IN (SELECT unnest(?::VARCHAR[]))"
        there = {row[0] for row in cursor.execute(known, [ids]).fetchall()}
    for run in ids:
        if run not in there:
            raise unknown(run)
    for name, (columns, words, source) in _TABLES.items():
        query = (
            "WITH wanted AS (SELECT unnest(?::VARCHAR[]) AS run)"
            f" SELECT {columns}{f', {words}' if texts and words else ''} {source}"
        )
        with db.cursor() as cursor:
            found = cursor.sql(query, params=[ids]).to_arrow_table()
        yield name, found
    yield "evidence", _evidence(db, ids, texts)


def _evidence(db: Database, ids: list[str], texts: bool) -> pa.Table:
    """The labels as they were when the questions were asked."""
    with db.cursor() as cursor:
        pairs = cursor.execute(
            "SELECT DISTINCT question, version FROM run_questions"
            " WHERE run IN (SELECT unnest(?::VARCHAR[])) ORDER BY ALL",
            [ids],
        ).fetchall()
    found = QuestionStore(db).versions(pairs)
    rows = [
        (
            *(question, version, at, need.grade, x.place.source, x.place.document),
            *(x.place.version, x.place.start, x.place.end, x.place.region, x.status, x.origin),
            x.place.quote,
        )
        for question, version in pairs
        if (question, version) in found
        for at, need in enumerate(found[question, version].needs)
        for x in need.labels
    ]
    import pyarrow as pa

    text, number = pa.string(), pa.int64()
    names = (
        "question", "version", "need", "grade", "source", "document", "document_version",
        "start_char", "end_char", "region", "status", "origin", "quote",
    )  # fmt: skip
    types = (text, text, number, pa.float64(), *(text,) * 3, number, number, *(text,) * 4)
    made = table(rows, names, types)
    return made if texts else made.drop_columns("quote")


def _write_parquet(values: pa.Table, path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(values, path, compression="zstd")


def _write_csv(values: pa.Table, path: Path) -> None:
    import pyarrow as pa
    from pyarrow import csv

    safe = [_guarded(column) for column in values.columns]
    with path.open("wb") as file:
        file.write("\ufeff".encode())  # tells spreadsheets that it is UTF-8
        csv.write_csv(pa.table(safe, names=values.column_names), file)


def _guarded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of which spreadsheets run no cell; numbers and moments are left as they are."""
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_nested(column.type):
        column = pa.chunked_array([[_words(value) for value in column.to_pylist()]], pa.string())
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    risky = compute.match_substring_regex(column, "^[=+\\-@\\t\\r\\n']")
    return compute.if_else(risky, compute.binary_join_element_wise("'", column, ""), column)


def _words(value: list[object] | None) -> str:
    """A list as "a; b", a mapping as "a=1; b=2"."""
    return "; ".join(
        "=".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value or ()
    )


_WRITERS = {"parquet": _write_parquet, "csv": _write_csv}
