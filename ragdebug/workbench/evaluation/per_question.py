"""Runs question by question: what each run found, what only one finds, what silence would cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.intervals import interval
from ragdebug.evidence import FOUND_SHARE
from ragdebug.questions import NOT_ANSWERABLE
from ragdebug.records import Span
from ragdebug.runs import MeasureTable, RunResults
from ragdebug.workbench.evaluation.comparing import Comparing
from ragdebug.workbench.evaluation.reports import (
    OverlapReport,
    OverlapRow,
    QuestionRow,
    Silencing,
    TopScores,
    UniqueFinds,
)

SETTLED = 0.05  # a difference worth knowing


class PerQuestion(Comparing):
    """Use cases of looking at the questions of runs."""

    def question_rows(
        self,
        runs: Sequence[str],
        name: str = "recall@5",
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> list[QuestionRow]:
        """Every question that counts in at least one of the runs, worst first."""
        k = _k_of(name)
        tables = {r: self.measures(r, found_share, tag, name) for r in runs}
        at = {r: {q: i for i, q in enumerate(t.questions)} for r, t in tables.items()}
        ids = dict.fromkeys(q for r in runs for q in tables[r].questions)
        columns = {r: t.column(name).tolist() for r, t in tables.items()}
        failed = {r: dict(t.errors) for r, t in tables.items()}
        asked = {r: self.asked(r) for r in runs}
        rows = []
        for question in ids:
            there = [r for r in runs if question in at[r]]
            ranks = {r: _last(tables[r].found[at[r][question]]) for r in there}
            values = {r: columns[r][at[r][question]] for r in there}
            rows.append(
                QuestionRow(
                    question=asked[there[0]][question],
                    ranks=ranks,
                    values=values,
                    outcome=_outcome([values[r] for r in there]) if len(runs) == 2 else "",
                    missed=sum(rank is None or rank > k for rank in ranks.values()),
                    errors={r: failed[r][question] for r in there if question in failed[r]},
                )
            )
        return sorted(rows, key=_worst_first)

    def unique_finds(
        self,
        runs: Sequence[str],
        k: int = 5,
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> UniqueFinds:
        """Which questions only one run finds, of those that all runs have; and the union."""
        tables = {r: self.measures(r, found_share, tag) for r in runs}
        common = [q for q in tables[runs[0]].questions] if runs else []
        for table in tables.values():
            there = set(table.questions)
            common = [q for q in common if q in there]
        found = np.array([_found_at(tables[r].only(common), k) for r in runs], bool).reshape(
            len(runs), len(common)
        )
        count = found.sum(axis=0)
        means = found.mean(axis=1) if len(common) else np.zeros(len(runs))
        best = int(np.argmax(means)) if len(runs) else -1
        names = np.array(common, object)
        return UniqueFinds(
            k=k,
            only={r: tuple(names[found[i] & (count == 1)]) for i, r in enumerate(runs)},
            every=tuple(names[count == len(runs)]) if runs else (),
            none=tuple(names[count == 0]),
            union=interval(f"hit@{k}", (count > 0).astype(float)),
            best=(runs[best], float(means[best])) if best >= 0 else ("", float("nan")),
        )

    # Not answerable -------------------------------------------------------------------------------

    def top_scores(self, run: str) -> TopScores:
        """Best score of each question, by whether it can be answered here."""
        results, asked = self.results(run), self.asked(run)
        first = results.spans.first
        groups: tuple[list[float], list[float]] = ([], [])
        for at, (question, _) in enumerate(results.questions):
            one = asked.get(question)
            if one is None or results.errors[at] or not (one.needs or one.not_answerable):
                continue
            # Another system's list need not begin with its best score, or have any.
            scores = results.spans.score[first[at] : first[at + 1]]
            score = float(np.max(scores, initial=-np.inf, where=~np.isnan(scores)))
            groups[one.state == NOT_ANSWERABLE].append(score)
        answerable, other = (np.sort(np.array(g)) for g in groups)
        return TopScores(
            run=results.run,
            score_kind=results.spans.score_kind,
            answerable=answerable,
            not_answerable=other,
            steps=_silencing(answerable, other),
            auc=_auc(answerable, other),
            note=_no_minimum(results),
        )

    # Without labels -------------------------------------------------------------------------------

    def overlap_report(self, a: str, b: str, k: int = 5) -> OverlapReport:
        """How much two runs share for each question, most different first; needs no labels."""
        left, right = self.results(a), self.results(b)
        there = {q: i for i, (q, _) in enumerate(right.questions)}
        asked = self.asked(a)
        rows = []
        for at, (question, _) in enumerate(left.questions):
            if question in there and question in asked:
                mine, other = _spans(left, at, k), _spans(right, there[question], k)
                shared = _shared(mine, other)
                rows.append(
                    OverlapRow(asked[question], shared, len(mine) - shared, len(other) - shared)
                )
        rows.sort(key=lambda r: (r.share, r.question.text))
        differing = sum(r.share < 1 for r in rows) / len(rows) if rows else 0.0
        needed = _labels_for(differing, SETTLED)
        labelled = sum(bool(r.question.usable_needs) for r in rows)
        if not rows:
            sentence = "The runs have no question in common."
        elif needed is None:
            sentence = f"The first {k} are the same passages for all {len(rows)} questions."
        else:
            sentence = (
                f"The first {k} differ for {differing:.0%} of {len(rows)} questions. At most "
                f"{needed:,} labelled questions would settle a difference of {SETTLED:.2f} in "
                f"recall; {labelled:,} are labelled."
            )
        return OverlapReport(tuple(rows), k, differing, needed, SETTLED, sentence)


def _no_minimum(results: RunResults) -> str:
    """Why a minimum score means nothing for another system's list."""
    spans = results.spans
    if spans.score_kind == "distance":
        return "It has distances, where less is nearer: no minimum score can be asked of them."
    if len(spans.score) and np.isnan(spans.score).all():
        return "It came without scores, so that no minimum score can be asked of it."
    return ""


