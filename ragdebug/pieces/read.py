"""A file of pieces, whatever its form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from ragdebug.errors import DocumentError, EmptyDocument, MissingFile, UnsupportedFormat
from ragdebug.pieces.bytes_in import opened, start_of
from ragdebug.pieces.csv_in import csv_rows
from ragdebug.pieces.json_in import json_lines, json_whole
from ragdebug.pieces.parquet_in import parquet_rows
from ragdebug.pieces.records import PieceFile
from ragdebug.pieces.rows import Line, collect
from ragdebug.protocols import Progress, silent

SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")


def read_pieces(
    source: str | Path | bytes,
    name: str = "",
    columns: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> PieceFile:
    """Read pieces from JSON Lines, JSON, CSV, TSV or Parquet; the text forms also gzipped.

    Args:
        source: a path, or the bytes of a file.
        name: what the file is called; its ending says what it is. A path brings its own.
        columns: role (text, source, id, page, start, end, vector) -> column, where a person said
            so; "" for none. The others are guessed by the names people use.
        progress: called in units of "pieces"; the total is 0 where it is not known.

    Raises:
        DocumentError: nothing is there, it is empty, damaged, or of another form.
        ColumnNotFound: no column holds text, or one that was named is not there.
        Cancelled: from `progress`.
    """
    called = name or ("pieces" if isinstance(source, bytes) else Path(source).name)
    suffix = _suffix(called)
    if suffix == ".parquet":
        _check_there(source, called)
        with parquet_rows(source, called) as (total, rows):
            return collect(rows, called, columns or {}, progress, total)
    with opened(source, called) as stream:
        if not start_of(stream):
            raise EmptyDocument(f"{called} is empty.")
        return collect(_text_rows(stream, called, suffix), called, columns or {}, progress)


def _suffix(name: str) -> str:
    low = name.lower().removesuffix(".gz")
    for suffix in SUFFIXES:
        if low.endswith(suffix):
            return suffix
    raise UnsupportedFormat(
        f"{name} is no file of pieces that can be read.",
        hint=f"Pieces are read from {', '.join(SUFFIXES)} files, the text ones also as .gz.",
    )


def _text_rows(stream: BinaryIO, name: str, suffix: str) -> Iterator[Line]:
    if suffix in (".jsonl", ".ndjson"):
        return json_lines(stream, name)
    if suffix == ".json":
        return json_whole(stream, name)
    return csv_rows(stream, name, "\t" if suffix == ".tsv" else "")


def _check_there(source: str | Path | bytes, name: str) -> None:
    if isinstance(source, bytes):
        empty = not source
    elif not Path(source).is_file():
        if Path(source).is_dir():
            raise DocumentError(f"{source} is a folder.", hint="Name the files in it.")
        raise MissingFile(f"There is no file {source}.")
    else:
        empty = not Path(source).stat().st_size
    if empty:
        raise EmptyDocument(f"{name} is empty.")
