"""Hits of an answer as pieces: which field is the text, which the source, the id, the score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ragdebug.errors import AnswerNotUnderstood
from ragdebug.pieces import GivenPiece
from ragdebug.pieces.flat import flat, metadata
from ragdebug.pieces.names import NAMES, WRAPPERS, as_page, as_position, is_nothing
from ragdebug.searchers.finding import MISSING, hits_in, walk
from ragdebug.searchers.plain import plain
from ragdebug.searchers.records import FoundHit, Understood

SCORES = (
    "score _score relevance_score similarity similarity_score rerank_score @search.score "
    "@search.reranker_score relevance certainty confidence _rankingScore cosine_similarity"
).split()
DISTANCES = "distance _distance dist __nn_distance".split()
SAMPLE = 50  # hits that are looked at before the fields are chosen
_ROLES: Mapping[str, Sequence[str]] = {
    **{role: NAMES[role] for role in ("text", "source", "id", "page", "start", "end")},
    "score": SCORES,
}
# Nothing of a document's: how the record itself is stored.
_OWN = ("type", "index", "_index", "vector", "embedding", "version", "shard_key", "order_value")


def understand(
    value: object, path: str, fields: Mapping[str, str], most: int, asked: int
) -> Understood:
    """Read the hits of an answer.

    Args:
        value: plain values, or whatever objects a function returned.
        path: where the hits stand; "" to look for them.
        fields: role -> path in a hit; roles not given are guessed.
        most: no more hits are read.
        asked: how many were wanted.

    Raises:
        AnswerNotUnderstood: no hits can be made of it.
    """
    found, returned, where = hits_in(value, path, most)
    hits = [_as_mapping(hit) for hit in found]
    rows = [flat(hit) or {} for hit in hits]
    chosen = dict(fields)
    for role, names in _ROLES.items():
        if role not in fields and (guess := _guess(role, names, rows, chosen)):
            chosen[role] = guess
    chosen = {role: name for role, name in chosen.items() if name}
    notes = _wrong_paths(fields, hits)
    made = [
        _hit(hit, row, _of_its_own(row, chosen, fields))
        for hit, row in zip(hits, rows, strict=True)
    ]
    kept = [hit for hit in made if hit is not None]
    if hits and not kept:
        seen = list(dict.fromkeys(name for row in rows[:SAMPLE] for name in row))
        raise AnswerNotUnderstood(
            "No hit has a text, an id or a source that was recognised. The hits hold"
            f" {', '.join(n[:40] for n in seen[:20]) or 'nothing'}.",
            hint="Say which field is which, such as text=_source.body.",
        )
    notes += _notes(hits, kept, returned, most, asked, chosen, rows)
    taken = set(chosen.values())
    unused = [n for n in dict.fromkeys(n for row in rows[:SAMPLE] for n in row) if n not in taken]
    return Understood(tuple(kept), returned, where, chosen, tuple(unused), tuple(notes))


def _as_mapping(hit: object) -> dict[str, Any]:
    """A hit as a mapping; of a pair such as (document, score) with both together."""
    value = plain(hit)
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, dict):
        node = value.get("node")  # LlamaIndex' NodeWithScore
        if isinstance(node, dict) and "score" in value:
            return {**node, **{k: v for k, v in value.items() if k != "node"}}
        return value
    if not isinstance(value, list):
        return {}
    made: dict[str, Any] = {}
    words: list[str] = []
    for part in value:
        if isinstance(part, dict):
            made |= {k: v for k, v in part.items() if k not in made}
        elif isinstance(part, bool) or part is None:
            continue
        elif isinstance(part, int | float):
            made.setdefault("score", part)
        elif isinstance(part, str):
            words.append(part)
    if words and not any(name in made for name in ("text", "page_content", "content")):
        made["text"] = max(words, key=len)
        words.remove(made["text"])
    if words:
        made.setdefault("id", words[0])
    if len(words) > 1:
        made.setdefault("source", words[1])
    return made


def _guess(
    role: str, names: Sequence[str], rows: Sequence[Mapping[str, object]], taken: Mapping[str, str]
) -> str:
    """The likeliest column of a role; what lies outside comes first."""
    seen = dict.fromkeys(n for row in rows[:SAMPLE] for n in row)
    bare: dict[str, list[str]] = {}
    for column in sorted((n for n in seen if n not in taken.values()), key=lambda n: n.count(".")):
        bare.setdefault(_bare(column), []).append(column)
    for name in names:
        for column in bare.get(name.lower(), ()):
            there = [row[column] for row in rows[:SAMPLE] if not is_nothing(row.get(column))]
            if there and all(_fits(role, v) for v in there[:5]):
                return column
    return ""


def _of_its_own(
    row: Mapping[str, object], chosen: Mapping[str, str], given: Mapping[str, str]
) -> Mapping[str, str]:
    """The fields of all hits; one of another form has its text where it has it."""
    if "text" in given or not is_nothing(row.get(chosen.get("text", ""))):
        return chosen
    others = {role: name for role, name in chosen.items() if role != "text"}
    return {**others, "text": _guess("text", _ROLES["text"], [row], others)}


def _bare(column: str) -> str:
    """A column's name without what it is packed into."""
    parts = column.strip().lower().replace("-", "_").split(".")
    while len(parts) > 1 and parts[0] in WRAPPERS:
        del parts[0]
    return ".".join(parts)


