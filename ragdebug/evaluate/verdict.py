"""What a comparison says, in words that do not say more than the numbers."""

from __future__ import annotations

import math
from dataclasses import replace

from ragdebug.evaluate.paired import CLEAR, Paired

FEWEST = 10  # questions below which nothing is said


# Resampled from so few differing questions, an interval may leave 0 out although the test is not
# sure; the exact test is the one to trust.
NARROW = "; with so few questions that differ the interval is too narrow"


def verdict(paired: Paired, name_a: str, name_b: str, measure: str, tests: int = 1) -> str:
    """One sentence; the better run is named first when a difference is clear.

    Args:
        paired: the comparison of a with b; put an adjusted p into it where many are tested.
        name_a: what the first run is called.
        name_b: what the second is called.
        measure: such as ``recall@5``.
        tests: for how many of them p is adjusted.
    """
    if paired.n < FEWEST:
        questions = "question" if paired.n == 1 else "questions"
        return f"no verdict: {paired.n} {questions} in common, at least {FEWEST} are needed"
    together = f" (Holm, {tests} tests)" if tests > 1 else ""
    numbers = f"p {_p(paired.p)}{together}, n {paired.n}"
    if paired.wins == paired.losses == 0:
        return f"the same {measure} on every question, n {paired.n}"
    if paired.p >= CLEAR:
        counts = f"{paired.wins} better, {paired.losses} worse"
        narrow = "" if paired.low <= 0 <= paired.high else NARROW
        said = f"{_difference(paired, measure)}, {numbers}, {counts}{narrow}"
        return f"not distinguishable{_needed(paired)}: {said}"
    if paired.difference < 0:
        paired, name_a, name_b = _swapped(paired), name_b, name_a
    return f"{_counts(paired, name_a, name_b, measure)}: {_difference(paired, measure)}, {numbers}"


def _counts(paired: Paired, better: str, worse: str, measure: str) -> str:
    wins, losses = paired.wins, paired.losses
    questions = "question" if wins == 1 else "questions"
    if paired.whole and measure.startswith(("hit@", "recall@")):
        loses = f" and loses {losses}" if losses else " and loses none"
        return f"{better} finds {wins} {questions} that {worse} misses{loses}"
    lower = f" and lower on {losses}" if losses else ""
    return f"{better} is higher than {worse} on {wins} {questions}{lower}"


def _difference(paired: Paired, measure: str) -> str:
    narrow = 0 < paired.high - paired.low <= 0.05
    digits = 0 if measure.startswith("tokens@") else 3 if narrow else 2
    low, high = (_number(x, digits) for x in (paired.low, paired.high))
    return f"{_number(paired.difference, digits, '+')} {measure} ({low} to {high})"


def _needed(paired: Paired) -> str:
    if paired.needed is None or paired.needed <= paired.n:
        return ""
    # Two digits say how rough it is.
    step = 10 ** max(len(str(paired.needed)) - 2, 0)
    about = math.ceil(paired.needed / step) * step
    return f"; about {about:,} questions would settle a difference this small"


def _p(p: float) -> str:
    """Three decimals where two would hide on which side of 0.05 it is."""
    if p < 0.001:
        return "below 0.001"
    return f"{p:.3f}" if p < 0.01 or 0.045 <= p < 0.055 else f"{p:.2f}"


def _number(value: float, digits: int, sign: str = "-") -> str:
    text = f"{value:{sign},.{digits}f}"
    return text if text.strip("+-0.,") else f"{0:.{digits}f}"


def _swapped(paired: Paired) -> Paired:
    return replace(
        paired,
        mean_a=paired.mean_b,
        mean_b=paired.mean_a,
        difference=-paired.difference,
        low=-paired.high,
        high=-paired.low,
        wins=paired.losses,
        losses=paired.wins,
    )
