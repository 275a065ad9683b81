"""What the measures are called and what they say.

A name is a stem, ``@``, and either a number of hits (``recall@5``) or a budget in tokens
(``recall@2000t``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ragdebug.errors import InvalidSetting

RANKED = ("hit", "recall", "rr", "ndcg", "ap")  # from the ranks at which needs are found
CONTENTS = ("p", "coverage", "precision", "iou", "tokens", "judged")  # from the first k hits
BUDGET = "budget"  # key of `recall@...t` in `DEFINITIONS`

DEFINITIONS: Mapping[str, str] = MappingProxyType(
    {
        "hit": "1 when at least one need is found in the first k hits, else 0. "
        'Its mean is the "recall at k" of most guides.',
        "recall": "Needs found in the first k hits, divided by all needs of the question.",
        BUDGET: "Needs found in a context of whole chunks, taken in order until the next one does "
        "not fit the budget, divided by all needs. Fair between chunk sizes.",
        "rr": "1 / rank of the first need that is found in the first k hits, else 0.",
        "ndcg": "Grades of the needs found, each divided by log2(rank + 1), over the same sum when "
        "all needs stand at the top, one a rank, best first.",
        "ap": "For the first, second, ... need found: how many there are by then, divided by the "
        "rank (at most 1); the sum over the first k hits, divided by all needs.",
        "p": "Chunks in the first k that hold or complete a passage, divided by k, also where "
        "fewer came. Depends on chunk size.",
        "coverage": "Characters of the evidence that stand in the first k hits, divided by all its "
        "characters.",
        "precision": "Characters of evidence in the first k hits, divided by the length of these "
        "hits, overlap counted each time. Depends on chunk size.",
        "iou": "Characters of evidence in the first k hits, divided by the length of these hits "
        "plus the evidence that they leave out. Depends on chunk size.",
        "tokens": "Tokens of the first k hits, labels counted: what they take of the context.",
        "judged": "Hits among the first k that somebody has judged, as answering or not, divided "
        "by the hits there are.",
    }
)


def measure_names(ks: Sequence[int], budgets: Sequence[int]) -> tuple[str, ...]:
    """All names, in the order of a table: ranked measures, recall at budgets, contents."""
    return (
        *(f"{stem}@{k}" for stem in RANKED for k in ks),
        *(f"recall@{tokens}t" for tokens in budgets),
        *(f"{stem}@{k}" for stem in CONTENTS for k in ks),
    )


def split_name(name: str) -> tuple[str, int]:
    """Stem and number: ``rr@10`` is (rr, 10), ``recall@500t`` is (budget, 500).

    Raises:
        InvalidSetting: there is no such measure.
    """
    stem, _, number = name.partition("@")
    if stem == "recall" and number.endswith("t"):
        stem, number = BUDGET, number[:-1]
    if stem not in DEFINITIONS or not number.isdecimal() or int(number) < 1:
        known = ", ".join((*RANKED, *CONTENTS))
        raise InvalidSetting(
            f'There is no measure "{name}".',
            hint=f"Write {known} with @k, such as recall@5, or recall@2000t for a budget.",
        )
    return stem, int(number)


def definition(name: str) -> str:
    """One sentence for a tooltip."""
    return DEFINITIONS[split_name(name)[0]]
