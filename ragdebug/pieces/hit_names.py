"""Which field of a hit holds what: the names that engines and libraries use."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from ragdebug.pieces.names import (
    FITS,
    NAMES,
    SAMPLE,
    WRAPPERS,
    as_page,
    bare_name,
    is_nothing,
    is_scalar,
    is_text,
    likeliest,
    plain_name,
)

Row = Mapping[str, object]

# Besides the names of pieces. The score that a list is sorted by comes first: a reranker's.
_MORE: Mapping[str, tuple[str, ...]] = {
    "text": ("highlight", "page_text", "answer"),
    "source": ("docno", "document_title", "location", "link", "object_id"),
    "id": ("docno", "object_id", "index", "corpus_id"),
    "score": tuple(
        "relevance_score rerank_score @search.reranker_score score _score relevance similarity "
        "similarity_score certainty ranking_score _ranking_score @search.score text_match "
        "confidence cross_encoder_score rrf_score cosine_similarity weight".split()
    ),
    "distance": tuple(
        "distance _distance dist __nn_distance cosine_distance vector_distance".split()
    ),
    "rank": ("rank", "position"),
}
_WRAPPERS = WRAPPERS | frozenset(
    "_additional additional content location s3_location fields value doc".split()
)
_ROLES = ("score", "distance", "text", "id", "source", "page", "start", "end")
_NAMED = frozenset(("document", "doc", "chunk", "passage"))  # a text or only what it is called
# Nothing of a document's: how an engine keeps the record.
_OWN = frozenset("type index _index version shard_key order_value".split())
_NO_ROLES: Mapping[str, str] = MappingProxyType({})


def roles(rows: Sequence[Row], given: Mapping[str, str] = _NO_ROLES) -> dict[str, str]:
    """Role -> field, guessed from what the first rows hold; for a role that is given, that one."""
    some = rows[:SAMPLE]
    seen = dict.fromkeys(c for row in some for c in row)
    found = dict(given)
    for role in _ROLES:
        if role in found or (role == "distance" and "score" in found):
            continue
        if column := _guess(role, some, [c for c in seen if c not in found.values()]):
            found[role] = column
    if not found.keys() & {"score", "distance"} and (column := _some_scores(some, found)):
        found["score"] = column
    return found


def own_text(row: Row, columns: Mapping[str, str]) -> Mapping[str, str]:
    """The fields of all hits; one of another form has its text where it has it."""
    if "text" not in columns or not is_nothing(row.get(columns["text"])):
        return columns
    others = {role: name for role, name in columns.items() if role != "text"}
    free = [c for c in row if c not in others.values()]
    return {**others, "text": _guess("text", [row], free)}


def field_of(role: str, seen: Collection[str]) -> str:
    """The first field whose name is one of a role's, "" where none is."""
    return likeliest(_names(role), lambda _: True, [dict.fromkeys(seen, 1)], seen, _WRAPPERS)


@lru_cache(4096)
def is_own(column: str) -> bool:
    """Whether a field says how and where the hit is kept or listed, and nothing of its document."""
    return plain_name(column) in _OWN or _bare(column) in ("vector", "embedding", *_MORE["rank"])


def number(value: object) -> float:
    """A finite number, also one written as text; NaN where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return math.nan
    try:
        made = float(value)
    except (ValueError, OverflowError):
        return math.nan
    return made if math.isfinite(made) else math.nan


def is_texts(value: object) -> bool:
    """Whether it is a list of texts, as Solr has them."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def _guess(role: str, rows: Sequence[Row], seen: Iterable[str]) -> str:
    if role == "text":
        seen = [c for c in seen if not (_bare(c) in _NAMED and _are_short(c, rows))]
    fits = _FITS.get(role, is_scalar)
    return likeliest(_names(role), fits, rows, seen, _WRAPPERS)


def _some_scores(rows: Sequence[Row], found: Mapping[str, str]) -> str:
    """A field of scores most of which are no numbers: the hits that have one keep it."""
    free = [{c: v for c, v in row.items() if c not in found.values()} for row in rows]
    numbers = [{c: v for c, v in row.items() if _is_number(v)} for row in free]
    names = [name for name in _MORE["score"] if "score" in name]
    return likeliest(names, _is_number, numbers, {c for row in numbers for c in row}, _WRAPPERS)


def _are_short(column: str, rows: Iterable[Row]) -> bool:
    """Whether a field holds names and not words."""
    there = (row[column] for row in rows if not is_nothing(row.get(column)))
    return all(len(str(v).split()) < 3 for v in there)


def _names(role: str) -> tuple[str, ...]:
    return (*NAMES.get(role, ()), *_MORE.get(role, ()))


def _bare(column: str) -> str:
    return bare_name(column, _WRAPPERS)


def _is_number(value: object) -> bool:
    return not math.isnan(number(value))


_FITS: Mapping[str, Callable[[object], bool]] = {
    **FITS,
    "text": lambda v: is_text(v) or is_texts(v),
    "score": _is_number,
    "distance": _is_number,
    "page": lambda v: as_page(v) is not None,
}
