"""The fix of a case: one that was tried, and what it does to the other questions."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.errors import Cancelled, InvalidSetting, RagDebugError
from ragdebug.evaluate.paired import CLEAR
from ragdebug.evaluate.verdict import FEWEST
from ragdebug.protocols import Progress, silent
from ragdebug.questions import Question
from ragdebug.settings import StrategySettings
from ragdebug.workbench.casefile.records import Effect
from ragdebug.workbench.tracing.why import settings_of
from ragdebug.workbench.whatif import WhatIfs
from ragdebug.workbench.whatif.reports import Fix, PlannedFix

BEST = "best"


class Trying(WhatIfs):
    """Use cases of a case's fix."""

    def case_fix(
        self,
        question: str,
        strategy: StrategySettings | str,
        name: str = BEST,
        *,
        k: int | None = None,
        progress: Progress = silent,
    ) -> Fix:
        """Try one of the usual fixes on a question and on all others.

        Args:
            question: its id.
            strategy: that loses it.
            name: of the fix; ``best`` tries all that take no minutes and takes the first.
            k: hits, instead of the strategy's own.
            progress: documents cut, texts, questions, passages.

        Raises:
            InvalidSetting: no fix for its stage has this name.
            RagDebugError: no fix could be tried.
        """
        settings = settings_of(strategy, k, (), None)
        planned = self.plan_fixes(question, settings, progress=progress)
        if name != BEST:
            known = ", ".join([BEST, *(p.name for p in planned)])
            planned = [p for p in planned if p.name == name]
            if not planned:
                raise InvalidSetting(
                    f"No fix for this question is called {name}.", hint=f"Known: {known}."
                )
        report = self.try_fixes(
            question, settings, planned=planned, yes=name != BEST, progress=progress
        )
        if not report.fixes:
            why = [f"{w.name}: {w.error or w.cost}." for w in report.waiting]
            raise RagDebugError(
                report.note or "No fix was tried.", title="No fix", hint=" ".join(why)
            )
        return report.fixes[0]

    def _tried_on_all(
        self,
        asked: Question,
        stage: str,
        settings: Sequence[StrategySettings],
        name: str,
        progress: Progress,
    ) -> tuple[Effect | None, tuple[str, ...]]:
        """What the second strategy instead of the first does; else a note that says why not."""
        planned = PlannedFix(name, "", settings[1])
        try:
            report = self.try_fixes(
                asked.id, settings[0], stage, planned=[planned], yes=True, progress=progress
            )
        except Cancelled:
            raise
        except RagDebugError as error:
            return None, (f"{name} was not tried on the other questions: {error}",)
        if not report.fixes:
            return None, tuple(
                f"{name} was not tried on the other questions: {w.error}" for w in report.waiting
            )
        return effect_of(report.fixes[0]), ()


def effect_of(fix: Fix) -> Effect:
    """What a tried fix does, as a case file says it."""
    others = fix.others
    return Effect(
        name=fix.planned.name,
        helps=fix.helps,
        ranks=fix.question.after,
        rescued=len(fix.rescued),
        harmed=len(fix.harmed),
        others=others.n,
        verdict=fix.verdict,
        distinguishable=others.n >= FEWEST and others.p < CLEAR,
        milliseconds_added=fix.milliseconds_added,
    )


def checked(fix: Fix, asked: Question) -> Fix:
    """The fix, where it was tried on the question that the case is about.

    Raises:
        InvalidSetting: it was tried on another one.
    """
    if fix.question.question != asked.id:
        raise InvalidSetting(
            f"The fix was tried on the question {fix.question.question}, and the case is about "
            f"{asked.id or 'a query that is none'}.",
            hint="Try it on the question of the case.",
        )
    return fix
