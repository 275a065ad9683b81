"""Records of nested objects as flat rows, and the ways libraries wrap them."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ragdebug.pieces.names import is_nothing

_PACKED = frozenset(("metadata", "meta", "payload", "_node_content", "cmetadata"))
_LONGEST_PACKED = 100_000
# What LlamaIndex and LangChain keep for themselves.
_OWN = frozenset(
    "lc type class_name text_template metadata_template metadata_seperator metadata_separator "
    "mimetype excluded_embed_metadata_keys excluded_llm_metadata_keys __type__ "
    "_node_content _node_type".split()
)
_NUMBERS = 32  # a longer list of numbers says nothing to a person


def flat(record: object) -> dict[str, object] | None:
    """A record as column -> value with dotted names; None when it is no record.

    A bare string is a piece's text.
    """
    if isinstance(record, str):
        return {"text": record}
    if not isinstance(record, Mapping):
        return None
    row: dict[str, object] = {}
    for name, value in _pairs(unwrapped(record), ""):
        row.setdefault(name, value)
    return row


def metadata(row: Mapping[str, object], taken: frozenset[str]) -> dict[str, str]:
    """What is left of a row, as text; ``payload.metadata.author`` is called ``author``."""
    kept: dict[str, str] = {}
    for name, value in row.items():
        plain = name.removeprefix("payload.").removeprefix("metadata.")
        if name in taken or is_nothing(value) or _is_own(plain):
            continue
        if (text := _as_text(value)) is not None:
            kept[name if plain in kept else plain] = text
    return kept


def side_by_side(
    columns: Mapping[str, Sequence[object]], names: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    """Records of columns, as Chroma gives them; `names` says what one cell of each is called."""
    for at in range(max(map(len, columns.values()))):
        yield {names[k]: column[at] for k, column in columns.items() if at < len(column)}


def unwrapped(record: Mapping[str, object]) -> Mapping[str, object]:
    """What LangChain's and LlamaIndex's own dumps have inside."""
    inside = record.get("kwargs") if record.get("type") == "constructor" else None
    if inside is None:
        inside = record.get("__data__")
    if isinstance(inside, str):
        inside = _object(inside)
    return inside if isinstance(inside, Mapping) else record


def _pairs(record: Mapping[str, object], before: str) -> Iterator[tuple[str, object]]:
    packed: list[tuple[str, Mapping[str, object]]] = []
    for key, value in record.items():
        name = f"{before}{key}"
        if key in _PACKED and isinstance(value, str):
            value = _object(value) or value
        if isinstance(value, Mapping):
            packed.append(("" if key == "_node_content" else f"{name}.", value))
        else:
            yield name, value
    for name, inside in packed:
        yield from _pairs(inside, name)


def _object(text: str) -> Mapping[str, object] | None:
    """The object that a cell spells as JSON, or as Python prints it; of values that JSON has."""
    if not text.lstrip().startswith("{") or len(text) > _LONGEST_PACKED:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
            if isinstance(value, dict) and read is not json.loads:
                # Python spells more than can be kept: keys of several parts, endless numbers.
                value = json.loads(json.dumps(value, default=str))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
        if isinstance(value, dict):
            return value
    return None


def _is_own(name: str) -> bool:
    return name in _OWN or name.startswith(("relationships.", "__index_level_"))


def _as_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        if len(value) > _NUMBERS and isinstance(value[0], int | float):
            return None
        try:
            return json.dumps(value, ensure_ascii=False, default=str) if value else None
        except RecursionError:
            return None
    return str(value)
