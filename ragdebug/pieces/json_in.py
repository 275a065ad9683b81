"""Rows of JSON Lines, of a JSON array, and of an object that holds the records somewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from ragdebug.errors import CorruptDocument
from ragdebug.pieces.bytes_in import lines, start_of, whole
from ragdebug.pieces.flat import flat, side_by_side
from ragdebug.pieces.names import NAMES
from ragdebug.pieces.rows import Line

NOT_UTF8 = "This line is not UTF-8; it was left out."
NO_RECORD = "This is no JSON object; it was left out."
TOO_DEEP = "This record is nested too deeply; it was left out."
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_DEEPEST = 3
# Columns side by side, as Chroma gives them, and what one cell of each is called.
_COLUMNS = {
    "ids": "id",
    "documents": "document",
    "texts": "text",
    "metadatas": "metadata",
    "embeddings": "embedding",
    "uris": "uri",
}


def json_lines(stream: BinaryIO, name: str) -> Iterator[Line]:
    """Rows of a file with one record a line; one that is a JSON array after all is read as such."""
    start = start_of(stream)
    if start[:1] == b"[" and start[1:].lstrip()[:1] in (b"{", b"") or _is_object_over_lines(start):
        yield from json_whole(stream, name)
        return
    yield from _lines_only(stream, name)


def json_whole(stream: BinaryIO, name: str) -> Iterator[Line]:
    """Rows of a JSON file, by their numbers; one that has a record a line is read as such.

    Raises:
        CorruptDocument: it is no JSON.
    """
    start = start_of(stream)
    if start[:1] == b"{" and not _is_object_over_lines(start) and _has_more(start):
        yield from _lines_only(stream, name)
        return
    text = whole(stream, name)
    begin = _after(text, 0)
    if text[begin : begin + 1] == "[":
        yield from _one_by_one(text, begin + 1, name, "]")
        return
    try:
        value, end = json.JSONDecoder().raw_decode(text, begin)
    except (ValueError, RecursionError) as e:
        raise CorruptDocument(f"{name} is no JSON: {e}.") from e
    if _after(text, end) < len(text):
        yield from _one_by_one(text, begin, name, "")
        return
    del text
    try:
        records = _records(value)
    except RecursionError:
        records = [value]
    for number, record in enumerate(records, start=1):
        yield number, _flat(record)


def _lines_only(stream: BinaryIO, name: str) -> Iterator[Line]:
    for number, line in lines(stream, name):
        if line is None:
            yield number, NOT_UTF8
        elif line.strip():
            yield number, _row(line)


def _row(line: str) -> dict[str, object] | str:
    try:
        record = json.loads(line)
    except ValueError as e:
        return f"This line is no JSON ({e}); it was left out."
    except RecursionError:
        return TOO_DEEP
    return _flat(record)


def _flat(record: object) -> dict[str, object] | str:
    try:
        row = flat(record)
    except RecursionError:
        return TOO_DEEP
    return row if row is not None else NO_RECORD


def _is_object_over_lines(start: bytes) -> bool:
    """Whether a file begins with an object that goes on over several lines."""
    first = start.partition(b"\n")
    return start[:1] == b"{" and bool(first[1]) and first[0].strip() == b"{"


def _has_more(start: bytes) -> bool:
    """Whether the first line is an object by itself and another begins on the next."""
    first, _, rest = start.partition(b"\n")
    return rest.lstrip()[:1] == b"{" and first.rstrip()[-1:] == b"}"


def _one_by_one(text: str, at: int, name: str, last: str) -> Iterator[Line]:
    """Records one after the other, up to `last`: together they would take several files' room."""
    decoder, number = json.JSONDecoder(), 0
    while text[(at := _after(text, at)) : at + 1] != last:
        number += 1
        try:
            record, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as e:
            line = text.count("\n", 0, at) + 1
            if number == 1:
                raise CorruptDocument(f"{name} is no JSON: line {line}: {e}.") from e
            # Where the next record would begin can only be guessed; what came before is good.
            yield number, f"The file is damaged from line {line} on; nothing after it was read."
            return
        yield number, _flat(record)


def _after(text: str, at: int) -> int:
    """The next position that is no blank or comma."""
    match = _BETWEEN.match(text, at)
    return match.end() if match else at


def _records(value: object) -> Iterable[object]:
    """The records of a file that is one value."""
    if isinstance(value, list):
        return value
    inside = _inside(value) if isinstance(value, Mapping) else None
    return [value] if inside is None else inside


def _inside(value: Mapping[str, object], depth: int = 0) -> Iterable[object] | None:
    """The records somewhere in an object: its longest array, its columns, or what it maps to."""
    if any(isinstance(value.get(name), str) for name in NAMES["text"]):
        return None  # it is a record itself
    columns = {k: v for k, v in value.items() if k in _COLUMNS and isinstance(v, list)}
    if len(columns) > 1 and any(k in columns for k in ("documents", "texts")):
        return side_by_side(columns, _COLUMNS)
    arrays = [v for v in value.values() if isinstance(v, list) and v and isinstance(v[0], Mapping)]
    if arrays:
        return max(arrays, key=len)
    objects = [v for v in value.values() if isinstance(v, Mapping)]
    if dump := next((v for v in (value, *objects) if _is_dump(v)), None):
        return dump.values()
    if depth == _DEEPEST:
        return None
    deeper = (_inside(v, depth + 1) for v in sorted(objects, key=len, reverse=True))
    return next((found for found in deeper if found is not None), None)


def _is_dump(value: Mapping[str, object]) -> bool:
    """Whether an object is LlamaIndex's: id -> node."""
    return bool(value) and all(isinstance(v, Mapping) and "__data__" in v for v in value.values())
