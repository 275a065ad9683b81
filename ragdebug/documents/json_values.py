"""JSON values as metadata and text: numbers as they are written, nested objects flattened."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_LIFTED = ("metadata", "meta", "_source", "fields")
_MAX_DEPTH = 3
_LONG_ITEM = 60


def load(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Any JSON value; numbers stay as they are written, as `Number`.

    Raises:
        ValueError: it is not JSON, or is nested too deeply to be read.
    """
    try:
        return json.loads(text, strict=False, parse_float=Number, parse_int=Number)
    except RecursionError as e:
        raise ValueError("it is nested too deeply") from e


class Number(str):
    """A JSON number as its own digits: 1.10 is not 1.1, and no number is too long."""

    __slots__ = ()


def flat(value: Mapping[str, Any], prefix: str = "", depth: int = 1) -> Iterator[tuple[str, str]]:
    """(column, text) pairs: nested objects joined by dots, ``metadata`` lifted to the top."""
    nested: list[tuple[str, Mapping[str, Any]]] = []
    for key, item in value.items():
        if isinstance(item, dict) and depth <= _MAX_DEPTH:
            nested.append(("" if not prefix and key in _LIFTED else f"{prefix}{key}.", item))
        else:
            yield prefix + key, _text(item)
    for name, item in nested:
        yield from flat(item, name, depth + 1)


def _text(item: Any) -> str:  # noqa: ANN401
    if isinstance(item, str):
        return str(item)
    if item is None:
        return ""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, list) and all(isinstance(i, str) for i in item):
        long = any(len(i) > _LONG_ITEM or "\n" in i for i in item)
        return ("\n\n" if long else ", ").join(item)
    try:
        return json.dumps(item, ensure_ascii=False)
    except RecursionError:
        return ""  # just shallow enough to be read, too deep to be written
