"""Questions that are nearly the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from rapidfuzz import fuzz, process

from ragdebug.questions import Question
from ragdebug.workbench.questions.fuzzy import fold

THRESHOLD = 90.0
_BLOCK = 500  # rows of the matrix of similarities that are made at a time
_WORD = re.compile(r"\w+")


def groups(questions: Sequence[Question], threshold: float = THRESHOLD) -> list[list[Question]]:
    """Groups of near-duplicates, each in the order of the questions.

    Texts are compared with case, marks and the order of words folded. Two that differ in a number
    are two questions.

    Args:
        questions: any.
        threshold: similarity from 0 to 100 from which on two count as the same.
    """
    words = [sorted(_WORD.findall(fold(q.text))) for q in questions]
    texts = [" ".join(w) for w in words]
    numbers = [[w for w in each if any(c.isdigit() for c in w)] for each in words]
    leader = list(range(len(texts)))

    def first(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    for low in range(0, len(texts), _BLOCK):
        scores = process.cdist(
            texts[low : low + _BLOCK],
            texts[low:],
            scorer=fuzz.ratio,
            score_cutoff=threshold,
            dtype=np.float32,
        )
        for row, column in np.argwhere(scores >= threshold).tolist():
            one, other = low + row, low + column
            if one < other and texts[one] and numbers[one] == numbers[other]:
                a, b = sorted((first(one), first(other)))
                leader[b] = a
    found: dict[int, list[Question]] = {}
    for at, question in enumerate(questions):
        found.setdefault(first(at), []).append(question)
    return [group for group in found.values() if len(group) > 1]