def _fits(role: str, value: object) -> bool:
    if role == "text":
        return isinstance(value, str) or _is_texts(value)
    if role == "score":
        return _number(value) is not None
    if role in ("start", "end"):
        return as_position(value) is not None or value == -1
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def _hit(
    hit: Mapping[str, Any], row: Mapping[str, object], fields: Mapping[str, str]
) -> FoundHit | None:
    def at(role: str) -> object:
        path = fields.get(role)
        if not path:
            return None
        value = row[path] if path in row else walk(hit, path)
        return None if value is MISSING else value

    def words(role: str) -> str:
        value = at(role)
        if _is_texts(value):
            return "\n".join(value)  # type: ignore[arg-type]
        return "" if is_nothing(value) or isinstance(value, list | dict) else str(value)

    text, source, own = words("text"), words("source").strip(), words("id").strip()
    if not (text.strip() or source or own):
        return None
    start, end = as_position(at("start")), as_position(at("end"))
    score = _number(at("score"))
    piece = GivenPiece(
        text=text,
        source=source,
        id=own,
        page=as_page(at("page")) or None,
        start=start if end is None or start is not None and start <= end else None,
        end=end if start is None or end is not None and start <= end else None,
        metadata=_metadata(hit, row, fields),
    )
    return FoundHit(piece, math.nan if score is None else score)


def _metadata(
    hit: Mapping[str, Any], row: Mapping[str, object], fields: Mapping[str, str]
) -> dict[str, str]:
    """Everything that has no role; of a field that is named for it, what is in there."""
    if path := fields.get("metadata"):
        inside = walk(hit, path)
        return metadata(flat(inside) or {}, frozenset()) if isinstance(inside, dict) else {}
    taken = frozenset({*fields.values(), *(n for n in row if _bare(n) in _OWN)})
    return metadata(row, taken)


def _number(value: object) -> float | None:
    """A finite number, also written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _wrong_paths(fields: Mapping[str, str], hits: Sequence[Mapping[str, Any]]) -> list[str]:
    """Sentences on fields that were named and that no hit has."""
    return [
        f"No hit has the field {path}, which should be the {role}."
        for role, path in fields.items()
        if path and hits and all(walk(hit, path) is MISSING for hit in hits)
    ]


def _notes(
    hits: Sequence[Mapping[str, Any]],
    kept: Sequence[FoundHit],
    returned: int,
    most: int,
    asked: int,
    fields: Mapping[str, str],
    rows: Sequence[Mapping[str, object]],
) -> list[str]:
    notes = []
    if returned < 0 or returned > most:
        many = f"{returned:,}" if returned > 0 else f"More than {most:,}"
        notes.append(f"{many} hits came where {asked:,} were asked for; {most:,} were read.")
    if lost := len(hits) - len(kept):
        notes.append(f"{lost:,} of {len(hits):,} hits have neither text nor id nor source.")
    keys = [(h.piece.text, h.piece.source, h.piece.id, h.piece.page, h.piece.start) for h in kept]
    if twice := len(keys) - len(set(keys)):
        notes.append(f"{twice:,} of {len(kept):,} hits came twice.")
    scores = [h.score for h in kept if not math.isnan(h.score)]
    if "score" in fields and len(scores) < len(kept):
        notes.append(f"{len(kept) - len(scores):,} of {len(kept):,} hits have no number as score.")
    if len(scores) > 1 and scores == sorted(scores) and scores[0] < scores[-1]:
        notes.append("The scores rise along the list; its order was kept. Are they distances?")
    elif any(a < b for a, b in zip(scores, scores[1:], strict=False)):
        notes.append("The hits are not in the order of their scores; the order was kept.")
    if "score" not in fields and any(_bare(n) in DISTANCES for row in rows[:1] for n in row):
        notes.append("Distances came and no scores; the order was kept, and no score is shown.")
    return notes
