"""Hits as flat rows, and rows as pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragdebug.pieces.flat import flat, metadata, unwrapped
from ragdebug.pieces.hit_names import is_own, is_texts
from ragdebug.pieces.names import as_page, as_position, is_nothing
from ragdebug.pieces.records import GivenPiece

Row = Mapping[str, object]


def rows_of(records: Sequence[object]) -> list[Row]:
    """Records as flat rows. Bare words are texts where one of them is longer than ids are."""
    parts = (p for r in records for p in (r if isinstance(r, list | tuple) else (r,)))
    long = any(isinstance(p, str) and len(p.split()) > 2 for p in parts)
    return [row_of(as_object(record, "text" if long else "id")) for record in records]


def as_object(hit: object, bare: str) -> Mapping[str, object]:
    """A hit as an object; of a pair such as (document, score) with what both hold.

    Args:
        hit: plain values.
        bare: what words without a name are: ``text`` or ``id``.
    """
    if isinstance(hit, str):
        return {bare: hit}
    if isinstance(hit, int) and not isinstance(hit, bool):
        return {"id": hit}
    if isinstance(hit, Mapping):
        node = hit.get("node")  # LlamaIndex' NodeWithScore
        if isinstance(node, Mapping) and "score" in hit:
            return {**unwrapped(node), **{k: v for k, v in hit.items() if k != "node"}}
        return hit
    return _of_parts(hit, bare) if isinstance(hit, list | tuple) else {}


def row_of(hit: Mapping[str, object]) -> dict[str, object]:
    """An object as a flat row; a text that is given in parts, as OpenAI does, is one text."""
    return {name: _said(name, value) for name, value in (flat(hit) or {}).items()}


def piece_of(row: Row, columns: Mapping[str, str], first_page: int = 1) -> GivenPiece:
    """A row as a piece; one without text, id and source has nothing to find it by.

    Args:
        row: a flat row.
        columns: role -> field.
        first_page: the number that their first page has; a lower one is none.
    """

    def at(role: str) -> object:
        return row.get(columns[role]) if role in columns else None

    def words(role: str) -> str:
        value = at(role)
        if is_texts(value):
            return "\n".join(value)  # type: ignore[arg-type]
        if is_nothing(value) or isinstance(value, list | tuple | Mapping):
            return ""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return str(value) if role == "text" else str(value).strip()

    page, start, end = as_page(at("page")), as_position(at("start")), as_position(at("end"))
    return GivenPiece(
        text=words("text"),
        source=words("source"),
        id=words("id"),
        page=None if page is None or page < first_page else page - first_page + 1,
        start=start if end is None or start is not None and start <= end else None,
        end=end if start is None or end is not None and start <= end else None,
        metadata=metadata(row, frozenset((*columns.values(), *filter(is_own, row)))),
    )


def usable(piece: GivenPiece) -> bool:
    """Whether there is anything to find a hit by."""
    return bool(piece.text.strip() or piece.id or piece.source)


def _of_parts(parts: Sequence[object], bare: str) -> dict[str, object]:
    made: dict[str, object] = {}
    words: list[str] = []
    for part in parts:
        if isinstance(part, Mapping):
            made |= {k: v for k, v in unwrapped(part).items() if k not in made}
        elif isinstance(part, str):
            words.append(part)
        elif isinstance(part, int | float) and not isinstance(part, bool):
            made.setdefault("score", part)
    if words and bare == "text" and not made.keys() & {"text", "page_content", "content"}:
        longest = max(words, key=len)
        made["text"] = longest
        words.remove(longest)
    for name, word in zip(("id", "source"), words, strict=False):
        made.setdefault(name, word)
    return made


def _said(name: str, value: object) -> object:
    if not isinstance(value, list) or not value:
        return value
    if all(isinstance(v, Mapping) and isinstance(v.get("text"), str) for v in value):
        return "\n".join(v["text"] for v in value)
    if len(value) == 1 and isinstance(value[0], str) and "." not in name.removeprefix("fields."):
        return value[0]  # Solr's and Elasticsearch's fields
    return value
