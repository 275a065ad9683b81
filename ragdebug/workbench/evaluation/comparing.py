"""Runs against each other and over time, in figures and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ragdebug.errors import InvalidSetting
from ragdebug.evaluate.paired import Paired, adjusted, compare
from ragdebug.evaluate.verdict import verdict
from ragdebug.evidence import FOUND_SHARE
from ragdebug.questions import Question
from ragdebug.runs import DONE, MeasureTable, Run
from ragdebug.settings import StrategySettings
from ragdebug.workbench.evaluation.reading import Reading
from ragdebug.workbench.evaluation.reports import HistoryPoint, RunComparison, ShareCheck

SHARES = (0.5, 0.8, 0.9, 1.0)
FAIR = ("hit", "recall", "rr", "ndcg", "ap", "coverage", "judged")  # between different chunkings
SIGNIFICANT = 0.05
NAMED, MOST_CHARS = 3, 60  # questions that only one run has, and how much of each is told


class Comparing(Reading):
    """Use cases of comparing runs."""

    def compare_runs(
        self,
        a: str,
        b: str,
        name: str = "recall@5",
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> RunComparison:
        """The first run against the second, on the questions that both have."""
        first, second = self.run(a), self.run(b)
        left, right = (self.measures(r, found_share, tag, name) for r in (a, b))
        ids, notes = self._shared(a, b, left, right)
        x, y = left.only(ids).column(name), right.only(ids).column(name)
        both = np.isfinite(x) & np.isfinite(y)
        ids = [q for q, there in zip(ids, both.tolist(), strict=True) if there]
        x, y = x[both], y[both]
        paired = compare(x, y)
        stem = name.split("@")[0]
        if first.chunking != second.chunking and stem not in FAIR:
            notes.append(f"{name} depends on chunk size, and the chunkings differ.")
        labels = _names(first, second)
        notes += _other_ks(name, (first, second), labels)
        return RunComparison(
            a=first,
            b=second,
            measure=name,
            paired=paired,
            verdict=verdict(paired, *labels, name),
            won=tuple(q for q, p, r in zip(ids, x, y, strict=True) if p > r),
            lost=tuple(q for q, p, r in zip(ids, x, y, strict=True) if p < r),
            notes=tuple(notes),
        )

    def compare_with(
        self,
        base: str,
        others: Sequence[str],
        name: str = "recall@5",
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> list[RunComparison]:
        """Several runs, each against one; p is adjusted for their number (Holm)."""
        made = [self.compare_runs(other, base, name, found_share, tag) for other in others]
        raised, tests = adjusted([c.paired for c in made])
        return [_raised(c, paired, tests) for c, paired in zip(made, raised, strict=True)]

    def _shared(
        self, a: str, b: str, left: MeasureTable, right: MeasureTable
    ) -> tuple[list[str], list[str]]:
        """Questions that can be compared, and what is to be said about the others."""
        first, second = self.run(a), self.run(b)
        old, new = self.asked(a), self.asked(b)
        there = set(right.questions)
        common = [q for q in left.questions if q in there]
        same = [q for q in common if _alike(old[q], new[q])]
        notes = []
        shared = set(common)
        only_a = [old[q].text for q in left.questions if q not in shared]
        only_b = [new[q].text for q in right.questions if q not in shared]
        if only_a or only_b:
            notes.append(
                f"Compared on the {len(common)} questions that both runs have; {_some(only_a)} "
                f"only in {first.id}, {_some(only_b)} only in {second.id}."
            )
        if len(same) < len(common):
            notes.append(
                f"{len(common) - len(same)} questions were left out: their labels changed."
            )
        moved = sum(old[q].version != new[q].version for q in same)
        if moved:
            notes.append(f"The labels of {moved} questions moved or changed places in between.")
        if first.corpus != second.corpus:
            notes.append("The corpus changed between the runs.")
        if first.sampled or second.sampled:
            notes.append("At least one run is on a sample of the questions.")
        for run in (first, second):
            if run.taken_from:
                notes.append(
                    f"Labels were taken over from results of {', '.join(run.taken_from)}, which "
                    "favours that strategy."
                )
                break
        return same, notes

    # History --------------------------------------------------------------------------------------

    def history_of(
        self, name: str = "recall@5", found_share: float = FOUND_SHARE, tag: str = ""
    ) -> dict[str, list[HistoryPoint]]:
        """A measure over all runs, oldest first, by strategy; drops beyond noise are marked."""
        series: dict[str, list[HistoryPoint]] = {}
        for run in reversed(self.runs()):
            if run.state != DONE:
                continue
            value = self.mean(run.id, name, found_share, tag)
            if not value.n:
                continue
            points = series.setdefault(run.label or run.strategy, [])
            drop = ""
            if points:
                compared = self.compare_runs(run.id, points[-1].run.id, name, found_share, tag)
                paired = compared.paired
                if paired.n >= 10 and paired.difference < 0 and paired.p < SIGNIFICANT:
                    drop = compared.verdict
            points.append(HistoryPoint(run, value, drop))
        return series

    def share_check(self, runs: Sequence[str], name: str = "recall@5", tag: str = "") -> ShareCheck:
        """Whether the order of runs depends on what counts as found."""
        means = {r: tuple(self.mean(r, name, share, tag).mean for share in SHARES) for r in runs}
        changes = []
        for a, b in combinations(runs, 2):
            signs = {float(np.sign(x - y)) for x, y in zip(means[a], means[b], strict=True)}
            if {-1.0, 1.0} <= signs:
                names = " and ".join(self.run(r).label or r for r in (a, b))
                changes.append(f"The order of {names} depends on what share counts as found.")
        return ShareCheck(SHARES, means, tuple(changes))


def _other_ks(measure: str, runs: Sequence[Run], names: Sequence[str]) -> list[str]:
    """Where runs that show different numbers of hits are compared at one of them: what each shows.

    A budget in tokens does not ask how many hits are shown.
    """
    k = measure.partition("@")[2]
    try:
        shown = [StrategySettings.parse(run.strategy).k for run in runs]
    except InvalidSetting:
        return []  # a run of a release that had other settings
    if not k.isdigit() or len(set(shown)) == 1:
        return []
    others = [f"{n} shows {own}" for n, own in zip(names, shown, strict=True) if own != int(k)]
    return [f"Compared at k = {k}; {', '.join(others)}."]


def _some(texts: Sequence[str]) -> str:
    """How many questions, the first of them by name: ``2 (who signs?; when?) are``."""
    shown = [" ".join(t.split()) for t in texts[:NAMED]]
    named = "; ".join(t if len(t) <= MOST_CHARS else f"{t[:MOST_CHARS]}…" for t in shown)
    more = "; ..." if len(texts) > NAMED else ""
    return (
        f"{len(texts)}{f' ({named}{more})' if named else ''} {'is' if len(texts) == 1 else 'are'}"
    )


def _names(a: Run, b: Run) -> tuple[str, str]:
    """What two runs are called in a sentence: as short as tells them apart."""
    first, second = a.label or a.id, b.label or b.id
    if first == second:
        return f"{first} ({a.id})", f"{second} ({b.id})"
    head, _, rest = first.partition(" ")
    other, _, tail = second.partition(" ")
    if rest == tail and head != other:
        return head, other
    return first, second


def _raised(compared: RunComparison, paired: Paired, tests: int) -> RunComparison:
    """The comparison with p for many tests, and the verdict that follows from it."""
    words = verdict(paired, *_names(compared.a, compared.b), compared.measure, tests)
    return replace(compared, p_adjusted=paired.p, verdict=words)


def _alike(a: Question, b: Question) -> bool:
    """Whether two versions of a question ask for the same: text and number of needs."""
    return a.text == b.text and len(a.usable_needs) == len(b.usable_needs)
