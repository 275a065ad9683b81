"""Which of its places a piece is meant to have.

Exports list pieces in reading order, so a piece stands after the one before it. Pieces with few
places show whether a file does: those on the longest rising chain keep to the order, and say
between which places each piece in between must lie. Of what is then still open, the place that goes
on where the piece before it ends is taken. Without order, places that nobody has come first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median_low

from ragdebug.pieces.found import Found

_FEW = 8  # places of a piece that tells something about the order
_ORDERED = 0.6  # share of those that must keep to it; by chance it is near zero
_LOOKED_AT = 64  # places around the likeliest that are compared letter by letter

SEVERAL = "It stands in several places, and nothing but the order of the pieces says which."
TOO_OFTEN = "The file has this text more often than the document; it shares its last place there."


@dataclass(frozen=True, slots=True)
class Options:
    """Places a piece may have: a slice of where its text stands, never empty."""

    found: Found
    low: int
    high: int

    def after(self, start: int, end: int) -> int:
        """The first place that begins and ends later, or `high`."""
        f = self.found
        return max(
            bisect_right(f.starts, start, self.low, self.high),
            bisect_right(f.ends, end, self.low, self.high),
        )

    def before(self, start: int, end: int) -> int:
        """The last place that begins and ends earlier, or `low` - 1."""
        f = self.found
        return -1 + min(
            bisect_left(f.starts, start, self.low, self.high),
            bisect_left(f.ends, end, self.low, self.high),
        )


@dataclass(frozen=True, slots=True)
class Pick:
    """The place of a piece, as a position in its `Found`, and what is to be said about it."""

    place: int
    note: str = ""


Exact = Callable[[int, int], bool]
_Slots = dict[int, int]  # piece -> a position in its `Found`


def choose(
    options: Sequence[Options | None], exact: Exact, next_seen: Callable[[int], int]
) -> list[Pick | None]:
    """Choose a place for each piece that has any.

    Args:
        options: of each piece, in the order of the file.
        exact: whether (piece, place) is the piece's very text.
        next_seen: the first position from one on that is not blank.
    """
    picks: list[Pick | None] = [None] * len(options)
    bounds = _bounds(options)
    if bounds:
        for piece, chosen in _tightest(options, bounds, exact, next_seen).items():
            picks[piece] = chosen
    for option, pick in zip(options, picks, strict=True):
        if option is not None and pick is not None:
            option.found.used.add(option.found.starts[pick.place])
    free = _Free()
    for piece, option in enumerate(options):
        if option is not None and picks[piece] is None:
            picks[piece] = free.take(piece, option, exact)
    return picks


# Order --------------------------------------------------------------------------------------------


def _bounds(options: Sequence[Options | None]) -> _Slots:
    """The pieces that keep to the order, with the latest place each may have; {} without order."""
    few = [i for i, o in enumerate(options) if o is not None and o.high - o.low <= _FEW]
    chain = _longest_chain(options, few)
    if len(chain) < _ORDERED * len(few):
        return {}
    latest = _latest(options, chain)
    # The others take part where they fit between.
    kept: list[int] = []
    start = end = -1
    following = sorted(latest)
    ahead = 0
    for piece, option in enumerate(options):
        if option is None:
            continue
        while ahead < len(following) and following[ahead] <= piece:
            ahead += 1
        place = option.after(start, end)
        if place >= option.high:
            continue
        new_start, new_end = option.found.starts[place], option.found.ends[place]
        if ahead < len(following):
            bound = options[following[ahead]]
            assert bound is not None
            last = latest[following[ahead]]
            if new_start >= bound.found.starts[last] or new_end >= bound.found.ends[last]:
                continue
        kept.append(piece)
        start, end = new_start, new_end
    return _latest(options, kept)


def _longest_chain(options: Sequence[Options | None], few: Sequence[int]) -> list[int]:
    """The most pieces that can have rising places at the same time (Hunt and Szymanski, 1977)."""
    tails: list[int] = []
    links: list[tuple[int, object]] = []
    for piece in few:
        option = options[piece]
        assert option is not None
        # From the last place back, so that a piece is in a chain once.
        for place in range(option.high - 1, option.low - 1, -1):
            start = option.found.starts[place]
            at = bisect_left(tails, start)
            link = (piece, links[at - 1] if at else None)
            if at == len(tails):
                tails.append(start)
                links.append(link)
            elif start < tails[at]:  # of two pieces with one place, the first in the file has it
                tails[at], links[at] = start, link
    chain: list[int] = []
    step: object = links[-1] if links else None
    while isinstance(step, tuple):
        chain.append(step[0])
        step = step[1]
    return chain[::-1]


def _latest(options: Sequence[Options | None], pieces: Sequence[int]) -> _Slots:
    """The latest place of each piece that leaves room for those after it."""
    latest: _Slots = {}
    start = end = 1 << 62
    for piece in reversed(pieces):
        option = options[piece]
        assert option is not None
        place = option.before(start, end)
        if place >= option.low:
            latest[piece] = place
            start, end = option.found.starts[place], option.found.ends[place]
    return latest


def _tightest(
    options: Sequence[Options | None],
    latest: _Slots,
    exact: Exact,
    next_seen: Callable[[int], int],
) -> dict[int, Pick]:
    """Places in order that leave the least between one piece and the next."""
    overlap = _usual_overlap(options, latest)
    picks: dict[int, Pick] = {}
    start = end = -1
    for piece in sorted(latest):
        option = options[piece]
        assert option is not None
        found, low, high = option.found, option.after(start, end), latest[piece]
        place, note = high, ""
        if low < high:
            goes_on = next_seen(max(0, end))
            # A piece by itself need not be the one that begins the text.
            expected = -1 if len(latest) == 1 else max(0, end - overlap) if overlap else goes_on
            place = _nearest(found, low, high, expected, exact, piece)
            note = SEVERAL if expected < 0 or found.starts[place] > goes_on else ""
        picks[piece] = Pick(place, note)
        start, end = found.starts[place], found.ends[place]
    return picks


def _nearest(found: Found, low: int, high: int, expected: int, exact: Exact, piece: int) -> int:
    """The place that begins where expected, else the nearest exact one, else the nearest."""
    at = bisect_left(found.starts, expected, low, high)
    if found.starts[at] == expected:
        return at
    near = range(max(low, at - _LOOKED_AT), min(high, at + _LOOKED_AT) + 1)
    ranked = sorted(near, key=lambda p: abs(found.starts[p] - expected))
    return next((p for p in ranked if exact(piece, p)), ranked[0])


def _usual_overlap(options: Sequence[Options | None], latest: _Slots) -> int:
    """Code points a piece shares with the one before it, where neither has a choice: the median."""
    overlaps: list[int] = []
    start = end = -1
    sure = False
    for piece in sorted(latest):
        option = options[piece]
        assert option is not None
        place = option.after(start, end)
        start_before, end_before, sure_before = start, end, sure
        start, end = option.found.starts[place], option.found.ends[place]
        sure = place == latest[piece]
        if sure and sure_before and start_before >= 0:
            overlaps.append(max(0, end_before - start))
    return median_low(overlaps) if overlaps else 0


# Without order ------------------------------------------------------------------------------------


class _Free:
    """Places that no piece has yet, each looked at a bounded number of times."""

    def __init__(self) -> None:
        self._next: dict[tuple[int, int], int] = {}

    def take(self, piece: int, option: Options, exact: Exact) -> Pick:
        found = option.found
        key = (id(found), option.low)
        at = self._next.get(key, option.low)
        while at < option.high and found.starts[at] in found.used:
            at += 1
        self._next[key] = at
        if at >= option.high:
            return Pick(option.high - 1, TOO_OFTEN)
        near = range(at, min(option.high, at + _LOOKED_AT))
        free = [p for p in near if found.starts[p] not in found.used]
        place = next((p for p in free if exact(piece, p)), free[0])
        found.used.add(found.starts[place])
        return Pick(place, SEVERAL if free[1:] else "")