def _labels_for(differing: float, difference: float) -> int | None:
    """Labels for 80% power at 5% to see a difference in the mean, two-sided, normal approximation.

    Only questions whose lists differ can differ in a measure from 0 to 1, so that the variance of
    the differences is at most their share: n = (1.960 + 0.842)^2 * share / difference^2.
    """
    return math.ceil((1.960 + 0.842) ** 2 * differing / difference**2) if differing else None


def _k_of(name: str) -> int:
    at = name.partition("@")[2]
    return int(at) if at.isdigit() else 5


def _last(ranks: NDArray[np.int64]) -> int | None:
    """Rank at which the last need is found; None when one never is."""
    return int(ranks.max()) if len(ranks) and (ranks > 0).all() else None


def _found_at(table: MeasureTable, k: int) -> list[bool]:
    """Whether all needs of each question are found in the first k."""
    return [(rank := _last(ranks)) is not None and rank <= k for ranks in table.found]


def _outcome(values: Sequence[float]) -> str:
    if len(values) < 2 or not np.isfinite(values).all():
        return ""
    return "win" if values[0] > values[1] else "loss" if values[0] < values[1] else "tie"


def _worst_first(row: QuestionRow) -> tuple[float, float, str]:
    values = [v for v in row.values.values() if np.isfinite(v)]
    ranks = [1000 if r is None else r for r in row.ranks.values()]
    return (
        float(np.mean(values)) if values else 0.0,
        -float(np.mean(ranks)) if ranks else 0.0,
        row.question.text,
    )


def _silencing(
    answerable: NDArray[np.float64], other: NDArray[np.float64]
) -> tuple[Silencing, ...]:
    """Counts at each minimum score that changes one of them; both arrays ascend."""
    steps = np.unique(np.concatenate([answerable, other]))
    return tuple(
        Silencing(
            float(s),
            int(np.searchsorted(answerable, s, "left")),
            int(np.searchsorted(other, s, "left")),
        )
        for s in steps[np.isfinite(steps)]
    )


def _auc(answerable: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Mann-Whitney: share of pairs in which the answerable one is above, ties a half."""
    if not len(answerable) or not len(other):
        return float("nan")
    below = np.searchsorted(other, answerable, "left") + np.searchsorted(other, answerable, "right")
    return float(below.sum() / 2 / len(answerable) / len(other))


def _spans(results: RunResults, at: int, k: int) -> list[tuple[str, Span]]:
    first = int(results.spans.first[at])
    last = min(int(results.spans.first[at + 1]), first + k)
    return [
        (
            results.spans.documents[int(results.spans.document[i])][0],
            Span(int(results.spans.start[i]), int(results.spans.end[i])),
        )
        for i in range(first, last)
    ]


def _shared(a: list[tuple[str, Span]], b: list[tuple[str, Span]]) -> int:
    """How many passages of one list the other has: spans that share more than half of the shorter.

    Each passage is counted once.
    """
    left, count = list(b), 0
    for document, span in a:
        for other in left:
            if other[0] == document and span.mostly(other[1]):
                left.remove(other)
                count += 1
                break
    return count
