"""Pieces of a file that is here as records: each that stands in one of them belongs to it.

A span lies in one document, so that a piece that runs through several records has no place.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence

from ragdebug.pieces import GivenPiece, place_pieces
from ragdebug.records import DocumentInfo

SCANNED = 2_000_000_000  # characters looked through at most, for pieces that are parts of records


def records_of(name: str, infos: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """The documents that are records of a file of that name, wherever it lies."""
    tail = name.replace("\\", "/").rpartition("/")[2]
    return [
        info
        for info in infos
        if (file := info.source.rpartition("#")[0]) and file.rpartition("/")[2] == tail
    ]


def in_records(
    pieces: Sequence[GivenPiece], records: Sequence[DocumentInfo], text_of: Callable[[str], str]
) -> dict[int, str]:
    """Position of each piece that stands in one record as a whole -> the record.

    Records of one text are taken in turn by pieces of that text; a part of several records belongs
    to the first of them.
    """
    texts = {info.id: text_of(info.id) for info in records}
    equal: defaultdict[str, deque[str]] = defaultdict(deque)
    for record, text in texts.items():
        equal[_plain(text)].append(record)
    found: dict[int, str] = {}
    for at, piece in enumerate(pieces):
        if (key := _plain(piece.text)) and key in equal:
            found[at] = equal[key][0]
            equal[key].rotate(-1)
    left = [at for at, p in enumerate(pieces) if at not in found and p.text.strip()]
    if len(left) * sum(map(len, texts.values())) > SCANNED:
        return found
    for record, text in texts.items():
        some = [at for at in left if longest_line(pieces[at].text) in text]
        placed = place_pieces(text, [pieces[at] for at in some]) if some else []
        found |= {at: record for at, p in zip(some, placed, strict=True) if p.placed}
        left = [at for at in left if at not in found]
    return found


def longest_line(text: str) -> str:
    """The longest line of a text, cut: other blanks stand between lines, not inside them."""
    return max((line.strip() for line in text.splitlines()), key=len, default="")[:200]


def _plain(text: str) -> str:
    return " ".join(text.split())
