"""Which chunks a filter lets through.

A filter is (key, value) pairs on a document's metadata, and on that of a piece of another system.
Pairs of different keys must all hold, pairs of the same key are alternatives. Besides metadata the
keys source, language, kind and id are known. A value with ``*`` or ``?`` is a pattern.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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
    table: ChunkTable,
    infos: Iterable[DocumentInfo],
    pairs: Sequence[tuple[str, str]],
    own: Sequence[Sequence[Mapping[str, str]]] | None = None,
) -> NDArray[np.bool_] | None:
    """Shape (chunks,): true where allowed; None when there is no filter.

    Args:
        table: the chunks.
        infos: their documents.
        pairs: the filter.
        own: metadata of the pieces that each chunk is, which wins over its document's; it passes
            when one of them does. None where chunks have none.
    """
    if not pairs:
        return None
    if own is not None:
        return _by_chunk(table, {i.id: i for i in infos}, pairs, own)
    allowed = {i.id for i in infos if matches(i, pairs)}
    by_document = np.array([d.id in allowed for d in table.documents], bool)
    return by_document[table.document_of] if len(by_document) else np.zeros(0, bool)


def _by_chunk(
    table: ChunkTable,
    infos: Mapping[str, DocumentInfo],
    pairs: Sequence[tuple[str, str]],
    own: Sequence[Sequence[Mapping[str, str]]],
) -> NDArray[np.bool_]:
    keys = {key for key, _ in pairs}
    known: dict[tuple[object, ...], bool] = {}
    allowed = np.zeros(len(table), bool)
    for row, at in enumerate(table.document_of.tolist()):
        document = table.documents[at].id
        for piece in own[row]:
            mine = {k: v for k, v in piece.items() if k in keys}
            key = (document, *mine.items())
            if key not in known:
                info = infos.get(document)
                known[key] = info is not None and matches(
                    replace(info, metadata={**info.metadata, **mine}), pairs
                )
            if known[key]:
                allowed[row] = True
                break
    return allowed
