"""How many questions each strategy loses at each stage."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.diagnose.stages import DELIVERED, stages_of
from ragdebug.errors import Cancelled, NotBrought, RagDebugError
from ragdebug.evidence import FOUND_SHARE
from ragdebug.pipeline import Resources
from ragdebug.protocols import Progress, silent
from ragdebug.questions import LABELLED, UNUSABLE, Question
from ragdebug.runs import DEPTH, DONE, Run
from ragdebug.settings import StrategySettings
from ragdebug.workbench.tracing.reports import LostStages
from ragdebug.workbench.tracing.sentences import NOWHERE
from ragdebug.workbench.tracing.why import Why, settings_of


class Tracing(Why):
    """Use cases of finding out where answers were lost."""

    def lost_stages(
        self,
        of: Sequence[StrategySettings | str],
        tag: str = "",
        *,
        k: int | None = None,
        found_share: float = FOUND_SHARE,
        progress: Progress = silent,
    ) -> tuple[LostStages, ...]:
        """How many questions each strategy loses at each stage.

        Where a run is kept its lists say what was delivered, as on Results; the rest is asked now.

        Args:
            of: ids of kept runs, or strategies; a strategy takes its newest run on the corpus as
                it is, where there is one.
            tag: only questions with this tag.
            k: instead of each strategy's own.
            found_share: share of a passage's characters that counts as found.
            progress: questions.

        Raises:
            Cancelled: from `progress`.
        """
        return tuple(self._lost(one, tag, k, found_share, progress) for one in of)

    def _lost(
        self,
        of: StrategySettings | str,
        tag: str,
        k: int | None,
        found_share: float,
        progress: Progress,
    ) -> LostStages:
        run, settings = self._run_or_strategy(of, k)
        notes: list[str] = []
        found: dict[str, bool] = {}
        failed: list[tuple[str, str]] = []
        if run is not None:
            found = self._found(run, settings, tag, found_share)
            failed = list(self.measures(run.id, found_share, tag).errors)
            if run.corpus != self.corpus().fingerprint:
                notes.append("The corpus has changed since the run.")
        if settings.is_outside:
            notes.append(f"What stands below the hits that {settings.title} returned is unknown.")
        if run is not None and run.id == of:
            questions = [self._follow(q) for q in self.asked(run.id).values()]
        else:
            questions = self.questions()
        stages: dict[str, list[str]] = {stage: [] for stage in stages_of(settings)}
        moved: list[str] = []
        waiting: list[str] = []
        partial: list[str] = []
        wanted = [q for q in questions if q.state in (LABELLED, UNUSABLE)]
        wanted = [q for q in wanted if not tag or tag in q.tags]
        skip = {q for q, _ in failed}
        self._read_their_texts([q for q in wanted if not found.get(q.id)], progress)
        ready: Resources | str = ""
        for at, question in enumerate(wanted):
            progress(at, len(wanted), "questions")
            if question.id in skip:
                continue
            if question.usable_needs and len(question.usable_needs) < len(question.needs):
                partial.append(question.id)
            if found.get(question.id):
                stages[DELIVERED].append(question.id)
                continue
            ready = ready or self._able(settings, [q.text for q in wanted], progress)
            if isinstance(ready, str):
                failed.append((question.id, ready))
                continue
            try:
                stage = self._stage(question, settings, ready, found_share)
            except Cancelled:
                raise
            except RagDebugError as e:
                failed.append((question.id, e.message))
                continue
            if question.state == UNUSABLE and stage not in NOWHERE:
                waiting.append(question.id)
            elif stage == DELIVERED and found.get(question.id) is False:
                moved.append(question.id)
            else:
                stages[stage].append(question.id)
        progress(len(wanted), len(wanted), "questions")
        return LostStages(
            strategy=str(settings),
            run=run.id if run else "",
            k=settings.k,
            stages={stage: tuple(ids) for stage, ids in stages.items()},
            moved=tuple(moved),
            failed=tuple(failed),
            waiting=tuple(waiting),
            partial=tuple(partial),
            notes=tuple(notes),
        )

    def _able(
        self, settings: StrategySettings, queries: Sequence[str], progress: Progress
    ) -> Resources | str:
        """What a strategy needs for some queries, or why it cannot search at all."""
        try:
            return self._ready(settings, queries, progress)
        except Cancelled:
            raise
        except RagDebugError as error:
            return error.message

    def _read_their_texts(self, questions: Sequence[Question], progress: Progress) -> None:
        """Read the documents that answer some questions, together."""
        named = [x.place.document for q in questions for need in q.needs for x in need.labels]
        active = self._by_id()
        self._read_ahead([active[d] for d in dict.fromkeys(named) if d in active], progress)

    def _run_or_strategy(
        self, of: StrategySettings | str, k: int | None
    ) -> tuple[Run | None, StrategySettings]:
        """A kept run and its strategy; no run where none can tell."""
        runs = [r for r in self.runs() if r.state == DONE]
        if isinstance(of, str) and any(r.id == of for r in runs):
            run = next(r for r in runs if r.id == of)
            return run, settings_of(run.strategy, k, (), None)
        settings = StrategySettings.parse(of) if isinstance(of, str) else of
        corpus = self.corpus().fingerprint
        try:
            version = self._outside_version(settings)
        except NotBrought:  # it is gone; the search says so
            return None, settings_of(settings, k, (), None)
        whole = (
            r
            for r in runs
            if r.strategy == str(settings)
            and r.corpus == corpus
            and not (r.sampled or r.slice)
            and r.packages.get(settings.title, "") == version
            and self._same_questions(r)
        )
        settings = settings_of(settings, k, (), None)
        return (next(whole, None) if settings.k <= DEPTH else None), settings

    def _same_questions(self, run: Run) -> bool:
        """Whether a run has every labelled question as it is now."""
        asked = dict(self.results(run.id).questions)
        return all(asked.get(q.id) == q.version for q in self.questions() if q.state == LABELLED)

    def _found(
        self, run: Run, settings: StrategySettings, tag: str, found_share: float
    ) -> dict[str, bool]:
        """Question id -> whether the run's lists deliver all of its usable needs."""
        table = self.measures(run.id, found_share, tag)
        budget = settings.budget
        return {
            question: bool(
                ((ranks > 0) & (ranks <= settings.k)).all()
                and (budget is None or ((tokens >= 0) & (tokens <= budget)).all())
            )
            for question, ranks, tokens in zip(
                table.questions, table.found, table.tokens, strict=True
            )
        }
