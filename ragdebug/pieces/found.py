"""All places where the texts of pieces stand, by the strictest comparison that finds any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ragdebug.pieces.folds import View, folded, joined, raw
from ragdebug.pieces.occurrences import Ints, occurrences

NO_BLANKS = "Found without regard to white space at tabs and line ends."
NO_CASE = "Found without regard to capital letters."


@dataclass(slots=True)
class Found:
    """Where one text stands; places ascending in both ends, which are trimmed.

    Attributes:
        starts: first code points.
        ends: one past the last.
        note: what was overlooked to find it.
        used: starts that pieces have taken.
    """

    starts: list[int]
    ends: list[int]
    note: str = ""
    used: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.starts)


def find_all(text: str, wanted: Sequence[str]) -> list[Found | None]:
    """Find distinct texts, trimmed and not empty; None for one that stands nowhere.

    Compared with white space and typography folded, as they are, without any white space, and then
    without case. Texts that are equal so far share one `Found`.
    """
    result: list[Found | None] = [None] * len(wanted)
    left = list(range(len(wanted)))
    for ours, theirs, begins, ends, note in _levels(text, wanted):
        # What is longer than the text is not looked for: it would take the time of its length.
        there = [i for i in left if 0 < ends[i] - begins[i] <= len(ours.codes)]
        # Texts stand in `theirs` in their order, so what is left is in order too.
        for i, found in zip(there, _search(ours, theirs, begins[there], ends[there]), strict=True):
            if found is not None:
                found.note = note
                result[i] = found
        left = [i for i in left if result[i] is None]
        if not left:
            break
    return result


def _levels(text: str, wanted: Sequence[str]) -> Iterator[tuple[View, View, Ints, Ints, str]]:
    """Text, wanted texts, where each begins and ends among them, and what was overlooked."""
    together, begins, ends = joined(wanted)

    def level(ours: View, theirs: View, note: str) -> tuple[View, View, Ints, Ints, str]:
        low = np.searchsorted(theirs.starts, begins).astype(np.int64)
        return ours, theirs, low, np.searchsorted(theirs.starts, ends).astype(np.int64), note

    ours, theirs = folded(text), folded(together)
    yield level(ours, theirs, "")
    # A piece may begin or end between a letter and its mark, or inside of what is folded to one.
    yield level(raw(text), raw(together), "")
    ours_solid, theirs_solid = ours.without_blanks(), theirs.without_blanks()
    yield level(ours_solid, theirs_solid, NO_BLANKS)
    yield level(ours.without_case(), theirs.without_case(), NO_CASE)
    both = f"{NO_CASE} {NO_BLANKS}"
    yield level(ours_solid.without_case(), theirs_solid.without_case(), both)


def _search(ours: View, theirs: View, begins: Ints, ends: Ints) -> Iterator[Found | None]:
    found = occurrences(ours.codes, theirs.codes, begins, ends)
    whole = np.ones(len(ours.codes) + 1, bool)  # whether a span may begin or end here
    whole[1:-1] = ours.starts[1:] != ours.starts[:-1]
    gaps = None
    if ours.tight is not None and theirs.tight is not None:
        gaps = (
            ours.tight + 2 * ours.loose.view(np.uint8),
            theirs.tight + 2 * theirs.loose.view(np.uint8),
        )
    shared: dict[int, Found | None] = {}
    for string, group in enumerate(found.group.tolist()):
        places = found.of(string)
        begin, end = int(begins[string]), int(ends[string])
        size = end - begin
        if not len(places):
            yield None
            continue
        if gaps is None and group in shared:
            yield shared[group]
            continue
        fits = whole[places] & whole[places + size]
        places = places[fits]
        places = places[_equal(ours.codes, places, theirs.codes[begin:end])]
        if gaps is not None:
            places = places[_fitting(gaps[0], places, gaps[1][begin:end])]
        shared[group] = None
        if len(places):
            last = places + size - 1
            shared[group] = Found(ours.starts[places].tolist(), ours.ends[last].tolist())
        yield shared[group]


def _equal(
    codes: NDArray[np.uint32], places: Ints, wanted: NDArray[np.uint32]
) -> NDArray[np.bool_]:
    """At which places a string really stands: places were found by hashes."""
    if len(places) <= len(wanted):
        size = len(wanted)
        return np.array([np.array_equal(codes[p : p + size], wanted) for p in places], bool)
    good = np.ones(len(places), bool)
    for at, code in enumerate(wanted):
        good &= codes[places + at] == code
    return good


def _fitting(gaps: NDArray[np.uint8], places: Ints, wanted: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """At which places white space differs only where some of it is more than plain spaces.

    A gap before a code point is 0 (none), 1 (spaces alone) or 2 (a line end, tab or the like).
    Words that were run together or apart, 0 against 1, are other words.
    """
    if len(places) <= len(wanted):
        size = len(wanted)
        return np.array(
            [not (gaps[p + 1 : p + size] + wanted[1:] == 1).any() for p in places], bool
        )
    good = np.ones(len(places), bool)
    for at in range(1, len(wanted)):
        good &= gaps[places + at] + wanted[at] != 1
    return good
