"""What a Python function returns, as plain values: mappings, lists, text, numbers."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

DEEPEST = 8
MOST_IN_LIST = 1000  # of a list inside a hit; an embedding fits
RAW_CHARS = 20_000


def plain(value: object, deep: int = 0) -> Any:  # noqa: ANN401 - plain values
    """Mappings, sequences, text, numbers and None, made of whatever it is.

    Understood are dataclasses, named tuples, pydantic models, pandas rows, numpy values, and any
    object with attributes: LangChain's Document, LlamaIndex' NodeWithScore, Qdrant's ScoredPoint.
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if deep > DEEPEST:
        return str(type(value).__name__)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Mapping):
        return {str(k): plain(v, deep + 1) for k, v in value.items()}
    if isinstance(value, tuple) and (names := getattr(value, "_fields", None)):
        return {str(k): plain(v, deep + 1) for k, v in zip(names, value, strict=False)}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v, deep + 1) for v in islice(value, MOST_IN_LIST)]
    inside = _attributes(value)
    if inside is None:
        return str(value)
    return plain(inside, deep)


def is_rows(value: object) -> bool:
    """Whether it is a table whose rows are the hits: a pandas DataFrame."""
    return hasattr(value, "to_dict") and hasattr(value, "iterrows") and hasattr(value, "columns")


def rows(value: Any, most: int) -> list[Any]:  # noqa: ANN401 - a DataFrame
    """The first rows of a DataFrame as mappings."""
    return list(value.head(most).to_dict("records"))


def attributes(value: object) -> Mapping[str, object] | None:
    """Name -> value of an object that is no plain value, one level deep; None for plain ones."""
    if value is None or isinstance(value, str | bytes | bool | int | float | Sequence):
        return None
    if isinstance(value, Mapping):
        return {str(k): v for k, v in value.items()}
    found = _attributes(value)
    return {str(k): v for k, v in found.items()} if isinstance(found, Mapping) else None


def raw_text(value: object) -> str:
    """An answer for a person to look at, cut at `RAW_CHARS`."""
    if isinstance(value, list):
        value = value[:MOST_IN_LIST]
    text = json.dumps(plain(value), ensure_ascii=False, indent=2, default=str)
    text = text.encode("utf-8", "replace").decode()  # half of a character can be shown nowhere
    return text if len(text) <= RAW_CHARS else text[:RAW_CHARS] + "\u2026"


def _attributes(value: Any) -> Any:  # noqa: ANN401 - plain values or a mapping
    """What an object holds: a mapping, a plain value, or None where it says nothing."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if hasattr(value, "to_dict") and hasattr(value, "index"):  # a row of pandas
        return value.to_dict()
    if hasattr(value, "dtype") and hasattr(value, "item"):  # numpy
        return value.item() if getattr(value, "ndim", 1) == 0 else list(islice(value.flat, 1000))
    names = _names(value)
    if not names:
        return None
    held = {name: getattr(value, name, None) for name in names}
    content = getattr(value, "get_content", None)
    if callable(content) and "text" not in held:  # nodes of LlamaIndex
        held = {"text": content(), **held}
    return held


def _names(value: Any) -> list[str]:  # noqa: ANN401 - any object
    """Names of an object's public attributes."""
    fields = getattr(type(value), "model_fields", None)  # pydantic
    if isinstance(fields, Mapping):
        return [str(name) for name in fields]
    names: Iterable[str] = list(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names = [*names, *((slots,) if isinstance(slots, str) else slots)]
    return [n for n in dict.fromkeys(names) if not n.startswith("_")]
