"""Hits of an answer as pieces: which field is the text, which the source, the id, the score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ragdebug.errors import AnswerNotUnderstood
from ragdebug.pieces.flat import flat, metadata
from ragdebug.pieces.hit_names import number, own_text, roles
from ragdebug.pieces.hit_rows import as_object, piece_of, row_of, usable
from ragdebug.searchers.finding import MISSING, hits_in, walk
from ragdebug.searchers.plain import plain
from ragdebug.searchers.records import FoundHit, Understood

_SHOWN = ("text", "source", "id", "page", "start", "end", "score")
SAMPLE = 50  # hits whose fields are named to a person


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
    found, returned, where, said = hits_in(value, path, most, bool(fields))
    # Words that a function returns are texts, be they as short as ids.
    hits = [as_object(plain(hit), "text") for hit in found]
    rows = [row_of(hit) for hit in hits]
    guessed = roles(rows, fields)
    # A searcher's score is one where more is better: a distance is shown as it came.
    chosen = {role: guessed[role] for role in (*fields, *_SHOWN) if guessed.get(role)}
    notes = [*said, *_wrong_paths(fields, hits)]
    own = [chosen if "text" in fields else own_text(row, chosen) for row in rows]
    made = [_hit(*one) for one in zip(hits, rows, own, strict=True)]
    kept = [hit for hit in made if usable(hit.piece)]
    if hits and not kept:
        seen = list(dict.fromkeys(name for row in rows[:SAMPLE] for name in row))
        raise AnswerNotUnderstood(
            "No hit has a text, an id or a source that was recognised. The hits hold"
            f" {', '.join(n[:40] for n in seen[:20]) or 'nothing'}.",
            hint="Say which field is which, such as text=_source.body.",
        )
    notes += _notes(hits, kept, returned, most, asked, chosen, "distance" in guessed)
    taken = set(chosen.values())
    unused = [n for n in dict.fromkeys(n for row in rows[:SAMPLE] for n in row) if n not in taken]
    return Understood(tuple(kept), returned, where, chosen, tuple(unused), tuple(notes))


def _hit(
    hit: Mapping[str, object], row: Mapping[str, object], fields: Mapping[str, str]
) -> FoundHit:
    """A hit by its fields; one that a person names may lie inside of what a row has whole."""
    named = ((path, walk(hit, path)) for path in fields.values() if path not in row)
    row = {**row, **{path: found for path, found in named if found is not MISSING}}
    # Pages stay as they are counted: whether it is from 0 shows in some of the answers only.
    piece = piece_of(row, fields)
    if path := fields.get("metadata"):
        inside = walk(hit, path)
        said = metadata(flat(inside) or {}, frozenset()) if isinstance(inside, dict) else {}
        piece = replace(piece, metadata=said)
    return FoundHit(piece, number(row.get(fields.get("score", ""))))


def _wrong_paths(fields: Mapping[str, str], hits: Sequence[Mapping[str, object]]) -> list[str]:
    """Sentences on fields that were named and that no hit has."""
    return [
        f"No hit has the field {path}, which should be the {role}."
        for role, path in fields.items()
        if path and hits and all(walk(hit, path) is MISSING for hit in hits)
    ]


def _notes(
    hits: Sequence[Mapping[str, object]],
    kept: Sequence[FoundHit],
    returned: int,
    most: int,
    asked: int,
    fields: Mapping[str, str],
    has_distances: bool,
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
    if has_distances:
        notes.append("Distances came and no scores; the order was kept, and no score is shown.")
    return notes
