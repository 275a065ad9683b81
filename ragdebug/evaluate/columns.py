"""What the first k hits of all lists are made of: their size, and how much of it is evidence.

All measures of a share run from 0 to 1 and are 0 where nothing is found or a list is empty. Ties do
not occur: a list is taken as it was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.contents import Floats
from ragdebug.evaluate.found import Ints
from ragdebug.evaluate.names import CONTENTS
from ragdebug.evaluate.rows import Row
from ragdebug.runs import RankedSpans


def content_columns(
    rows: Sequence[Row], lists: Ints, spans: RankedSpans, ks: Sequence[int]
) -> Floats:
    """Shape (rows, contents, ks), in the order of `ragdebug.evaluate.names.CONTENTS`.

    P@k: relevant hits in the first k / k, also where a list is shorter. A hit is relevant when it
    holds a place alone or completes one.
    coverage@k, precision@k, IoU@k: of characters, NaN where nobody has marked them.
    tokens@k: sum over the first k.
    judged@k: judged hits in the first k / hits there.

    Args:
        rows: n questions.
        lists: shape (n,), which list of the spans each has.
        spans: the lists.
        ks: numbers of hits.
    """
    if not rows:
        return np.zeros((0, len(CONTENTS), len(ks)))
    k = np.asarray(ks, np.int64)
    start, end = spans.first[lists][:, None], spans.first[lists + 1][:, None]
    size = _sums(spans.end - spans.start, start, end, k)
    evidence = np.array([row.characters.evidence for row in rows], np.int64)[:, None]
    covered = np.array([row.characters.covered for row in rows])
    inside = np.array([row.characters.inside for row in rows])
    unmarked = evidence[:, 0] == 0
    by_characters = [
        _share(covered, evidence),
        _share(inside, size),
        _share(inside, size + evidence - covered),
    ]
    for values in by_characters:
        values[unmarked] = np.nan
    # Documents are ranked instead of hits where they are asked for.
    ends = np.array([0, *accumulate(len(row.relevant) for row in rows)], np.int64)
    first, last = ends[:-1, None], ends[1:, None]
    relevant = _sums(np.concatenate([row.relevant for row in rows]), first, last, k)
    judged = _sums(np.concatenate([row.judged for row in rows]), first, last, k)
    return np.stack(
        [
            relevant / k,
            *by_characters,
            _sums(spans.tokens, start, end, k).astype(np.float64),
            _share(judged, np.minimum(k, last - first)),
        ],
        axis=1,
    )


def tokens_until(rows: Sequence[Row], lists: Ints, spans: RankedSpans) -> tuple[Ints, ...]:
    """Shape (needs,) for each row: size of the context that has a need, -1 for never."""
    if not rows:
        return ()
    counts = [len(row.chunk) for row in rows]
    chunk = np.concatenate([row.chunk for row in rows])
    start, end = (np.repeat(spans.first[at], counts) for at in (lists, lists + 1))
    tokens = np.where(chunk > 0, _sums(spans.tokens, start, end, chunk), -1)
    return tuple(np.split(tokens, np.cumsum(counts)[:-1]))


def _sums(values: NDArray[np.generic], start: Ints, end: Ints, k: Ints) -> Ints:
    """Sum of the first k values from each start, of all up to its end where there are fewer."""
    sums = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    return np.asarray(sums[np.minimum(start + k, end)] - sums[start], np.int64)


def _share(part: Ints | Floats, whole: Ints | Floats) -> Floats:
    """Part of whole; 0 where the whole is 0."""
    there = whole > 0
    share: Floats = np.divide(part, whole, out=np.zeros(part.shape), where=there)
    return share
