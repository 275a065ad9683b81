"""Texts that share most of their word shingles, found without comparing each with each.

MinHash: for each of many hash functions the smallest hash of a text's shingles; two texts agree in
one of them with a probability equal to the Jaccard similarity of their shingle sets. Texts that
agree in all numbers of one band are candidates, and those are compared exactly.

Broder: On the resemblance and containment of documents. SEQUENCES 1997.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WORDS = 4  # of a shingle
LIKE = 0.8  # Jaccard similarity from which on two texts are nearly the same
# 1 - (1 - 0.8**4)**16: a pair at the limit is missed twice in ten thousand.
BANDS, ROWS = 16, 4
COMPARED = 8  # texts of a bucket that a new one is compared with
_WORD = re.compile(r"\w+")

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Pair:
    """A text that is nearly the same as an earlier one."""

    first: int
    second: int
    similarity: float


def near_pairs(texts: Sequence[str], like: float = LIKE) -> list[Pair]:
    """For each text that is nearly the same as an earlier one, that one; case and marks aside.

    Args:
        texts: those shorter than `WORDS` words are left out.
        like: least share of shingles that both have, of those that either has.

    Returns:
        At most one pair a text, in the order of the texts.
    """
    sets = shingle_sets(texts)
    there = [at for at, s in enumerate(sets) if len(s)]
    if len(there) < 2:
        return []
    bands = _bands([sets[at] for at in there])
    buckets: dict[tuple[int, int], list[int]] = {}
    pairs = []
    for at, keys in zip(there, bands.tolist(), strict=True):
        best: Pair | None = None
        tried: set[int] = set()
        for key in enumerate(keys):
            bucket = buckets.setdefault(key, [])
            for other in bucket:
                if other in tried:
                    continue
                tried.add(other)
                share = jaccard(sets[other], sets[at])
                if share >= like and (best is None or share > best.similarity):
                    best = Pair(other, at, share)
        if best is not None:
            pairs.append(best)
        for key in enumerate(keys):
            if len(buckets[key]) < COMPARED:
                buckets[key].append(at)
    return pairs


def jaccard(a: Hashes, b: Hashes) -> float:
    """Share of two sets, given as sorted distinct hashes, that both have."""
    both = len(np.intersect1d(a, b, assume_unique=True))
    return both / (len(a) + len(b) - both) if len(a) or len(b) else 0.0


def shingle_sets(texts: Sequence[str]) -> list[Hashes]:
    """The distinct hashes of each text's shingles, sorted; empty for fewer than `WORDS` words."""
    numbers: dict[str, int] = {}
    sets = []
    for text in texts:
        words = [numbers.setdefault(w, len(numbers)) for w in _WORD.findall(text.casefold())]
        mixed = _mix(np.array(words, np.uint64))
        count = len(words) - WORDS + 1
        if count < 1:
            sets.append(np.zeros(0, np.uint64))
            continue
        hashed = np.zeros(count, np.uint64)
        for at in range(WORDS):  # the place of a word in its shingle counts
            hashed = _mix(hashed ^ mixed[at : at + count])
        sets.append(np.unique(hashed))
    return sets


def _bands(sets: Sequence[Hashes]) -> Hashes:
    """Shape (sets, BANDS): one number for each band of the signature."""
    starts = np.cumsum([0, *(len(s) for s in sets[:-1])])
    every = np.concatenate(sets)
    seeds = _mix(np.arange(1, BANDS * ROWS + 1, dtype=np.uint64)).reshape(BANDS, ROWS)
    bands = np.zeros((len(sets), BANDS), np.uint64)
    for band in range(BANDS):
        for row in range(ROWS):
            smallest = np.minimum.reduceat(_mix(every ^ seeds[band, row]), starts)
            bands[:, band] = _mix(bands[:, band] ^ smallest)
    return bands


def _mix(values: Hashes) -> Hashes:
    """Each number scrambled: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)."""
    with np.errstate(over="ignore"):
        v = values + np.uint64(0x9E3779B97F4A7C15)
        v = (v ^ (v >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        v = (v ^ (v >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        made: Hashes = v ^ (v >> np.uint64(31))
    return made
