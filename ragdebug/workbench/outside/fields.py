"""Hits of another system as records: which field holds text, id, score, source, page, offsets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragdebug.pieces import GivenPiece
from ragdebug.pieces.flat import flat, metadata
from ragdebug.pieces.names import NAMES, WRAPPERS, as_page, as_position, is_nothing
from ragdebug.workbench.outside.answers import ReturnedHit

Row = Mapping[str, object]

# Besides the names of pieces, those that engines and libraries use for hits.
_MORE: Mapping[str, tuple[str, ...]] = {
    "text": ("highlight", "page_text", "answer"),
    "source": ("docno", "document_title", "location", "link", "object_id"),
    "id": ("docno", "object_id", "index", "corpus_id"),
    "score": tuple(
        "relevance_score rerank_score @search.reranker_score score _score relevance similarity "
        "similarity_score certainty ranking_score _ranking_score @search.score text_match "
        "confidence cross_encoder_score rrf_score weight".split()
    ),
    "distance": ("distance", "_distance", "dist", "cosine_distance", "vector_distance"),
    "rank": ("rank", "position"),
}
_WRAPPERS = WRAPPERS | frozenset(
    "_additional additional content location s3_location fields value doc".split()
)
_ROLES = ("score", "distance", "text", "id", "source", "page", "start", "end")
_NAMED = frozenset(("document", "doc", "chunk", "passage"))  # a text or only what it is called
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SAMPLE = 200


@dataclass(frozen=True, slots=True)
class Read:
    """Hits, and the role -> field that was taken for it."""

    hits: tuple[ReturnedHit, ...]
    columns: Mapping[str, str]

    @property
    def kind(self) -> str:
        """What their scores are: ``score``, ``distance``, or "" without any."""
        return next((k for k in ("score", "distance") if k in self.columns), "")


def read_hits(records: Sequence[object]) -> Read:
    """Hits of records: objects, pairs with a score, texts or ids; in their order.

    A record that holds nothing to find a hit by has an empty piece, which keeps its rank.
    """
    rows = rows_of(records)
    columns = roles(rows)
    return Read(hits_of(rows, columns), columns)


def hits_of(rows: Sequence[Row], columns: Mapping[str, str]) -> tuple[ReturnedHit, ...]:
    """Rows as hits. Pages that count from 0 are made one larger."""
    first = 1 if any(as_position(row.get(columns.get("page", ""))) == 0 for row in rows) else 0
    return tuple(_hit(row, columns, first) for row in rows)


def rows_of(records: Sequence[object]) -> list[Row]:
    """Records as flat rows."""
    words = [r for r in map(_unpaired, records) if isinstance(r[0], str)]
    long = any(len(w.split()) > 2 for w, _ in words if isinstance(w, str))
    return [_row(record, "text" if long else "id") for record in records]


def roles(rows: Sequence[Row]) -> dict[str, str]:
    """Role -> field, guessed from what the first rows hold."""
    some = rows[:_SAMPLE]
    seen = sorted(dict.fromkeys(c for row in some for c in row), key=lambda c: c.count("."))
    found: dict[str, str] = {}
    for role in _ROLES:
        if role == "distance" and "score" in found:
            continue
        free = [c for c in seen if c not in found.values()]
        if column := _guess(role, some, free):
            found[role] = column
    return found


def _hit(row: Row, columns: Mapping[str, str], first: int) -> ReturnedHit:

    def words(role: str) -> str:
        value = row.get(columns.get(role, ""))
        if is_nothing(value):
            return ""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return str(value).strip() if role != "text" else str(value)

    def position(role: str) -> int | None:
        value = row.get(columns.get(role, ""))
        return as_page(value) if role == "page" else as_position(value)

    kind = next((k for k in ("score", "distance") if k in columns), "")
    page = position("page")
    return ReturnedHit(
        GivenPiece(
            text=words("text"),
            source=words("source"),
            id=words("id"),
            page=None if page is None else page + first,
            start=position("start"),
            end=position("end"),
            metadata=metadata(row, frozenset((*columns.values(), *_ranks(row)))),
        ),
        number(row.get(columns.get(kind, ""))),
    )


def number(value: object) -> float:
    """A score; NaN where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return math.nan
    try:
        made = float(value)
    except (ValueError, OverflowError):
        return math.nan
    return made if math.isfinite(made) else math.nan


def column_of(role: str, seen: Iterable[str]) -> str:
    """The first field whose name is one of a role's, "" where none is."""
    bare = {_bare(c): c for c in reversed(list(seen))}
    return next((bare[name] for name in _names(role) if name in bare), "")


def _names(role: str) -> tuple[str, ...]:
    return (*NAMES.get(role, ()), *_MORE.get(role, ()))


def _ranks(row: Row) -> list[str]:
    return [c for c in row if _bare(c) in _MORE["rank"]]


def _unpaired(record: object) -> tuple[object, object]:
    """What a pair of hit and score holds; a score of None where it is no pair."""
    if isinstance(record, list | tuple) and len(record) == 2:
        one, other = record
        if _is_number(one) and not _is_number(other):
            return other, one
        if _is_number(other):
            return one, other
    return record, None


def _row(record: object, bare: str) -> Row:
    inside, score = _unpaired(record)
    if isinstance(inside, str | int | float) and not isinstance(inside, bool):
        row: dict[str, object] = {bare if isinstance(inside, str) else "id": inside}
    else:
        row = flat(_simple(inside)) or {}
    return row if score is None else {**row, "score": score}


def _simple(record: object) -> object:
    """A record whose lists of text parts, as OpenAI gives them, are one text."""
    if not isinstance(record, Mapping):
        return record
    made = {}
    for name, value in record.items():
        if isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value):
            parts = [v["text"] for v in value if isinstance(v.get("text"), str)]
            made[name] = "\n".join(parts) if len(parts) == len(value) else value
        elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            made[name] = value[0]  # Solr's and Elasticsearch's fields
        else:
            made[name] = value
    return made


def _guess(role: str, rows: Sequence[Row], seen: Sequence[str]) -> str:
    bare: dict[str, list[str]] = {}
    for column in seen:
        bare.setdefault(_bare(column), []).append(column)
    for known in _names(role):
        for column in bare.get(known, ()):
            there = [row[column] for row in rows if not is_nothing(row.get(column))]
            if not there or not all(_FITS[role](v) for v in there[:5]):
                continue
            short = all(len(str(v).split()) < 3 for v in there)
            if role == "text" and known in _NAMED and short:
                continue  # a name of it, not its words
            return column
    return ""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_name(value: object) -> bool:
    return isinstance(value, str) or _is_number(value)


def _is_score(value: object) -> bool:
    return not math.isnan(number(value))


_FITS: Mapping[str, Callable[[object], bool]] = {
    "score": _is_score,
    "distance": _is_score,
    "text": lambda v: isinstance(v, str),
    "id": _is_name,
    "source": _is_name,
    "page": lambda v: as_position(v) is not None,
    "start": lambda v: as_position(v) is not None,
    "end": lambda v: as_position(v) is not None,
}


def _bare(column: str) -> str:
    """A field's name in small letters, without what it is packed into."""
    plain = _HUMP.sub("_", column.strip()).lower().replace(" ", "_").replace("-", "_")
    if plain.startswith("@search."):
        return plain
    parts = plain.split(".")
    while len(parts) > 1 and parts[0] in _WRAPPERS:
        del parts[0]
    return ".".join(parts)
