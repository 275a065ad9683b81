"""Which of the settings that differ between two runs lost a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, NamedTuple

from ragdebug.errors import Cancelled, InvalidSetting, RagDebugError
from ragdebug.protocols import Progress, silent
from ragdebug.questions import LABELLED
from ragdebug.runs import DONE, Run
from ragdebug.settings import OPTIONS, ChunkingSettings, StrategySettings
from ragdebug.workbench.whatif.asking import Turning, inside, ranks_of
from ragdebug.workbench.whatif.fixing import CONFIRMING
from ragdebug.workbench.whatif.holding import Asked
from ragdebug.workbench.whatif.reports import Reverted, WhichSetting


class Difference(NamedTuple):
    """One setting of two strategies, as text, and the second strategy with the first one's."""

    setting: str
    first: str
    second: str
    reverted: StrategySettings | InvalidSetting


class Side(NamedTuple):
    """A strategy that found or lost a question, what it is called, and its run if it has one."""

    name: str
    strategy: StrategySettings
    run: Run | None = None


class Reverting(Turning):
    """Use cases of telling which setting matters."""

    def runs_that_found(self, question: str) -> tuple[Run, ...]:
        """Kept runs that delivered all that answers a question, within k and budget, newest first.

        Runs that only confirm a fix are none: they tell what may come and not what was.

        Args:
            question: its id.
        """
        return tuple(
            run
            for run in self.runs()
            if run.state == DONE
            and not run.note.startswith(CONFIRMING)
            and self._delivered_in(run, question)
        )

    def _delivered_in(self, run: Run, question: str) -> bool:
        strategy = StrategySettings.parse(run.strategy)
        every = self.measures(run.id)
        if question not in every.questions:  # of a sample, of a tag, or from before it was asked
            return False
        table = every.only([question])
        return bool(len(table.found)) and inside(table.found[0], table.tokens[0], strategy)

    def which_setting(
        self,
        run_found: str,
        lost: str | StrategySettings,
        question: str,
        *,
        yes: bool = False,
        progress: Progress = silent,
        allow_download: bool = False,
    ) -> WhichSetting:
        """Put the settings that differ back one at a time, search again, and name what matters.

        Args:
            run_found: id of a run that found the question.
            lost: id of a run that lost it, or a strategy that does.
            question: its id; its labels are taken as they stand now.
            yes: also embed and rerank what takes minutes.
            progress: texts, questions, passages.
            allow_download: fetch hub models that are not on this machine.

        Raises:
            RunNotFound: there is no such run.
            RagDebugError: the question is not labelled.
            Cancelled: from `progress`; what was computed is remembered.
        """
        asked = Asked.of([self.question(question)])
        if not asked.questions:
            raise RagDebugError(
                f"The question {question} is not {LABELLED}.", title="Nothing to compare"
            )
        sides = (
            self._of_run(run_found),
            (
                Side("the present strategy", lost)
                if isinstance(lost, StrategySettings)
                else self._of_run(lost)
            ),
        )

        titles = [side.strategy.title for side in sides]
        if len(set(titles)) > 1 and any(side.strategy.is_outside for side in sides):
            return WhichSetting(
                question, (), (), f"{titles[0]} and {titles[1]} are searches of different systems,"
                " so that no setting of one can be put into the other.", tuple(_notes(*sides)),
            )  # fmt: skip

        def one(setting: str, first: str, second: str, strategy: StrategySettings) -> Reverted:
            return self._reverted(
                Reverted(setting, first, second, strategy), asked, yes, progress, allow_download
            )

        notes = list(_notes(*sides))
        again = [one("", "", "", side.strategy) for side in sides]
        notes += [
            f"{_begun(side.name)} could not be run again: {made.error}"
            for side, made in zip(sides, again, strict=True)
            if made.error
        ]
        tried = []
        for setting, first, second, strategy in differences(*(side.strategy for side in sides)):
            if isinstance(strategy, InvalidSetting):
                tried.append(Reverted(setting, first, second, None, error=str(strategy)))
            else:
                tried.append(one(setting, first, second, strategy))
        matters = tuple(x.setting for x in tried if x.delivered)
        if again[1].delivered:
            matters = ()
        sentence = _sentence(sides, again, tried, matters)
        return WhichSetting(question, tuple(tried), matters, sentence, tuple(notes))

    def _of_run(self, id_: str) -> Side:
        run = self.run(id_)
        name = f"the strategy of run {run.id}"
        return Side(name, StrategySettings.parse(run.strategy), run)

    def _reverted(
        self,
        made: Reverted,
        asked: Asked,
        yes: bool,
        progress: Progress,
        allow_download: bool,
    ) -> Reverted:
        """With what a search finds."""
        assert made.strategy is not None
        try:
            cost = self._cost(made.strategy, asked, progress)
            if cost.waits and not yes:
                return replace(made, error=f"not tried: {cost}")
            self._compute(made.strategy, asked, progress, allow_download)
            held, outcome = self._outcome(made.strategy, asked, progress=progress)
        except Cancelled:
            raise
        except RagDebugError as error:
            return replace(made, error=str(error))
        delivered = bool(outcome.delivered[0] == 1.0)
        return replace(made, ranks=ranks_of(held, outcome, 0), delivered=delivered)


