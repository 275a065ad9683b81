"""Questions as JSON: one object a line, or an array of objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragdebug.store.clean import cleaned
from ragdebug.workbench.questions.formats import fields
from ragdebug.workbench.questions.records import Given, Rows


def read(text: str, columns: Mapping[str, str] | None = None) -> Rows:
    """Rows of a JSONL file or of a JSON array; a line that cannot be read is reported.

    Args:
        text: of the file.
        columns: our names -> the file's, where they differ.
    """
    rows: list[Given] = []
    problems: list[tuple[int, str]] = []
    for line, value in objects(text):
        if isinstance(value, str):
            problems.append((line, value))
            continue
        try:
            rows += fields.given(value, fields.names(value, columns), line)
        except fields.BadRow as e:
            problems.append((line, str(e)))
    return Rows(tuple(rows), tuple(problems))


def write(rows: Sequence[Given]) -> str:
    """One object a row."""
    return "".join(json.dumps(fields.values(r), ensure_ascii=False) + "\n" for r in rows)


def objects(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """(line, object), or (line, what is wrong there); blank lines are left out."""
    for number, value in _values(text):
        yield number, cleaned(value) if isinstance(value, dict) else value


def _values(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    if text.lstrip().startswith("["):
        yield from _array(text)
        return
    # Only \n ends a line: U+2028 and its like may stand inside of a string.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as e:
                yield number, f"Not valid JSON: {e}."
                continue
            yield number, value if isinstance(value, dict) else "Not a JSON object."


def _array(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as e:
        yield getattr(e, "lineno", 0), f"Not valid JSON: {e}."
        return
    for number, value in enumerate(values, 1):
        yield number, value if isinstance(value, dict) else "Not a JSON object."
