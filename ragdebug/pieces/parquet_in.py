"""Rows of a Parquet file, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragdebug.errors import CorruptDocument
from ragdebug.pieces.flat import flat
from ragdebug.pieces.rows import Line

_BATCH = 1_000


@contextmanager
def parquet_rows(source: str | Path | bytes, name: str) -> Iterator[tuple[int, Iterator[Line]]]:
    """How many rows there are, and the rows by their numbers.

    Raises:
        CorruptDocument: it is no Parquet file, or is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        where = pa.BufferReader(source) if isinstance(source, bytes) else str(source)
        with pq.ParquetFile(where) as file:
            yield file.metadata.num_rows, _rows(file)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as e:
        raise CorruptDocument(f"{name} cannot be read as Parquet: {e}.") from e


def _rows(file: Any) -> Iterator[Line]:  # noqa: ANN401 -- pyarrow has no types
    number = 0
    for batch in file.iter_batches(_BATCH):
        columns = {name: _cells(batch.column(at)) for at, name in enumerate(batch.schema.names)}
        for cells in zip(*columns.values(), strict=True):
            number += 1
            row = flat(dict(zip(columns, cells, strict=True)))
            assert row is not None
            yield number, row


def _cells(column: Any) -> list[object]:  # noqa: ANN401
    """Values of a column; lists of numbers as arrays, which are a tenth as large as lists."""
    import pyarrow.types as kinds

    kind = column.type
    lists = kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind)
    if lists and (kinds.is_floating(kind.value_type) or kinds.is_integer(kind.value_type)):
        return [
            cell.values.to_numpy(zero_copy_only=False) if cell.is_valid else None for cell in column
        ]
    try:
        values: list[object] = column.to_pylist()
    except (ValueError, OverflowError):  # a text that is not UTF-8, a date that Python has not
        values = [_cell(cell) for cell in column]
    return [_decoded(v) if isinstance(v, bytes) else v for v in values]


def _cell(cell: Any) -> object:  # noqa: ANN401
    try:
        return cell.as_py()
    except (ValueError, OverflowError):
        return None


def _decoded(value: bytes) -> str | None:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None
