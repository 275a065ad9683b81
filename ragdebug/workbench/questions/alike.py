"""Questions that are nearly the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from rapidfuzz import fuzz

from ragdebug.questions import Question
from ragdebug.workbench.questions.fuzzy import fold

THRESHOLD = 90.0
_BLOCK = 500  # texts that are compared with all others at a time
_BINS = 32
_WORD = re.compile(r"\w+")


def groups(questions: Sequence[Question], threshold: float = THRESHOLD) -> list[list[int]]:
    """Groups of near-duplicates, as positions among the questions, in order.

    Texts are compared with case, marks and the order of words folded. Two that differ in a number
    are two questions.

    Args:
        questions: any.
        threshold: similarity from 0 to 100 from which on two count as the same.
    """
    words = [sorted(_WORD.findall(fold(q.text))) for q in questions]
    texts = [" ".join(w) for w in words]
    numbers = [" ".join(w for w in each if any(c.isdigit() for c in w)) for each in words]
    leader = list(range(len(texts)))

    def first(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    for one, other in _pairs(texts, numbers, threshold):
        a, b = sorted((first(one), first(other)))
        leader[b] = a
    found: dict[int, list[int]] = {}
    for at in range(len(questions)):
        found.setdefault(first(at), []).append(at)
    return [group for group in found.values() if len(group) > 1]


def _pairs(
    texts: Sequence[str], numbers: Sequence[str], threshold: float
) -> Iterator[tuple[int, int]]:
    """Pairs of similar texts that are not blank and have the same numbers.

    Two texts share at most as many characters as their counts of each do, which numpy can tell for
    millions of pairs; few are left to be compared for good.
    """
    counts = np.zeros((_BINS, len(texts)), np.int32)
    for at, text in enumerate(texts):
        for character, n in Counter(text).items():
            counts[ord(character) % _BINS, at] += n
    lengths = np.array([len(t) for t in texts], np.int32)
    known: dict[str, int] = {}
    kinds = np.array([known.setdefault(each, len(known)) for each in numbers], np.int32)
    for low in range(0, len(texts), _BLOCK):
        block = counts[:, low : low + _BLOCK]
        shared = np.zeros((block.shape[1], len(texts) - low), np.int32)
        for row in range(_BINS):
            shared += np.minimum(block[row][:, None], counts[row, low:][None, :])
        both = lengths[low : low + _BLOCK][:, None] + lengths[low:][None, :]
        near = (200 * shared >= threshold * both - 1e-6) & (lengths[low:] > 0)
        near &= kinds[low : low + _BLOCK][:, None] == kinds[low:][None, :]
        for i, j in np.argwhere(near).tolist():
            if i < j and fuzz.ratio(texts[low + i], texts[low + j]) >= threshold:
                yield low + i, low + j
