"""How much two ranked lists agree.

Webber, Moffat, Zobel: A Similarity Measure for Indefinite Rankings. ACM Transactions on Information
Systems 28(4), 2010.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

from ragdebug.errors import InvalidSetting

Key = TypeVar("Key", bound=Hashable)


def shared(first: Sequence[Key], second: Sequence[Key], k: int | None = None) -> int:
    """Number of keys that stand among the first `k` of both lists (None: anywhere)."""
    return len(set(first[:k]) & set(second[:k]))


def rbo(first: Sequence[Key], second: Sequence[Key], p: float = 0.9) -> float:
    """Rank-biased overlap, extrapolated beyond the lists' ends (RBO_ext, equation 32 there).

    Agreement at each depth, weighted so that depth d counts p times as much as depth d - 1: with
    p 0.9 the first ten ranks carry 86% of the weight.

    Args:
        first: keys, best first; a repeated one counts at its best rank.
        second: the same; the lengths may differ.
        p: above 0 and below 1; the larger, the deeper the comparison looks.

    Returns:
        1 for lists that agree at every depth (two empty ones do), 0 for lists that share nothing.

    Raises:
        InvalidSetting: p is not between 0 and 1.
    """
    if not 0 < p < 1:
        raise InvalidSetting(f"p is {p!r}; it must lie between 0 and 1, both excluded.")
    short, long = sorted((list(dict.fromkeys(first)), list(dict.fromkeys(second))), key=len)
    s, length = len(short), len(long)
    if not s:
        return 0.0 if length else 1.0
    seen_short: set[Key] = set()
    seen_long: set[Key] = set()
    common = 0  # X_d of the paper: keys shared by both lists down to depth d
    common_at_s = 0
    total = 0.0
    for d in range(1, length + 1):
        key = long[d - 1]
        seen_long.add(key)
        common += key in seen_short
        if d <= s:
            other = short[d - 1]
            seen_short.add(other)
            common += other in seen_long
            common_at_s = common
            agreement = common / d
        else:
            # What the short list might have added below its end, at the rate it had until there.
            agreement = (common + common_at_s * (d - s) / s) / d
        total += agreement * p**d
    rest = (common - common_at_s) / length + common_at_s / s
    return min(1.0, (1 - p) / p * total + rest * p**length)