def differences(first: StrategySettings, second: StrategySettings) -> Iterator[Difference]:
    """Settings that differ, the preset and the parts of the chunking first."""
    if first.preset != second.preset:
        yield _put_back(
            "preset", first.preset, second.preset, lambda: replace(second, preset=first.preset)
        )
    for name in (field.name for field in fields(ChunkingSettings)):
        old, new = getattr(first.chunking, name), getattr(second.chunking, name)
        if old != new:
            make = partial(_with_chunking, second, **{name: old})
            yield _put_back("chunker" if name == "strategy" else name, str(old), str(new), make)
    for name, (read, _) in OPTIONS.items():
        old, new = read(first), read(second)
        if old != new:
            yield _put_back(name, old, new, partial(second.changed, {name: old}))


def _with_chunking(strategy: StrategySettings, **parts: Any) -> StrategySettings:  # noqa: ANN401
    return replace(strategy, chunking=replace(strategy.chunking, **parts))


def _put_back(
    setting: str, first: str, second: str, make: Callable[[], StrategySettings]
) -> Difference:
    try:
        return Difference(setting, first, second, make())
    except InvalidSetting as error:
        return Difference(setting, first, second, error)


def _begun(name: str) -> str:
    return name[:1].upper() + name[1:]


def _notes(first: Side, second: Side) -> Iterator[str]:
    """What differs besides settings, between two runs."""
    found, lost = first.run, second.run
    if found is None or lost is None:
        return
    if found.corpus != lost.corpus:
        yield "The corpus changed between the runs; both strategies were run on the present one."
    names = sorted({*found.packages, *lost.packages})
    changed = [n for n in names if found.packages.get(n) != lost.packages.get(n)]
    if changed:
        yield f"Other releases in between: {', '.join(changed)}."


def _sentence(
    sides: tuple[Side, Side],
    again: list[Reverted],
    tried: list[Reverted],
    matters: tuple[str, ...],
) -> str:
    found, lost = again
    if not found.error and not found.delivered:
        return (
            f"{_begun(sides[0].name)} does not find it any more, so that no setting made "
            "the difference: documents, labels or releases did."
        )
    if not lost.error and lost.delivered:
        return f"{_begun(sides[1].name)} finds it now: nothing is lost any more."
    if not tried:
        return "The two strategies are the same."
    if matters:
        named = [f"{x.setting} ({x.lost} instead of {x.found})" for x in tried if x.delivered]
        only = "each of them alone" if len(named) > 1 else "it alone"
        return f"What matters is {' and '.join(named)}: put back, {only} brings the question back."
    return "No setting alone brings it back; it takes several of them together."
