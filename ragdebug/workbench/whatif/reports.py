"""What asking "what if" returns."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.paired import Paired
from ragdebug.runs import Interval, Run
from ragdebug.settings import StrategySettings


@dataclass(frozen=True, slots=True)
class Cost:
    """What has to be computed before a setting can be shown; all 0 when nothing has.

    Attributes:
        texts: to be embedded.
        passages: to be read by the reranker; the most there can be while texts are missing.
        estimate_s: rough seconds for both.
        waits: so long that a person should say yes first.
    """

    texts: int = 0
    passages: int = 0
    estimate_s: float = 0.0
    waits: bool = False

    @property
    def instant(self) -> bool:
        """Whether nothing has to be computed."""
        return not self.texts and not self.passages

    def __str__(self) -> str:
        if self.instant:
            return "at once"
        parts = [(self.texts, "text"), (self.passages, "passage")]
        said = " and ".join(f"{n:,} {word}{'s' if n != 1 else ''}" for n, word in parts if n)
        s = self.estimate_s
        about = f"{s / 60:.0f} min" if s >= 90 else f"{s:.0f} s" if s >= 1 else "a second"
        return f"{said}, about {about}"


@dataclass(frozen=True, slots=True)
class QuestionEffect:
    """One question before and after.

    Attributes:
        question: its id.
        before: for each usable need the rank at which it was found, 0 for never.
        after: the same with the change.
        delivered_before: share of its needs found within k and budget, 0 to 1; NaN when passages
            in its pool are not reranked yet.
        delivered_after: the same with the change.
    """

    question: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    delivered_before: float
    delivered_after: float


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What a change of settings would do to the labelled questions.

    Attributes:
        before: the strategy as it is.
        after: with the change.
        measure: what is averaged, such as ``recall@5`` or ``recall@5 within 2,000 tokens``.
        questions: ids of the questions that count, in order.
        values_before: shape (n,), share of each question's needs found within k and budget.
        values: shape (n,), the same with the change.
        recall_before: mean with its 95% interval.
        recall: the same with the change.
        rescued: ids of questions that get better.
        harmed: ids of questions that get worse.
        p: of the paired sign-flip test.
        verdict: the same in a sentence.
        milliseconds_added: a question, from the search made here and the reranker's usual speed.
        question: the one that was asked about.
        left_out: ids of questions that cannot be told, since passages are not reranked yet.
        cost: what would have to be computed for them.
    """

    before: StrategySettings
    after: StrategySettings
    measure: str
    questions: tuple[str, ...]
    values_before: NDArray[np.float64]
    values: NDArray[np.float64]
    recall_before: Interval
    recall: Interval
    rescued: tuple[str, ...]
    harmed: tuple[str, ...]
    p: float
    verdict: str
    milliseconds_added: float
    question: QuestionEffect | None = None
    left_out: tuple[str, ...] = ()
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class PlannedFix:
    """A remedy before it is tried.

    Attributes:
        name: what it is called, such as ``hybrid``.
        reason: why it may help, in a sentence.
        strategy: the whole strategy with the remedy.
        cost: of trying it.
        error: why it cannot be tried, "" when it can.
    """

    name: str
    reason: str
    strategy: StrategySettings
    cost: Cost = Cost()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """A remedy that was tried.

    Attributes:
        planned: what was tried.
        measure: what is compared.
        question: the question that was lost, before and after.
        others: all other questions, with the remedy against without it; p is adjusted for the
            number of remedies tried (Holm).
        verdict: the same in words.
        rescued: ids of other questions that get better.
        harmed: ids of other questions that get worse.
        milliseconds_added: a question.
        today: the strategy that the remedy was held against.
        recall_today: its share of needs delivered, the mean of all labelled questions; NaN where
            none can be told.
    """

    planned: PlannedFix
    measure: str
    question: QuestionEffect
    others: Paired
    verdict: str
    rescued: tuple[str, ...]
    harmed: tuple[str, ...]
    milliseconds_added: float
    today: StrategySettings | None = None
    recall_today: float = math.nan

    @property
    def helps(self) -> bool:
        """Whether all of the question's needs are delivered with it."""
        return self.question.delivered_after == 1.0

    @property
    def harms_more(self) -> bool:
        """Whether more of the other questions get worse than better."""
        return len(self.harmed) > len(self.rescued)

    @property
    def sentence(self) -> str:
        """What it does, harm first where there is more of it."""
        here = "brings it back" if self.helps else "does not bring it back"
        there = (
            f"rescues {len(self.rescued)} and harms {len(self.harmed)} of {self.others.n} others"
        )
        warning = "harms more than it helps: " if self.harms_more else ""
        return f"{self.planned.name} {here}; {warning}{there}; {self.verdict}"


@dataclass(frozen=True, slots=True)
class FixReport:
    """Remedies for one question, best first.

    Attributes:
        question: its id.
        strategy: that lost it.
        stage: at which it was lost.
        fixes: tried ones: those that bring the question back first, then by their effect on the
            others.
        waiting: too dear to be tried without a yes, or impossible, with the reason.
        note: where no setting can help, what can.
    """

    question: str
    strategy: StrategySettings
    stage: str
    fixes: tuple[Fix, ...]
    waiting: tuple[PlannedFix, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A fix run for real.

    Attributes:
        run: the run that was kept.
        question: its id.
        ranks: of its needs in that run, 0 for never.
        confirmed: whether all of them are within k and budget.
        sentence: the same in words, with what the run measures and what is measured today, each at
            its own k.
    """

    run: Run
    question: str
    ranks: tuple[int, ...]
    confirmed: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Reverted:
    """One setting put back to what it was when the question was found.

    Attributes:
        setting: its name, as in a strategy's text form; ``preset``, or a part of the chunking.
        found: its value in the run that found the question.
        lost: its value in the run that lost it.
        strategy: the losing strategy with that one setting put back; None where that cannot work.
        ranks: of the question's needs with it, 0 for never.
        delivered: whether that alone brings the question back.
        error: why it could not be tried.
    """

    setting: str
    found: str
    lost: str
    strategy: StrategySettings | None
    ranks: tuple[int, ...] = ()
    delivered: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class WhichSetting:
    """Which of the settings that differ between two runs lost a question.

    Attributes:
        question: its id.
        tried: one a setting that differs.
        matters: names of the settings each of which alone brings it back.
        sentence: the same in words.
        notes: what else differs between the runs.
    """

    question: str
    tried: tuple[Reverted, ...]
    matters: tuple[str, ...]
    sentence: str
    notes: tuple[str, ...] = ()
