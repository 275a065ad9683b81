"""JSON and JSONL: records where the file has their shape, else the source as it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragdebug.documents.canonical import normalise, one_line, storable
from ragdebug.documents.columns import guess
from ragdebug.documents.encoding import Decoded, decode
from ragdebug.documents.json_values import Number, flat, load
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.rows import Row, Rows, documents, shorten
from ragdebug.documents.structure import Lines, fill_gaps
from ragdebug.errors import CorruptDocument, DocumentTooLarge, EmptyDocument
from ragdebug.records import Block, ParsedDocument, ParseWarning

PARSER = "jsonl/1"
SOURCE_PARSER = "json/1"


def parse_jsonl(
    data: bytes, name: str, options: ParseOptions, limits: Limits
) -> list[ParsedDocument]:
    """Read a file of one JSON object a line.

    Raises:
        DocumentError: the file is not text, holds no record, or lacks a chosen column.
    """
    if options.rows == "table":
        return [_lines_as_table(data, name, options, limits)]
    found = read_json(data, name, options, limits, lines=True)
    assert found is not None, "lines are always records"
    return documents(found, options)


def parse_json(
    data: bytes, name: str, options: ParseOptions, limits: Limits
) -> list[ParsedDocument]:
    """Read a JSON file.

    Records are: an array of objects or strings; an object that wraps one such array; an object of
    objects with a text each; a single object with a text. Anything else is one document whose text
    is the source.

    Raises:
        DocumentError: the file is not text, is a broken array of records, or lacks a chosen column.
    """
    found = None
    if options.rows != "table":
        found = read_json(data, name, options, limits)
    if found is not None:
        return documents(found, options)
    decoded = decode(data, name, options.encoding, limits, declared=False)
    if not decoded.text.strip():
        raise EmptyDocument(f"{name} holds no text.")
    warnings = list(decoded.warnings)
    try:
        load(decoded.text)
    except ValueError as e:
        warnings.append(_invalid(name, decoded.text, e))
    return [
        ParsedDocument(
            text=decoded.text,
            kind="json",
            parser=SOURCE_PARSER,
            blocks=fill_gaps(decoded.text, (), kind="code"),
            warnings=tuple(warnings),
        )
    ]


def read_json(
    data: bytes, name: str, options: ParseOptions, limits: Limits, lines: bool = False
) -> Rows | None:
    """The records of a JSON file (`lines`: of a JSONL file), or None where it has none.

    Raises:
        DocumentError: the file is not text, is broken, or has more records than the limit.
    """
    decoded = decode(data, name, options.encoding, limits, declared=False)
    if not decoded.text.strip():
        raise EmptyDocument(f"{name} holds no text.")
    if lines:
        return _from_lines(decoded, name, limits)
    try:
        value = load(decoded.text)
    except ValueError as e:
        if decoded.text.lstrip().startswith("{") and (found := _try_lines(decoded, name, limits)):
            return found
        if decoded.text.lstrip()[1:].lstrip().startswith("{"):
            # Half of an array is not a smaller array: nothing is taken from it.
            raise CorruptDocument(_invalid(name, decoded.text, e).message) from e
        return None
    return _from_value(value, decoded, name, limits)


# Shapes -------------------------------------------------------------------------------------------


def _from_value(value: Any, decoded: Decoded, name: str, limits: Limits) -> Rows | None:  # noqa: ANN401
    if isinstance(value, list):
        if value and all(isinstance(v, dict) for v in value):
            return _rows([("", v) for v in value], decoded, name, limits)
        if value and all(isinstance(v, str) and not isinstance(v, Number) for v in value):
            return _rows([("", {"text": v}) for v in value], decoded, name, limits)
        return None
    if not isinstance(value, dict) or not value:
        return None
    arrays = [v for v in value.values() if isinstance(v, list) and v]
    others = [v for v in value.values() if isinstance(v, dict)]
    if len(arrays) == 1 and not others and all(isinstance(v, dict) for v in arrays[0]):
        rows = _rows([("", v) for v in arrays[0]], decoded, name, limits)
        return rows if _has_text(rows) else None
    if len(value) > 1 and all(isinstance(v, dict) for v in value.values()):
        rows = _rows(list(value.items()), decoded, name, limits)
        return rows if _has_text(rows) and len({tuple(v) for v in value.values()}) == 1 else None
    rows = _rows([("", value)], decoded, name, limits, single=True)
    return rows if _has_text(rows, by_name=True) else None


def _has_text(found: Rows, by_name: bool = False) -> bool:
    columns = guess(found.columns, [r.values for r in found.rows])
    if by_name:
        return any(c in ("text", "page_content", "content", "body") for c in columns.text)
    return columns.obvious


def _try_lines(decoded: Decoded, name: str, limits: Limits) -> Rows | None:
    """JSONL under the name of JSON: at least two lines, most of them objects."""
    try:
        found = _from_lines(decoded, name, limits)
    except CorruptDocument:
        return None
    return found if len(found.rows) > max(1, len(found.warnings)) else None


def _from_lines(decoded: Decoded, name: str, limits: Limits) -> Rows:
    """One object a line; a line that is none is reported, and the others are read."""
    warnings = list(decoded.warnings)
    rows: list[tuple[int, Mapping[str, Any]]] = []
    # Only \n ends a line: U+2028 and its like may stand inside of a string.
    for number, line in enumerate(decoded.text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = load(line)
        except ValueError:
            message = f"{name}, line {number}: not valid JSON; the line was left out."
            warnings.append(ParseWarning("broken_row", message, line=number))
            continue
        if not isinstance(value, dict):
            message = f"{name}, line {number}: not a JSON object; the line was left out."
            warnings.append(ParseWarning("broken_row", message, line=number))
            continue
        rows.append((number, value))
        if len(rows) > limits.max_records:
            raise _too_many(name, limits)
    if not rows:
        raise CorruptDocument(
            f"{name}: no line holds a JSON object. {warnings[0].message if warnings else ''}"
        )
    made = [_row(i, line, "", value) for i, (line, value) in enumerate(rows, 1)]
    return Rows(name, PARSER, _columns(made), made, tuple(warnings), decoded.text)


def _rows(
    values: list[tuple[str, Mapping[str, Any]]],
    decoded: Decoded,
    name: str,
    limits: Limits,
    single: bool = False,
) -> Rows:
    if len(values) > limits.max_records:
        raise _too_many(name, limits)
    rows = [_row(i, 0, key, value) for i, (key, value) in enumerate(values, 1)]
    return Rows(name, PARSER, _columns(rows), rows, decoded.warnings, decoded.text, single)


def _too_many(name: str, limits: Limits) -> DocumentTooLarge:
    return DocumentTooLarge(
        f"{name} has more than {limits.max_records:,} records.", hint="Split the file."
    )


def _columns(rows: list[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c for row in rows for c in row.values))


def _row(number: int, line: int, key: str, value: Mapping[str, Any]) -> Row:
    values: dict[str, str] = {}
    replaced = 0
    for column, text in flat(value):
        text, count = storable(text)
        replaced += count
        values.setdefault(one_line(column), normalise(text))
    return Row(number, line, values, key, replaced)


def _invalid(name: str, text: str, error: ValueError) -> ParseWarning:
    if isinstance(error, json.JSONDecodeError):
        message = f"{name}, line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}."
        return ParseWarning("invalid_json", message, line=error.lineno)
    return ParseWarning("invalid_json", f"{name} is not valid JSON: {error}.")


def _lines_as_table(
    data: bytes, name: str, options: ParseOptions, limits: Limits
) -> ParsedDocument:
    """The whole file as one document whose rows are its lines."""
    decoded = decode(data, name, options.encoding, limits, declared=False)
    lines = Lines(decoded.text)
    spans = [lines.span(i, i + 1) for i in range(len(lines))]
    rows = tuple(s for s in spans if len(s))
    if not rows:
        raise EmptyDocument(f"{name} holds no text.")
    return ParsedDocument(
        text=decoded.text,
        kind="table",
        parser=PARSER,
        blocks=(Block("table", rows[0].start, rows[-1].end, rows=rows),),
        warnings=tuple(shorten(decoded.warnings)),
    )
