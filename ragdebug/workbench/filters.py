"""Which chunks a filter lets through.

A filter is (key, value) pairs on a document's metadata. Pairs of different keys must all hold,
pairs of the same key are alternatives. Besides metadata the keys source, language, kind and id are
known. A value with ``*`` or ``?`` is a pattern.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from ragdebug.records import DocumentInfo
from ragdebug.table import ChunkTable

BUILT_IN = ("source", "language", "kind", "id", "tenant")


def matches(info: DocumentInfo, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether one document passes."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        wanted[key].append(value)
    return all(_any(_value(info, key), values) for key, values in wanted.items())


def _value(info: DocumentInfo, key: str) -> str | None:
    value = info.metadata.get(key)
    if value is None and key in BUILT_IN:
        built_in = getattr(info, key)
        return None if built_in is None else str(built_in)
    return value


def _any(value: str | None, wanted: Iterable[str]) -> bool:
    if value is None:
        return False
    return any(fnmatchcase(value, w) if "*" in w or "?" in w else value == w for w in wanted)


def mask(
    table: ChunkTable, infos: Iterable[DocumentInfo], pairs: Sequence[tuple[str, str]]
) -> NDArray[np.bool_] | None:
    """Shape (chunks,): true where allowed; None when there is no filter."""
    if not pairs:
        return None
    allowed = {i.id for i in infos if matches(i, pairs)}
    by_document = np.array([d.id in allowed for d in table.documents], bool)
    return by_document[table.document_of] if len(by_document) else np.zeros(0, bool)
