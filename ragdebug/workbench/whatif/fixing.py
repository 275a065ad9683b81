"""Trying the usual remedies on one lost question, and seeing what they do to the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import Cancelled, RagDebugError
from ragdebug.evaluate.paired import adjusted, compare
from ragdebug.evaluate.verdict import FEWEST, verdict
from ragdebug.protocols import Progress, silent
from ragdebug.settings import StrategySettings
from ragdebug.workbench.tracing import Tracing
from ragdebug.workbench.whatif.asking import (
    Turning,
    effect,
    inside,
    measure_of,
    seconds_of,
    settings_of,
    share_inside,
)
from ragdebug.workbench.whatif.holding import Asked
from ragdebug.workbench.whatif.knobs import measure_name, only_cuts
from ragdebug.workbench.whatif.remedies import NO_REMEDY, remedies
from ragdebug.workbench.whatif.reports import Confirmation, Cost, Fix, FixReport, PlannedFix

CONFIRMING = "to confirm: "  # how the note of a run begins that only confirms a fix


class Fixing(Turning, Tracing):
    """Use cases of remedies."""

    def plan_fixes(
        self,
        question: str,
        strategy: StrategySettings | str,
        stage: str = "",
        progress: Progress = silent,
    ) -> list[PlannedFix]:
        """Remedies for a lost question with what each would cost; nothing is embedded or reranked.

        Args:
            question: its id.
            strategy: that loses it.
            stage: at which; asked of `why` when it is "".
            progress: documents cut, questions searched.
        """
        settings = settings_of(strategy)
        asked = self._asked_questions()
        stage = stage or self._stage_of(question, settings)
        return [
            self._planned_fix(remedy.name, remedy.reason, remedy.strategy, asked, progress)
            for remedy in remedies(stage, settings)
        ]

    def try_fixes(
        self,
        question: str,
        strategy: StrategySettings | str,
        stage: str = "",
        *,
        planned: Sequence[PlannedFix] | None = None,
        yes: bool = False,
        progress: Progress = silent,
        allow_download: bool = False,
    ) -> FixReport:
        """Try remedies on a lost question and on all other labelled questions.

        The question itself is left out of the comparison with the others, since a remedy was chosen
        for it; p is adjusted for the number of remedies tried (Holm).

        Args:
            question: its id.
            strategy: that loses it.
            stage: at which; asked of `why` when it is "".
            planned: only these, from `plan_fixes`.
            yes: also try what takes minutes; otherwise it is in `FixReport.waiting`.
            progress: documents cut, texts, questions, passages.
            allow_download: fetch hub models that are not on this machine.

        Raises:
            Cancelled: from `progress`; what was computed is remembered.
        """
        settings = settings_of(strategy)
        asked = self._asked_questions()
        stage = stage or self._stage_of(question, settings)
        if planned is None:
            planned = self.plan_fixes(question, settings, stage, progress)
        self._compute(settings, asked, progress, allow_download)
        waiting = [p for p in planned if p.error or (p.cost.waits and not yes)]
        fixes = []
        for one in planned:
            if one in waiting:
                continue
            try:
                self._compute(one.strategy, asked, progress, allow_download)
                fixes.append(self._effect_of(question, settings, one, asked, progress))
            except Cancelled:
                raise
            except RagDebugError as error:
                waiting.append(replace(one, error=str(error)))
        return FixReport(
            question,
            settings,
            stage,
            tuple(sorted(_adjusted(fixes), key=_best_first)),
            tuple(waiting),
            NO_REMEDY.get(stage, only_cuts(settings) if settings.is_outside else ""),
        )

    def confirm(
        self,
        fix: Fix | PlannedFix,
        question: str,
        progress: Progress = silent,
        allow_download: bool = False,
    ) -> Confirmation:
        """Run a fix for real over all questions, keep the run, and look for the evidence in it.

        Args:
            fix: a tried or planned one.
            question: id of the question it is for.
            progress: as in `evaluate`.
            allow_download: fetch hub models that are not on this machine.
        """
        planned = fix.planned if isinstance(fix, Fix) else fix
        strategy = planned.strategy
        note = f"{CONFIRMING}{planned.name}"
        report = self.evaluate(
            [strategy], yes=True, note=note, progress=progress, allow_download=allow_download
        )
        (run,) = report.runs
        every = self.measures(run.id)
        needs = zip(every.found, every.tokens, strict=True)
        shares = [share_inside(found, tokens, strategy) for found, tokens in needs]
        table = every.only([question])
        found, tokens = table.found[0], table.tokens[0]
        confirmed = inside(found, tokens, strategy)
        ranks = tuple(int(r) for r in found)
        said = ", ".join(f"rank {r}" if r else "not in the list" for r in ranks)
        done = "confirmed" if confirmed else "not confirmed"
        measured = f"{measure_name(strategy)} {_mean(shares):.2f}"
        if isinstance(fix, Fix) and fix.today is not None:
            measured += f"; today {measure_name(fix.today)} {fix.recall_today:.2f}"
        sentence = f"{done}: in run {run.id} the evidence stands at {said}; {measured}"
        return Confirmation(run, question, ranks, confirmed, sentence)

    # One remedy -----------------------------------------------------------------------------------

    def _stage_of(self, question: str, strategy: StrategySettings) -> str:
        return self.why(self.question(question), strategy=strategy).stage

    def _planned_fix(
        self,
        name: str,
        reason: str,
        strategy: StrategySettings,
        asked: Asked,
        progress: Progress,
    ) -> PlannedFix:
        try:
            return PlannedFix(name, reason, strategy, self._cost(strategy, asked, progress))
        except Cancelled:
            raise
        except RagDebugError as error:
            return PlannedFix(name, reason, strategy, Cost(), str(error))

    def _effect_of(
        self,
        question: str,
        before: StrategySettings,
        planned: PlannedFix,
        asked: Asked,
        progress: Progress,
    ) -> Fix:
        held, old = self._outcome(before, asked, progress=progress)
        other, new = self._outcome(planned.strategy, asked, progress=progress)
        here = effect(held, old, other, new, question)
        rest = np.arange(len(held.ids)) != held.position[question]
        a, b = old.delivered[rest], new.delivered[rest]
        ids = [id_ for id_, keep in zip(held.ids, rest.tolist(), strict=True) if keep]
        return Fix(
            planned=planned,
            measure=measure_of(before, planned.strategy),
            question=here,
            others=compare(b, a),
            verdict="",
            rescued=tuple(q for q, d in zip(ids, b > a, strict=True) if d),
            harmed=tuple(q for q, d in zip(ids, b < a, strict=True) if d),
            milliseconds_added=1000
            * (seconds_of(other, planned.strategy) - seconds_of(held, before)),
            today=before,
            recall_today=_mean(old.delivered),
        )


def _adjusted(fixes: Sequence[Fix]) -> list[Fix]:
    """With p for many tests, and the verdicts that follow from it."""
    made = []
    raised, tests = adjusted([fix.others for fix in fixes])
    for fix, others in zip(fixes, raised, strict=True):
        words = _few(others.n) or verdict(others, fix.planned.name, "today", fix.measure, tests)
        made.append(replace(fix, others=others, verdict=words))
    return made


def _few(n: int) -> str:
    """Where too few questions are left: that the one at hand is none of them; else ""."""
    if n >= FEWEST:
        return ""
    are = "is" if n == 1 else "are"
    return f"no verdict: without this question, {n} {are} left; at least {FEWEST} are needed"


def _mean(shares: Sequence[float] | NDArray[np.float64]) -> float:
    """Of the questions that can be told; NaN where none can."""
    told = np.asarray(shares, np.float64)
    told = told[~np.isnan(told)]
    return float(told.mean()) if len(told) else math.nan


def _best_first(fix: Fix) -> tuple[bool, float, float, float]:
    return (
        not fix.helps,
        -fix.question.delivered_after,
        -fix.others.difference,
        fix.planned.cost.estimate_s,
    )
