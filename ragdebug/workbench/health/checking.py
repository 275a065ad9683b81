"""Health checks of a workspace: what to know before any score is believed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragdebug.errors import Cancelled, RagDebugError
from ragdebug.protocols import Progress, silent
from ragdebug.records import ResultList
from ragdebug.runs import DONE, Run
from ragdebug.settings import DEFAULT_WORKSPACE, PRESETS, StrategySettings
from ragdebug.workbench.health import at_hand, minimum, reranker
from ragdebug.workbench.health.at_hand import AtHand, Marks, Noted
from ragdebug.workbench.health.findings import UNCHECKED, Finding, ordered, unchecked
from ragdebug.workbench.health.index_checking import IndexChecks
from ragdebug.workbench.health.steps import Step, Steps
from ragdebug.workbench.kept import Kept

MOST_RUNS = 6
AT_ONCE_CHARS = 500_000  # a corpus up to this is checked in a fraction of a second

Findings = tuple[Finding, ...]
Strategies = Sequence[StrategySettings | str]


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks look at: strategies, and kept runs of them."""

    strategies: tuple[StrategySettings, ...]
    runs: tuple[Run, ...]


class Health(IndexChecks, Steps):
    """Use cases of checking what is there."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._checks: Kept[Findings] = Kept(256)
        self._health: Kept[Findings] = Kept(32)

    def health(
        self, strategies: Strategies = (), runs: Sequence[str] = (), *, progress: Progress = silent
    ) -> list[Finding]:
        """What a score would not show, the worst first.

        Each check is made once for a corpus, and those that read texts look at a sample of a large
        one; the finding then says so. A check that cannot be made is a finding of severity
        ``unchecked``.

        Args:
            strategies: settings or text forms; those of the runs by default, and where there are no
                runs either, the four presets.
            runs: ids of kept runs; by default the newest of each of the strategies that was made on
                the present corpus.
            progress: called with checks done, and within the long ones.

        Raises:
            InvalidSetting: a text form is wrong.
            RunNotFound: there is no such run.
            Cancelled: from `progress`; checks that were made are kept.
        """
        checked = self.health_checks(strategies, runs)
        return list(self._health.get(self._key(checked), lambda: self._all(checked, progress)))

    def health_at_hand(self, strategies: Strategies = ()) -> AtHand:
        """What `health` would find, as far as that is known or costs next to nothing.

        Call it for strategies that have been searched with: their chunks are in memory. Long checks
        are made for a small corpus only; else they are known once `health` has made them, here or
        in another process.

        Args:
            strategies: as in `health`.
        """
        if not self._snapshot():
            return AtHand(())
        corpus, small = self.corpus().fingerprint, self.corpus().chars <= AT_ONCE_CHARS
        noted = {} if small else Noted(self.store.settings).read(corpus)
        marks: list[tuple[str, str]] = []
        findings: list[Finding] = []
        waiting: list[str] = []
        for step in self._steps(self.health_checks(strategies)):
            known = None if step.key is None else noted.get(at_hand.name(step.code, step.key))
            if step.key is None or step.quick or small or self._made_before(step):
                made = self._made(step, silent)
                findings += made
                marks += _marks(made)
            elif known is not None:
                marks += known
            else:
                waiting.append(step.code)
        return AtHand(tuple(marks), tuple(dict.fromkeys(waiting)), tuple(findings))

    def known_health(
        self, strategies: Strategies = (), runs: Sequence[str] = ()
    ) -> list[Finding] | None:
        """What `health` would say, where that is known already; None otherwise."""
        known = self._health.peek(self._key(self.health_checks(strategies, runs)))
        return None if known is None else list(known)

    def health_checks(self, strategies: Strategies = (), runs: Sequence[str] = ()) -> Checked:
        """The strategies and runs that `health` looks at."""
        wanted = [StrategySettings.parse(s) if isinstance(s, str) else s for s in strategies]
        chosen = [self.run(r) for r in runs] or self._newest_runs({str(s) for s in wanted})
        wanted = wanted or [StrategySettings.parse(r.strategy) for r in chosen]
        wanted = wanted or [StrategySettings(preset=name) for name in PRESETS]
        return Checked(tuple(dict.fromkeys(wanted)), tuple(chosen))

    @staticmethod
    def health_of(lists: Sequence[ResultList]) -> list[Finding]:
        """What one search shows of its own settings."""
        there = [r for r in lists if not r.error]
        return [f for r in there for f in (*minimum.of_list(r), *reranker.of_list(r))]

    def _newest_runs(self, names: set[str]) -> list[Run]:
        """The newest run of each strategy on the present corpus; of some strategies, or of all."""
        corpus = self.corpus().fingerprint
        newest: dict[str, Run] = {}
        for run in self.runs():
            if (run.state, run.corpus) == (DONE, corpus) and (not names or run.strategy in names):
                newest.setdefault(run.strategy, run)
        return list(newest.values())[:MOST_RUNS]

    def _key(self, checked: Checked) -> Hashable:
        corpus = self.corpus()
        return (
            corpus.fingerprint,
            corpus.failed,
            tuple(map(str, checked.strategies)),
            tuple((r.id, r.state, r.elapsed_s) for r in checked.runs),
        )

    def _all(self, checked: Checked, progress: Progress) -> Findings:
        if not self._snapshot():
            return ()
        corpus, steps = self.corpus(), self._steps(checked)
        found: list[Finding] = []
        noted: dict[str, Marks] = {}
        try:
            for at, step in enumerate(steps):
                progress(at, len(steps), "checks")
                made = self._made(step, progress)
                found += made
                if step.key is not None and all(f.severity != UNCHECKED for f in made):
                    noted[at_hand.name(step.code, step.key)] = _marks(made)
        finally:  # what was made before somebody stopped it counts, too
            if corpus.chars > AT_ONCE_CHARS:
                Noted(self.store.settings).write(corpus.fingerprint, noted)
        progress(len(steps), len(steps), "checks")
        return tuple(ordered(dict.fromkeys(found)))

    def _steps(self, checked: Checked) -> list[Step]:
        steps = list(self._corpus_steps())
        if self._active():
            steps += self._strategy_steps(checked.strategies)
            steps += self._run_steps(checked.runs)
        return steps

    def _made_before(self, step: Step) -> bool:
        return step.key is not None and self._checks.peek((step.code, *step.key)) is not None

    def _made(self, step: Step, progress: Progress) -> list[Finding]:
        try:
            if step.key is None:
                found: Sequence[Finding] = step.make(progress)
            else:
                found = self._checks.get((step.code, *step.key), lambda: tuple(step.make(progress)))
        except Cancelled:
            raise
        except RagDebugError as e:
            found = [unchecked(step.code, e)]
        names = tuple(map(str, step.touches))
        return [replace(f, strategies=f.strategies or names) for f in found]


def _marks(findings: Sequence[Finding]) -> Marks:
    return tuple((f.code, f.severity) for f in findings)
