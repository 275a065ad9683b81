"""Where the pieces of one document stand in its text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ragdebug.pieces.folds import EDGES
from ragdebug.pieces.found import Found, find_all
from ragdebug.pieces.offsets import fit_offsets, has_offset
from ragdebug.pieces.order import Options, choose
from ragdebug.pieces.records import GivenPiece, PiecePlacement
from ragdebug.records import Page

BLANK = "It holds nothing but white space."
NOWHERE = "Its text stands nowhere in the document."
MISFIT = "Its offsets lead elsewhere; it was found by its text."
_SEEN = re.compile(f"[^{re.escape(EDGES)}]")


def place_pieces(
    text: str, pieces: Sequence[GivenPiece], pages: Sequence[Page] = ()
) -> list[PiecePlacement]:
    """Place pieces in the canonical text of the one document they were cut from.

    A piece is placed only where its whole text stands: by its offsets, where they lead to it in
    whatever they count; else letter by letter; else with white space and typography folded, and
    only then without regard to case. Of several places the one is taken that fits the order of the
    pieces, their pages, or is free. Time grows with the text and the pieces, not their product.

    Args:
        text: the canonical text.
        pieces: in the order of their file; `source` is not looked at.
        pages: the document's page map, for pieces that name a page.

    Returns:
        One placement a piece, in the same order.
    """
    given = [_trimmed(p.text) for p in pieces]
    wanted = {t: at for at, t in enumerate(dict.fromkeys(t for t in given if t))}
    places = find_all(text, list(wanted))
    found = [places[wanted[t]] if t else None for t in given]
    fitting = fit_offsets(text, pieces, found, pages)
    numbered = {p.number: p for p in pages}
    options: list[Options | None] = []
    for at, (piece, one) in enumerate(zip(pieces, found, strict=True)):
        if one is None:
            options.append(None)
        elif at in fitting.places:
            options.append(Options(one, fitting.places[at], fitting.places[at] + 1))
        else:
            page = numbered.get(piece.page) if piece.page is not None else None
            options.append(Options(one, *_on_page(one, page)))

    def exact(piece: int, place: int) -> bool:
        one = found[piece]
        assert one is not None
        size = one.ends[place] - one.starts[place]
        return size == len(given[piece]) and text.startswith(given[piece], one.starts[place])

    def next_seen(position: int) -> int:
        match = _SEEN.search(text, position)
        return match.start() if match else len(text)

    result: list[PiecePlacement] = []
    for at, pick in enumerate(choose(options, exact, next_seen)):
        one = found[at]
        if one is None or pick is None:
            result.append(PiecePlacement(-1, -1, "", NOWHERE if given[at] else BLANK))
            continue
        if at in fitting.places:
            how, notes = "offsets", [fitting.note, one.note]
        else:
            how = "exact" if exact(at, pick.place) else "folded"
            notes = [MISFIT if has_offset(pieces[at]) else "", one.note, pick.note]
        note = " ".join(n for n in notes if n)
        result.append(PiecePlacement(one.starts[pick.place], one.ends[pick.place], how, note))
    return result


def _trimmed(text: str) -> str:
    """A piece's text with the line ends of canonical texts, without what its span never has."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.strip(EDGES)


def _on_page(found: Found, page: Page | None) -> tuple[int, int]:
    """From which to which place a text stands on a page; all of them where none does."""
    if page is not None:
        low = bisect_right(found.ends, page.start)
        high = bisect_left(found.starts, page.end)
        if low < high:
            return low, high
    return 0, len(found)
