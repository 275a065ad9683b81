"""What the use cases of evaluation return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ragdebug.evaluate.paired import Paired
from ragdebug.questions import Question
from ragdebug.records import Place
from ragdebug.runs import Interval, Run
from ragdebug.settings import StrategySettings
from ragdebug.workbench.evaluation.naming import short_text


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One strategy over a set of questions, before it runs.

    Attributes:
        strategy: what will run.
        questions: how many questions.
        passages: how many passages its reranker has to read, or pairs for a cross-encoder; 0 when
            there is none, or when all scores are known.
        estimate_s: rough seconds, most of it in the reranker.
        unindexed: texts that have to be embedded first.
        sampled: questions drawn from all; 0 when all run.
        waits: it would take so long that it needs a yes or a sample.
    """

    strategy: StrategySettings
    questions: int
    passages: int = 0
    estimate_s: float = 0.0
    unindexed: int = 0
    sampled: int = 0
    waits: bool = False

    @property
    def label(self) -> str:
        """Short name for people."""
        return short_text(self.strategy)


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """What `evaluate` did.

    Attributes:
        runs: in the order they were asked for, those that waited left out.
        waiting: strategies that need a yes or a sample.
        labelled: how many questions count in the measures.
        unlabelled: left out, because nobody has labelled them.
        unanswerable: left out, because nothing answers them.
        unusable: (question id, why its labels cannot be used).
        failed: (searcher, why it could not be asked at all); the others ran.
    """

    runs: tuple[Run, ...]
    waiting: tuple[PlannedRun, ...] = ()
    labelled: int = 0
    unlabelled: int = 0
    unanswerable: int = 0
    unusable: tuple[tuple[str, str], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as a row of a table.

    Attributes:
        run: the run.
        n: questions that count.
        metrics: name -> mean with interval, over the questions where it is defined.
        milliseconds: mean of a question; None where rerank scores were remembered, since then it
            says nothing about a search.
        tokens: mean tokens in the context of the first k.
        unlabelled: left out.
        unanswerable: left out.
        unusable: (question id, why).
        errors: (question id, message); counted as 0.
        notes: sentences that go with the figures.
    """

    run: Run
    n: int
    metrics: Mapping[str, Interval]
    milliseconds: float | None
    unlabelled: int = 0
    unanswerable: int = 0
    unusable: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure against k, or against tokens of context, for one run.

    Attributes:
        run: the run.
        x: shape (p,): k, or budgets in tokens.
        mean: shape (p,); `low` and `high` are its 95% interval.
        n: questions.
        pool: the k at which the reranked pool ends; None without a reranker.
    """

    run: Run
    x: NDArray[np.int64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    n: int
    pool: int | None = None


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs on the questions that both have.

    Attributes:
        a: the first run; `difference` in `paired` is its mean less the second's.
        b: the second run.
        measure: what was compared.
        paired: figures and test.
        verdict: the same in words.
        won: ids of questions where a is better; `lost` where b is.
        notes: what differs between the runs, and what was left out for it.
        p_adjusted: p after Holm over all comparisons made together; None for a single one.
    """

    a: Run
    b: Run
    measure: str
    paired: Paired
    verdict: str
    won: tuple[str, ...]
    lost: tuple[str, ...]
    notes: tuple[str, ...] = ()
    p_adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """One run in the history of a measure.

    Attributes:
        run: the run.
        value: mean with interval.
        drop: a sentence when it is below the run before of the same strategy, beyond noise.
    """

    run: Run
    value: Interval
    drop: str = ""


@dataclass(frozen=True, slots=True)
class ShareCheck:
    """A measure under other shares of a passage that count as found.

    Attributes:
        shares: such as 0.5, 0.8, 0.9, 1.0.
        means: run id -> mean at each share.
        changes: sentences naming two runs whose order depends on the share.
    """

    shares: tuple[float, ...]
    means: Mapping[str, tuple[float, ...]]
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question in several runs.

    Attributes:
        question: as it was in the newest of the runs.
        ranks: run id -> rank at which the last of its needs is found; None when one never is.
        values: run id -> the measure.
        outcome: for two runs: win, loss or tie of the first against the second; else "".
        missed: in how many runs not all was found within k.
        errors: run id -> why the search failed.
    """

    question: Question
    ranks: Mapping[str, int | None]
    values: Mapping[str, float]
    outcome: str = ""
    missed: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UniqueFinds:
    """Which runs find what the others miss.

    Attributes:
        k: within the first k.
        only: run id -> questions that it alone finds.
        every: questions that all of them find.
        none: questions that none of them finds.
        union: share of questions that at least one finds: the ceiling of any combination.
        best: run id with the most finds, and its share.
    """

    k: int
    only: Mapping[str, tuple[str, ...]]
    every: tuple[str, ...]
    none: tuple[str, ...]
    union: Interval
    best: tuple[str, float]


@dataclass(frozen=True, slots=True)
class Silencing:
    """What a minimum score would do. Counts are of questions that would get no hit at all."""

    minimum: float
    answerable: int
    not_answerable: int


@dataclass(frozen=True, slots=True)
class TopScores:
    """Best score of each question, of those that can be answered here and those that cannot.

    Attributes:
        run: the run.
        score_kind: what the scores are.
        answerable: shape (n,), ascending.
        not_answerable: shape (m,), ascending.
        steps: minimum scores from lowest to highest, one for each change of a count.
        auc: chance that an answerable question's best score is above a not-answerable one's;
            NaN when one of the groups is empty.
        note: why no minimum score can be asked of them, "" where it can.
    """

    run: Run
    score_kind: str
    answerable: NDArray[np.float64]
    not_answerable: NDArray[np.float64]
    steps: tuple[Silencing, ...]
    auc: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """How much the first k of two runs share for one question; needs no labels."""

    question: Question
    shared: int
    only_a: int
    only_b: int

    @property
    def share(self) -> float:
        """Shared hits of all different ones, 0 to 1; 1 when both are empty."""
        union = self.shared + self.only_a + self.only_b
        return self.shared / union if union else 1.0


@dataclass(frozen=True, slots=True)
class OverlapReport:
    """Two runs side by side without labels, most different questions first.

    Attributes:
        rows: one a question.
        k: within the first k.
        differing: share of questions whose first k are not the same passages.
        labels_needed: labels that would settle a difference of `settled`; None when nothing
            differs.
        settled: the difference that is meant.
        sentence: the same in words.
    """

    rows: tuple[OverlapRow, ...]
    k: int
    differing: float
    labels_needed: int | None
    settled: float
    sentence: str


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """A pooled hit to be judged, without the name of the list it came from.

    Attributes:
        question: whose.
        place: the hit's whole span; the judge marks sentences in it.
        dispute: share of the runs that do not have it in their first k, 0 to 1.
        left: how many hits of this question are not judged yet, this one included.
    """

    question: Question
    place: Place
    dispute: float
    left: int


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One floor or one comparison. `measured` is false when it could not be told."""

    name: str
    run: str
    ok: bool
    message: str
    measured: bool = True


@dataclass(frozen=True, slots=True)
class GateReport:
    """All checks of a gate."""

    checks: tuple[GateCheck, ...]

    @property
    def exit_code(self) -> int:
        """0 when all hold, 1 when one is broken, 3 when one could not be measured."""
        if any(not c.ok and c.measured for c in self.checks):
            return 1
        return 3 if not self.checks or any(not c.measured for c in self.checks) else 0
