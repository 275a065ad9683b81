"""CSV and TSV: each row a document, or the whole file one table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import PurePosixPath

from ragdebug.documents import exported
from ragdebug.documents.canonical import one_line
from ragdebug.documents.csv_reader import Record, read_records, sniff_delimiter
from ragdebug.documents.encoding import decode
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.rows import Row, Rows, documents, shorten
from ragdebug.documents.structure import Lines, fill_gaps
from ragdebug.errors import DocumentTooLarge, EmptyDocument
from ragdebug.records import Block, ParsedDocument, ParseWarning

PARSER = "csv/1"
_SEPARATOR_LINE = re.compile(r"sep=(.)")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONG_NAME = 200


def parse_csv(
    data: bytes, name: str, options: ParseOptions, limits: Limits
) -> list[ParsedDocument]:
    """Read a CSV or TSV file as `options.rows` says.

    Raises:
        DocumentError: the file is not text, has no rows, or lacks a chosen column.
    """
    if options.rows == "table":
        return [_table(data, name, options, limits)]
    return documents(read_csv(data, name, options, limits), options)


def read_csv(data: bytes, name: str, options: ParseOptions, limits: Limits) -> Rows:
    """The records of a CSV or TSV file.

    Cells beyond the header are joined to the last column, missing ones are left out; both are
    reported with their line.

    Raises:
        DocumentError: the file is not text, has no rows, or more than the limit.
    """
    source = _Source(data, name, options, limits)
    columns = source.header
    ours = exported.is_ours(columns)
    rows: list[Row] = []
    for record in source.records:
        cells = [c.strip() for c in record.cells]
        if not any(cells):
            continue
        if len(rows) >= limits.max_records:
            raise DocumentTooLarge(
                f"{name} has more than {limits.max_records:,} rows.", hint="Split the file."
            )
        line = record.first + 1
        if record.unclosed:
            source.warn(f"{name}, line {line}: a quote is opened and never closed.", line)
        if len(cells) > len(columns):
            if any(cells[len(columns) :]):
                source.warn(
                    f"{name}, line {line}: {len(cells)} cells for {len(columns)} columns; "
                    "the last ones were joined.",
                    line,
                )
                last = source.delimiter.join(record.cells[len(columns) - 1 :]).strip()
                cells = [*cells[: len(columns) - 1], last]
        elif len(cells) < len(columns) and not record.unclosed:
            source.warn(f"{name}, line {line}: {len(cells)} of {len(columns)} cells.", line)
        if ours:
            cells = [exported.unguard(c) for c in cells]
        values = dict(zip(columns, cells, strict=False))
        rows.append(Row(len(rows) + 1, line, values))
    if not rows:
        raise EmptyDocument(f"{name} has a header and no rows.")
    return Rows(name, PARSER, columns, rows, tuple(source.warnings), source.text)


class _Source:
    """A decoded file with its header found.

    Attributes:
        records: those after the header.
        header_end: line after the header, from 0.
    """

    def __init__(self, data: bytes, name: str, options: ParseOptions, limits: Limits) -> None:
        decoded = decode(data, name, options.encoding, limits, declared=False)
        self.text = decoded.text
        self.warnings = list(decoded.warnings)
        if not self.text.strip():
            raise EmptyDocument(f"{name} holds no text.")
        lines = self.text.split("\n")
        skipped = 0
        # Excel writes this line for itself.
        if found := _SEPARATOR_LINE.fullmatch(lines[0].strip()):
            self.delimiter, skipped = found[1], 1
        else:
            suffix = PurePosixPath(name.lower().removesuffix(".gz")).suffix
            self.delimiter = sniff_delimiter(lines, suffix)
        records = list(read_records(lines[skipped:], self.delimiter))
        if skipped:
            records = [Record(r.first + 1, r.end + 1, r.cells, r.unclosed) for r in records]
        first = next((i for i, r in enumerate(records) if any(map(str.strip, r.cells))), -1)
        if first < 0:
            raise EmptyDocument(f"{name} holds no rows.")
        records = records[first:]
        self.header_end = 0
        if _is_header(records):
            self.header_end = records[0].end
            self.header = _names(records[0].cells)
            records = records[1:]
        else:
            self.header = _names([""] * max(len(r.cells) for r in islice(records, 100)))
            self.warn(f"{name} has no header; its columns were numbered.", 1, "no_header")
        self.records = records

    def warn(self, message: str, line: int, code: str = "broken_row") -> None:
        self.warnings.append(ParseWarning(code, message, line=line))


def _table(data: bytes, name: str, options: ParseOptions, limits: Limits) -> ParsedDocument:
    """The whole file as one table: its text is the source, its rows are the records."""
    source = _Source(data, name, options, limits)
    for record in source.records:
        if record.unclosed:
            line = record.first + 1
            source.warn(f"{name}, line {line}: a quote is opened and never closed.", line)
    lines = Lines(source.text)
    header = lines.span(0, source.header_end) if source.header_end else None
    rows = [lines.span(r.first, r.end) for r in source.records]
    rows = [r for r in ([header, *rows] if header else rows) if len(r)]
    block = Block("table", rows[0].start, rows[-1].end, rows=tuple(rows), header=header)
    return ParsedDocument(
        text=source.text,
        kind="table",
        parser=PARSER,
        blocks=fill_gaps(source.text, [block]),
        metadata={"columns": ", ".join(source.header)},
        warnings=tuple(shorten(source.warnings)),
    )


def _is_header(records: Sequence[Record]) -> bool:
    """Whether the first record names columns: short, on one line, not a number (a year may be)."""
    cells = [c.strip() for c in records[0].cells]
    if len(records) == 1:
        return True
    if any(len(c) > _LONG_NAME or "\n" in c for c in cells):
        return False
    below = [c.strip() for c in records[1].cells]
    return not any(
        _NUMBER.fullmatch(c) and not _YEAR.fullmatch(c) and _NUMBER.fullmatch(b)
        for c, b in zip(cells, below, strict=False)
    )


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    """Names of columns: none empty, none twice."""
    names: list[str] = []
    for i, cell in enumerate(cells, 1):
        name = one_line(cell) or f"column {i}"
        again = 2
        while name in names:
            name = f"{one_line(cell) or f'column {i}'} {again}"
            again += 1
        names.append(name)
    return tuple(names)
