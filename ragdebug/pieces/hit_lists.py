"""Where the hits stand in what an engine or a library gave."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ragdebug.pieces.flat import side_by_side
from ragdebug.pieces.hit_names import roles
from ragdebug.pieces.hit_rows import rows_of

# Names of the array that holds the hits, the likeliest first.
ARRAYS = tuple(
    "hits results matches points documents docs result nodes source_nodes retrieved "
    "retrieval_results retrievalResults retrieved_documents chunks passages contexts context "
    "search_results data value items sources references citations response children records "
    "objects neighbors nearestNeighbors".split()
)
# Chroma's answer: arrays side by side, and what one cell of each is called.
_COLUMNS: Mapping[str, str] = {
    "ids": "id",
    "documents": "text",
    "distances": "distance",
    "metadatas": "metadata",
    "scores": "score",
    "uris": "uri",
}


@dataclass(frozen=True, slots=True)
class Found:
    """An array of hits.

    Attributes:
        records: its items.
        name: what it is called there, "" when it is all there is.
        notes: what to say about it.
        path: where it stands, such as ``result.0.hits``; where columns were made into records,
            where these stand.
    """

    records: Sequence[object]
    name: str = ""
    notes: tuple[str, ...] = ()
    path: str = ""


def find_hits(value: object) -> Found | None:
    """The array of hits in plain values; None when there is none."""
    try:
        return _find(value, {})
    except RecursionError:  # nested beyond all reason
        return None


def like_hits(items: Sequence[object]) -> bool:
    """Whether items can be hits: objects with a text, an id or a source, pairs, texts, ids."""
    if not items or _are_pairs(items):
        return True
    if all(isinstance(x, Mapping) for x in items):
        return bool(roles(rows_of(items)).keys() & {"text", "id", "source"})
    return all(isinstance(x, str) for x in items) or all(
        isinstance(x, int) and not isinstance(x, bool) for x in items
    )


def is_columns(node: Mapping[str, object]) -> bool:
    """Whether it is Chroma's answer."""
    lists = [name for name in _COLUMNS if isinstance(node.get(name), list)]
    return "ids" in lists and len(lists) > 1


def of_columns(node: Mapping[str, object]) -> Found:
    """Hits of an answer that has a list for each of their fields, maybe one a query."""
    whole = {name: v for name in _COLUMNS if isinstance(v := node.get(name), list)}
    ids = whole["ids"]
    notes = _of_first(len(ids)) if ids and isinstance(ids[0], list) else ()
    arrays = {k: v[0] if v and isinstance(v[0], list) else v for k, v in whole.items()}
    return Found(list(side_by_side(arrays, _COLUMNS)), "ids", notes)


def _find(value: object, looked: dict[int, Found | None]) -> Found | None:
    """`find_hits`; what was found in lone objects, by their id, is not looked for twice."""
    if isinstance(value, list | tuple):
        return _array("", value, looked)
    for known in (True, False):
        for path, node in _objects(value):
            if is_columns(node):
                return replace(of_columns(node), path=path)
            names = [n for n in ARRAYS if n in node] if known else list(node)
            for name in names:
                inside = node[name]
                if isinstance(inside, list | tuple) and (
                    found := _array(str(name), inside, looked)
                ):
                    return replace(found, path=_joined(path, name, found.path))
    return None


def _objects(value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Objects inside of each other with their paths, from the outside in."""
    waiting: deque[tuple[str, object]] = deque([("", value)])
    while waiting:
        path, node = waiting.popleft()
        if isinstance(node, Mapping):
            yield path, node
            waiting.extend((_joined(path, name), inside) for name, inside in node.items())
        elif isinstance(node, list | tuple) and len(node) <= 100:
            waiting.extend((_joined(path, at), inside) for at, inside in enumerate(node))


def _joined(*parts: object) -> str:
    return ".".join(str(part) for part in parts if part != "")


def _array(name: str, items: Sequence[object], looked: dict[int, Found | None]) -> Found | None:
    notes: tuple[str, ...] = ()
    path = ""
    if items and all(isinstance(x, list | tuple) for x in items) and not _are_pairs(items):
        notes, path = _of_first(len(items)), "0"  # one array a query
        items = cast("Sequence[object]", items[0])
    if len(items) == 1 and isinstance(items[0], Mapping) and (inside := _inside(items[0], looked)):
        return replace(inside, path=_joined(path, 0, inside.path))
    return Found(items, name, notes, path) if like_hits(items) else None


def _of_first(queries: int) -> tuple[str, ...]:
    if queries < 2:
        return ()
    return (f"It holds the hits of {queries} queries; those of the first were taken.",)


def _inside(one: Mapping[str, object], looked: dict[int, Found | None]) -> Found | None:
    """The hits in a lone object that is an answer and not a hit."""
    if id(one) not in looked:
        is_hit = roles(rows_of([one])).keys() & {"text", "score", "distance"}
        looked[id(one)] = None if is_hit else _find(one, looked)
    return looked[id(one)]


def _are_pairs(items: Sequence[object]) -> bool:
    return all(
        isinstance(x, list | tuple)
        and len(x) == 2
        and sum(isinstance(part, int | float) for part in x) == 1
        and any(isinstance(part, str | Mapping) for part in x)
        for x in items
    )
