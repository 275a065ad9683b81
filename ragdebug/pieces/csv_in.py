"""Rows of a CSV or TSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import BinaryIO

from ragdebug.errors import CorruptDocument, EmptyDocument
from ragdebug.pieces.bytes_in import lines
from ragdebug.pieces.flat import flat
from ragdebug.pieces.rows import Line

_DELIMITERS = (",", ";", "\t", "|")
# A piece may be longer than the 128 KB that the standard reader allows. The number is global to the
# process, and the largest that fits everywhere.
_LONGEST_CELL = 2**31 - 1
_BAD = "\udcff"  # stands in a line that is not UTF-8


def csv_rows(stream: BinaryIO, name: str, delimiter: str = "") -> Iterator[Line]:
    """Rows with the names of the header; the line is the one where a row begins.

    Raises:
        EmptyDocument: there is no header.
        CorruptDocument: the header is not UTF-8, or cannot be read.
    """
    csv.field_size_limit(max(_LONGEST_CELL, csv.field_size_limit()))
    feed = _Feed(stream, name)
    first = feed.header()
    if not first.strip():
        raise EmptyDocument(f"{name} holds no pieces.")
    if _BAD in first:
        raise CorruptDocument(f"The header of {name} is not UTF-8.", hint="Save it as UTF-8.")
    try:
        delimiter = delimiter or _delimiter(first)
        # Strict, or a quote that is never closed would swallow all rows after it in silence.
        reader = csv.reader(feed, delimiter=delimiter, strict=True)
        header = _header(next(reader))
    except csv.Error as e:
        raise CorruptDocument(
            f"The header of {name} cannot be read: {e}.",
            hint="Write the names of the columns into the first line; close every quote.",
        ) from e
    begin = reader.line_num + feed.skipped + 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as e:
            yield begin, f"This row cannot be read ({e}); it was left out."
            begin = reader.line_num + feed.skipped + 1
            continue
        if cells is None:
            return
        if any(cells):
            yield from _row(begin, cells, header)
        begin = reader.line_num + feed.skipped + 1


def _row(line: int, cells: list[str], header: list[str]) -> Iterator[Line]:
    if any(_BAD in cell for cell in cells):
        yield line, "This row is not UTF-8; it was left out."
        return
    if len(cells) > len(header) and any(cells[len(header) :]):
        yield line, f"This row has {len(cells)} cells, the header {len(header)}; it was left out."
        return
    row = flat(dict(zip(header, cells, strict=False)))
    assert row is not None
    yield line, row


def _header(cells: list[str]) -> list[str]:
    """Names of columns, numbered where they are missing or twice there."""
    names: list[str] = []
    for at, cell in enumerate(cells, start=1):
        name = cell.strip() or f"column {at}"
        names.append(name if name not in names else f"{name} ({at})")
    return names


def _delimiter(header: str) -> str:
    return max(_DELIMITERS, key=lambda d: len(next(csv.reader([header], delimiter=d), [])))


class _Feed:
    """Lines for the reader, with a mark in those that are not UTF-8."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._lines = lines(stream, name)
        self._ahead: str | None = None
        self.skipped = 0  # blank lines before the header

    def header(self) -> str:
        """The first line that is not blank; it is given again."""
        for _, line in self._lines:
            if line is None or line.strip():
                self._ahead = line if line is not None else _BAD
                return self._ahead
            self.skipped += 1
        return ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._ahead is not None:
            line, self._ahead = self._ahead, None
            return line
        _, text = next(self._lines)
        return text if text is not None else _BAD + "\n"
