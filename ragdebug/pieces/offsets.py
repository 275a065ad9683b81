"""What offsets of another system count, found out by where they lead.

The other system may have counted UTF-16 units (JavaScript, Java), bytes, or line ends of two
characters. One reading holds for a whole document, and a reading fits a piece when the piece's own
text stands there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.pieces.folds import codes_of, seen
from ragdebug.pieces.found import Found
from ragdebug.pieces.records import GivenPiece
from ragdebug.records import Page

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fitting:
    """The reading that fits most pieces: piece -> position in its `Found`, and a note on it."""

    places: Mapping[int, int]
    note: str = ""


def fit_offsets(
    text: str, pieces: Sequence[GivenPiece], found: Sequence[Found | None], pages: Sequence[Page]
) -> Fitting:
    """Read offsets as code points, or as what fits more pieces.

    Args:
        text: the canonical text.
        pieces: all pieces of the document.
        found: where each one's text stands.
        pages: for offsets that count from the start of a page.
    """
    given = [i for i, p in enumerate(pieces) if has_offset(p) and found[i] is not None]
    best = Fitting({})
    if not given:
        return best
    codes = codes_of(text)
    shown = seen(text)
    offsets = np.array([min(pieces[i].start or 0, 2**62) for i in given], np.int64)
    starts = {p.number: p.start for p in pages}
    bases = np.array([starts.get(pieces[i].page or 0, -1) for i in given], np.int64)
    for positions, note in _readings(codes, offsets, bases):
        # What stands there begins at the first character that is no white space.
        after = np.searchsorted(shown, positions)
        at = np.where(positions >= 0, np.append(shown, -1)[after], -1)
        places: dict[int, int] = {}
        for i, start in zip(given, at.tolist(), strict=True):
            one = found[i]
            assert one is not None
            place = bisect_left(one.starts, start)
            if start >= 0 and place < len(one) and one.starts[place] == start:
                places[i] = place
        if len(places) > len(best.places):
            best = Fitting(places, note)
        if len(places) == len(given):
            break
    return best


def has_offset(piece: GivenPiece) -> bool:
    """Whether a piece says where it begins; LangChain writes -1 when it does not know."""
    return piece.start is not None and piece.start >= 0


def _readings(codes: NDArray[np.uint32], offsets: Ints, bases: Ints) -> Iterator[tuple[Ints, str]]:
    """Code points meant by offsets, -1 for none, and a note; the likeliest reading first."""
    units = [(np.ones(len(codes), np.int64), "", 1)]
    if (codes > 0xFFFF).any():
        units.append((1 + (codes > 0xFFFF).astype(np.int64), "UTF-16 units", 1))
    if (codes > 0x7F).any():
        widths = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)
        units.append((widths, "bytes of UTF-8", 3))
    lines = (codes == ord("\n")).astype(np.int64)
    for mark in (False, True):
        for long_ends in (False, True) if lines.any() else (False,):
            for widths, what, mark_width in units:
                at = np.cumsum(np.append(0, widths + lines if long_ends else widths))
                parts = [what or "characters"]
                parts += ["of a text whose line ends are two characters"] * long_ends
                parts += ["after a byte order mark"] * mark
                plain = not what and not long_ends and not mark
                note = "" if plain else f"Its offsets count {', '.join(parts)}."
                wanted = offsets - mark_width * mark
                yield np.where(wanted >= 0, np.searchsorted(at, wanted), -1), note
    if (bases >= 0).any():
        inside = np.where(bases >= 0, bases + np.minimum(offsets, len(codes)), -1)
        yield inside, "Its offsets count from the start of its page."
