"""All occurrences of many strings in one, in a time that grows with their lengths alone.

Looking for one string after the other reads the text once for each that is not in it. Here every
window of 1, 2, 4, 8, ... code points gets a number, each from two of half the length (Karp, Miller,
Rosenberg: Rapid identification of repeated patterns, 1972). A string of length m is then known by
the numbers of its first and its last window of the largest such length k <= m, which together
cover it; the text is searched for all first windows at once.

The numbers are hashes of 64 bits: whoever takes a place compares its code points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.pieces.folds import Codes

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_WINDOW = 1 << 17  # code points hashed at a time: what fits into a processor's cache
_TOGETHER = 1 << 21  # pairs of place and length looked at in one go
_MOST_BITS = 22  # of the table that tells at a glance which windows begin nothing


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where strings occur.

    Attributes:
        group: shape (strings,), int64; equal strings have the same.
        first: shape (groups + 1,), int64: a group's places are `places[first[g]:first[g + 1]]`.
        places: shape (p,), int64, ascending within a group; they may overlap.
    """

    group: Ints
    first: Ints
    places: Ints

    def of(self, string: int) -> Ints:
        """The places of one string, ascending."""
        group = self.group[string]
        return self.places[self.first[group] : self.first[group + 1]]


def occurrences(text: Codes, strings: Codes, begins: Ints, ends: Ints) -> Occurrences:
    """Find strings in a text.

    Args:
        text: shape (n,).
        strings: all strings in one array.
        begins: where each begins in `strings`, ascending.
        ends: where each ends; none is empty.
    """
    wanted = _Wanted(strings, begins, ends)
    found: list[tuple[Ints, Ints]] = []
    if wanted.count:
        for low, part, most in _windows(text, wanted.longest):
            for power, hashes in _hashes(part, wanted.powers):
                if power in wanted.first:
                    for group, place in wanted.find(power, hashes, most, len(part)):
                        found.append((group, place + low))
    groups = np.concatenate([np.zeros(0, np.int64), *(g for g, _ in found)])
    places = np.concatenate([np.zeros(0, np.int64), *(p for _, p in found)])
    order = np.lexsort((places, groups))
    first = np.searchsorted(groups[order], np.arange(wanted.count + 1))
    return Occurrences(wanted.group, first, places[order])


class _Wanted:
    """Strings by what they are known by: their first windows, and their keys."""

    def __init__(self, strings: Codes, begins: Ints, ends: Ints) -> None:
        lengths = ends - begins
        powers = np.frexp(lengths.astype(np.float64))[1] - 1
        self.longest = int(lengths.max(initial=0))
        self.powers = int(powers.max(initial=-1)) + 1
        heads, keys = np.zeros(len(lengths), np.uint64), np.zeros(len(lengths), np.uint64)
        for low, high in _batches(begins, ends):
            offset = int(begins[low])
            for power, hashes in _hashes(strings[offset : int(ends[high - 1])], self.powers):
                which = low + np.flatnonzero(powers[low:high] == power)
                heads[which] = hashes[begins[which] - offset]
                tails = hashes[ends[which] - offset - (1 << power)]
                keys[which] = _key(heads[which], tails, lengths[which])
        self.keys, self.group = np.unique(keys, return_inverse=True)
        self.count = len(self.keys)
        self.first = {
            int(p): _First.of(heads[powers == p], lengths[powers == p]) for p in np.unique(powers)
        }

    def find(
        self, power: int, hashes: Hashes, most: int, length: int
    ) -> Iterator[tuple[Ints, Ints]]:
        """(group, place) of the strings of 2^power to 2^(power+1)-1 that begin before `most`."""
        first = self.first[power]
        places, heads = first.places(hashes[:most])
        counts = first.counts[heads]
        sums = np.cumsum(counts)
        at = 0
        while at < len(places):
            # Each place once for each length that may begin there.
            done = int(sums[at - 1]) if at else 0
            end = max(at + 1, int(np.searchsorted(sums, done + _TOGETHER, "right")))
            part = counts[at:end]
            place = np.repeat(places[at:end], part)
            nth = np.arange(len(place)) - np.repeat(sums[at:end] - part - done, part)
            size = first.lengths[np.repeat(first.begin[heads[at:end]], part) + nth]
            inside = place + size <= length
            place, size = place[inside], size[inside]
            keys = _key(hashes[place], hashes[place + size - (1 << power)], size)
            group = np.searchsorted(self.keys, keys)
            group[group == self.count] = 0
            hit = self.keys[group] == keys
            yield group[hit], place[hit]
            at = end


@dataclass(frozen=True, slots=True)
class _First:
    """First windows of the strings of one power, and which lengths begin with each."""

    hashes: Hashes
    begin: Ints
    counts: Ints
    lengths: Ints
    shift: np.uint64
    table: NDArray[np.bool_]

    @classmethod
    def of(cls, heads: Hashes, lengths: Ints) -> _First:
        order = np.lexsort((lengths, heads))
        heads, lengths = heads[order], lengths[order]
        new = np.ones(len(heads), bool)
        new[1:] = (heads[1:] != heads[:-1]) | (lengths[1:] != lengths[:-1])
        hashes, begin, counts = np.unique(heads[new], return_index=True, return_counts=True)
        bits = min(_MOST_BITS, 4 + len(hashes).bit_length())
        shift, table = np.uint64(64 - bits), np.zeros(1 << bits, bool)
        table[hashes >> shift] = True
        return cls(hashes, begin, counts, lengths[new], shift, table)

    def places(self, hashes: Hashes) -> tuple[Ints, Ints]:
        """Where first windows stand, and which ones these are."""
        places = np.flatnonzero(self.table[hashes >> self.shift])
        there = hashes[places]
        heads = np.searchsorted(self.hashes, there)
        heads[heads == len(self.hashes)] = 0
        same = self.hashes[heads] == there
        return places[same], heads[same]


def _key(head: Hashes, tail: Hashes, length: Ints) -> Hashes:
    mixed = (head ^ (head >> _SHIFT)) * _FACTOR + tail
    return (mixed ^ (mixed >> _SHIFT)) * _FACTOR + length.astype(np.uint64)


def _hashes(codes: Codes, powers: int) -> Iterator[tuple[int, Hashes]]:
    """For each power: the number of the window of 2^power code points from each place."""
    hashes = (codes.astype(np.uint64) + np.uint64(1)) * _FACTOR
    for power in range(powers):
        if power:
            half = 1 << (power - 1)
            if len(hashes) <= half:
                return
            low = hashes[:-half]
            hashes = (low ^ (low >> _SHIFT)) * _FACTOR + hashes[half:]
        yield power, hashes


def _windows(text: Codes, longest: int) -> Iterator[tuple[int, Codes, int]]:
    """Where a part of the text begins, the part, and how many of its places are not in the next."""
    step = max(_WINDOW, 4 * longest)
    for low in range(0, len(text), step):
        yield low, text[low : low + step + longest - 1], step


def _batches(begins: Ints, ends: Ints) -> Iterator[tuple[int, int]]:
    """Strings that are hashed together: from, and one past the last."""
    low = 0
    while low < len(begins):
        limit = int(begins[low]) + _WINDOW
        high = max(low + 1, int(np.searchsorted(ends, limit, "right")))
        yield low, high
        low = high
