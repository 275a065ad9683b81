"""Where the hits lie in JSON that an engine or a library gave."""

from __future__ import annotations

import ast
import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragdebug.workbench.outside.fields import roles, rows_of

# Names of the array that holds the hits, the likeliest first.
ARRAYS = tuple(
    "hits results matches points documents docs result nodes source_nodes retrieved "
    "retrieval_results retrievalResults retrieved_documents chunks passages contexts context "
    "search_results data value items sources references citations response children records "
    "objects neighbors nearestNeighbors".split()
)
_PARALLEL = ("documents", "distances", "metadatas", "scores", "uris")
_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)
_ONE: Mapping[str, str] = {
    "documents": "text",
    "distances": "distance",
    "scores": "score",
    "metadatas": "metadata",
    "uris": "uri",
}


@dataclass(frozen=True, slots=True)
class Found:
    """An array of hits.

    Attributes:
        records: its items.
        name: what it is called there, "" when it is all there is.
        notes: what to say about it.
    """

    records: Sequence[object]
    name: str = ""
    notes: tuple[str, ...] = ()


def parsed(text: str) -> object | None:
    """The value that a text spells as JSON, JSON Lines or as Python prints it; None for neither."""
    if fenced := _FENCE.match(text):
        text = fenced[1]
    text = text.strip().removeprefix("\ufeff")
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        pass
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        pass
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, dict | list | tuple) else None


def find_hits(value: object) -> Found | None:
    """The array of hits in a value; None when there is none."""
    try:
        return _find(value, {})
    except RecursionError:  # nested beyond all reason
        return None


def _find(value: object, looked: dict[int, Found | None]) -> Found | None:
    """`find_hits`; what was found in lone objects, by their id, is not looked for twice."""
    if isinstance(value, list | tuple):
        return _array("", value, looked)
    for known in (True, False):
        for node in _objects(value):
            if _is_parallel(node):
                return _beside(node)
            names = [n for n in ARRAYS if n in node] if known else list(node)
            for name in names:
                inside = node[name]
                if isinstance(inside, list | tuple) and (
                    found := _array(str(name), inside, looked)
                ):
                    return found
    return None


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    """Objects inside of each other, from the outside in."""
    waiting: deque[object] = deque([value])
    while waiting:
        node = waiting.popleft()
        if isinstance(node, Mapping):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list | tuple) and len(node) <= 100:
            waiting.extend(node)


def _array(name: str, items: Sequence[object], looked: dict[int, Found | None]) -> Found | None:
    notes: tuple[str, ...] = ()
    if items and all(isinstance(x, list | tuple) for x in items) and not _are_pairs(items):
        # One array a query.
        if len(items) > 1:
            notes = (f"It holds the hits of {len(items)} queries; those of the first were taken.",)
        first = items[0]
        assert isinstance(first, list | tuple)
        items = first
    if len(items) == 1 and isinstance(items[0], Mapping) and (inside := _inside(items[0], looked)):
        return inside
    return Found(items, name, notes) if _like_hits(items) else None


def _inside(one: Mapping[str, object], looked: dict[int, Found | None]) -> Found | None:
    """The hits in a lone object that is an answer and not a hit."""
    if id(one) not in looked:
        is_hit = roles(rows_of([one])).keys() & {"text", "score", "distance"}
        looked[id(one)] = None if is_hit else _find(one, looked)
    return looked[id(one)]


def _like_hits(items: Sequence[object]) -> bool:
    if not items:
        return True
    if _are_pairs(items):
        return True
    if all(isinstance(x, Mapping) for x in items):
        return bool(roles(rows_of(items)).keys() & {"text", "id", "source"})
    return all(isinstance(x, str) for x in items) or all(
        isinstance(x, int) and not isinstance(x, bool) for x in items
    )


def _are_pairs(items: Sequence[object]) -> bool:
    return all(
        isinstance(x, list | tuple)
        and len(x) == 2
        and sum(isinstance(part, int | float) for part in x) == 1
        and any(isinstance(part, str | Mapping) for part in x)
        for x in items
    )


def _is_parallel(node: Mapping[str, object]) -> bool:
    """Whether it is Chroma's answer: arrays side by side."""
    return isinstance(node.get("ids"), list) and any(
        isinstance(node.get(name), list) for name in _PARALLEL
    )


def _beside(node: Mapping[str, object]) -> Found:
    arrays: dict[str, list[object]] = {}
    notes: tuple[str, ...] = ()
    for name in ("ids", *_PARALLEL):
        whole = node.get(name)
        if not isinstance(whole, list):
            continue
        if name == "ids" and len(whole) > 1 and isinstance(whole[0], list):
            notes = (f"It holds the hits of {len(whole)} queries; those of the first were taken.",)
        arrays[name] = whole[0] if whole and isinstance(whole[0], list) else whole
    records: list[object] = []
    for at, one in enumerate(arrays.pop("ids")):
        record: dict[str, object] = {"id": one}
        for name, values in arrays.items():
            if at < len(values) and values[at] is not None:
                record[_ONE[name]] = values[at]
        records.append(record)
    return Found(records, "ids", notes)
