"""Where in an answer the hits stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from ragdebug.errors import AnswerNotUnderstood
from ragdebug.pieces.hit_lists import ARRAYS, find_hits, is_columns, like_hits, of_columns
from ragdebug.pieces.names import is_nothing
from ragdebug.searchers.plain import attributes, is_rows, plain, rows

_KNOWN = ("hits.hits", "result.points", "data.results", "response.docs", *ARRAYS)
_SOME = 10  # items that are looked at before a list is taken for the hits


def hits_in(
    value: object, path: str, most: int, told: bool = False
) -> tuple[list[Any], int, str, tuple[str, ...]]:
    """The hits of an answer.

    Args:
        value: plain values or objects.
        path: where they stand; "" to look for them.
        most: no more are taken.
        told: whether a person says which fields they have; no names need be recognised then.

    Returns:
        The hits, how many there were (-1 where they were not counted), where they stand, and what
        to say about it.

    Raises:
        AnswerNotUnderstood: there is no such place, or no list of hits.
    """
    if path:
        found = walk(value, path)
        if found is MISSING:
            raise AnswerNotUnderstood(
                f"The answer has no {path}. It holds {_held(value)}.",
                hint="Say where the hits are, or leave it out to have them looked for.",
            )
        if found is None:
            return [], 0, path, ()
        return (*_listed(found, most, path), path, ())
    if value is None or isinstance(value, str | bytes | bool | int | float):
        raise AnswerNotUnderstood(
            f"The answer is {_kind(value)} and no list of hits.",
            hint="A function returns a list; an answer in JSON holds one.",
        )
    if isinstance(value, Mapping) and is_columns(value):
        columns = of_columns(value)
        return list(columns.records[:most]), len(columns.records), "", columns.notes
    if isinstance(value, Mapping) and (scores := _scores(value)):
        return [{"id": k, "score": v} for k, v in scores[:most]], len(scores), "", ()
    inside = attributes(value)
    if inside is None or is_rows(value):
        return (*_listed(value, most, ""), "", ())
    places = ((name, walk(inside, name)) for name in _KNOWN)
    known, items = next((place for place in places if _is_list(place[1])), ("", None))
    if known and (told or _like_hits(items)):
        return (*_listed(items, most, known), known, ())
    if found := find_hits(plain(value)):
        there = walk(value, found.path)
        if _is_list(there):
            return (*_listed(there, most, found.path), found.path, found.notes)
        return list(found.records[:most]), len(found.records), "", found.notes
    if known:  # what its items hold is said when none of them is recognised
        return (*_listed(items, most, known), known, ())
    raise AnswerNotUnderstood(
        f"No list of hits was found in the answer. It holds {_held(value)}.",
        hint="Say where the hits are, such as hits.hits.",
    )


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes) or is_rows(value)


def _like_hits(items: Any) -> bool:  # noqa: ANN401 - a sequence or a DataFrame
    """Whether a list is the hits and no list of answers; a hit may be a list of its parts."""
    if is_rows(items):
        return True
    some = [plain(item) for item in islice(items, _SOME)]
    return like_hits(some) or any(
        isinstance(x, list) and not all(isinstance(part, Mapping | list) for part in x)
        for x in some
    )


class _Missing:
    def __bool__(self) -> bool:
        return False


MISSING = _Missing()


def walk(value: object, path: str) -> Any:  # noqa: ANN401 - whatever is there
    """What stands at a path such as ``_source.body`` or ``items.0.text``; else `MISSING`."""
    if isinstance(value, Mapping) and path in value:  # a name that holds a dot itself
        return value[path]
    name, _, rest = path.partition(".")
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if not re.fullmatch(r"[0-9]{1,9}", name) or int(name) >= len(value):
            return MISSING
        found = value[int(name)]
    else:
        inside = value if isinstance(value, Mapping) else attributes(value)
        if inside is None or name not in inside:
            return MISSING
        found = inside[name]
    return walk(found, rest) if rest else found


def _listed(value: object, most: int, where: str) -> tuple[list[Any], int]:
    if is_rows(value):
        return rows(value, most), len(value)  # type: ignore[arg-type]
    if isinstance(value, str | bytes | bool | int | float | Mapping):
        at = f" at {where}" if where else ""
        raise AnswerNotUnderstood(
            f"There is {_kind(value)}{at} and no list of hits.",
            hint="Say where the list of hits is.",
        )
    if isinstance(value, Sequence):
        # One more than wanted was taken of what may have no end.
        return list(islice(value, most)), len(value) if len(value) != most + 1 else -1
    if isinstance(value, Iterable):
        taken = list(islice(value, most + 1))
        return taken[:most], len(taken) if len(taken) <= most else -1
    raise AnswerNotUnderstood(f"There is {_kind(value)} and no list of hits.")


def _scores(value: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Document ids and scores as evaluation tools have them, best first; [] where it is none.

    One without a number comes last: it has no score, and is no reason to drop those of the others.
    """
    known = {"took", "total", "count", "k", "score", "id", "page", "start", "end"}
    if known & {str(k) for k in value}:
        return []
    numbers, words, empty = [], [], []
    for name, cell in ((name, plain(cell)) for name, cell in value.items()):
        if is_nothing(cell):
            empty.append((name, None))
        elif isinstance(cell, int | float) and not isinstance(cell, bool):
            numbers.append((name, cell))
        elif isinstance(cell, str):
            words.append((name, cell))
        else:
            return []
    if not numbers or 2 * len(words) > len(numbers):
        return []
    return [*sorted(numbers, key=lambda item: -item[1]), *words, *empty]


def _kind(value: object) -> str:
    if value is None:
        return "nothing (None)"
    if isinstance(value, str | bytes):
        return "a text"
    if isinstance(value, bool | int | float):
        return f"{value!r}"
    if isinstance(value, Mapping):
        return "an object"
    return f"a {type(value).__name__}"


def _held(value: object) -> str:
    inside = attributes(value)
    if inside is None:
        return "a list" if isinstance(value, Sequence) and not isinstance(value, str) else "nothing"
    names = list(inside)
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return (", ".join(n[:40] for n in names[:20]) or "nothing") + more
