"""A file of pieces, whatever its form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ragdebug.pieces.records import PieceFile
from ragdebug.protocols import Progress, silent


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
    raise NotImplementedError
