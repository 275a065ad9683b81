"""Searchers as strategies: asked once, remembered for minutes, kept while they are measured."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragdebug.errors import NotBrought, NothingToMeasure
from ragdebug.pipeline import Resources, Returned
from ragdebug.protocols import Progress, silent
from ragdebug.searchers import Searcher
from ragdebug.settings import DEFAULT_WORKSPACE, ChunkingSettings, StrategySettings
from ragdebug.settings.searcher import SearcherSettings
from ragdebug.table import ChunkTable
from ragdebug.workbench.outside.answers import Answer
from ragdebug.workbench.outside.keeping import Asked, as_kept, from_kept
from ragdebug.workbench.outside.registering import KIND, Searchers
from ragdebug.workbench.outside.rounds import How, ask_all

FRESH_S = 600.0  # an answer is believed so long: Search, Trace and the explanations show the same
MOST_ANSWERS = 3000
MOST_LOOKED_AT = 100  # of them, where chunks are looked at

# Whether a run is being made, which asks anew.
_for_run: ContextVar[bool] = ContextVar("for_run", default=False)


class Asking(Searchers):
    """Asks searchers and gives their answers to whoever searches, traces or measures."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._young_answers: OrderedDict[tuple[Any, ...], tuple[float, Asked]] = OrderedDict()
        self._answers_lock = threading.Lock()

    @contextmanager
    def _asking_for_run(self, strategy: StrategySettings) -> Iterator[None]:
        """A run is made: its questions are asked anew, but for those of one that was stopped."""
        before = _for_run.set(True)
        try:
            yield
            if strategy.preset == KIND:
                self.store.answers.finish(self._asked_how(strategy).key)
        finally:
            _for_run.reset(before)

    def ask_anew(self, query: str) -> None:
        """Forget what searchers answered to a query; the next who wants it asks again."""
        with self._answers_lock:
            for key in [k for k in self._young_answers if k[-1] == query]:
                del self._young_answers[key]

    def _purged(self) -> None:
        super()._purged()
        with self._answers_lock:
            self._young_answers.clear()

    def _outside_version(self, strategy: StrategySettings) -> str:
        """What stands for a list's content, or for a searcher's settings, in a run."""
        if strategy.preset == KIND:
            known = self.store.registered.get(KIND, strategy.outside)
            return SearcherSettings.from_dict(known).fingerprint() if known else ""
        return super()._outside_version(strategy)

    def _outside_resources(
        self, strategy: StrategySettings, queries: Sequence[str], progress: Progress = silent
    ) -> Resources:
        """What a strategy ``list:`` or ``searcher:`` needs to answer some queries.

        A searcher that is told the filter has the last word on it.

        Raises:
            NotBrought: there is no list or searcher of this name.
            NotAgreed: nobody at this machine agreed that the searcher is asked.
            SearcherFailed: it cannot be loaded.
            Cancelled: from `progress`.
        """
        if strategy.preset != KIND:
            return super()._outside_resources(strategy, queries, progress)
        searcher = self._open_searcher(self.searcher(strategy.outside))
        asked = self._searcher_answers(strategy, searcher, queries, progress)
        found = self._placed_answers([a.answer for a in asked], progress)
        resources = self._resources_of(strategy, found)
        if searcher.takes_filter:
            resources.mask = None
        answers = {a.answer.query: a for a in asked}
        placed = resources.returned
        assert placed is not None, "a searcher's resources hold its lists"

        def returned(query: str) -> Returned:
            one = answers.get(query)
            if one is not None and one.error is not None:
                raise one.error
            found = placed(query)
            if one is None:
                return found
            notes = [*one.notes, *found.notes]
            if len(one.answer.hits) < strategy.k:
                notes.insert(0, f"{len(one.answer.hits)} of {strategy.k} wanted hits came")
            if strategy.filter and not searcher.takes_filter:
                notes.append("filtered here: the searcher takes no filter")
            return replace(found, notes=tuple(notes))

        resources.returned = returned
        return resources

    def chunk_table(
        self, chunking: ChunkingSettings | str, progress: Progress = silent
    ) -> ChunkTable:
        """All chunks of the corpus; of a searcher, what it returned in the last minutes."""
        settings = ChunkingSettings.parse(chunking) if isinstance(chunking, str) else chunking
        preset, _, name = settings.name.partition(":")
        if not (settings.is_imported and name and preset == KIND):
            return super().chunk_table(settings, progress)
        own = self.searcher(name).fingerprint()
        with self._answers_lock:
            young = [one.answer for key, (_, one) in self._young_answers.items() if key[0] == own]
        if not young:
            raise NotBrought(
                f"The searcher {name} has not answered anything lately.", hint="Ask it something."
            )
        answers = [replace(a, query=f"{at}") for at, a in enumerate(young[-MOST_LOOKED_AT:])]
        placed = self._placed_answers(answers, progress)
        return self._outside_table(StrategySettings(KIND, outside=name), placed).table

    def _asked_how(self, strategy: StrategySettings) -> How:
        settings = self.searcher(strategy.outside)
        return How(settings, strategy.filter, settings.asked(strategy.k))

    def _searcher_answers(
        self,
        strategy: StrategySettings,
        searcher: Searcher,
        queries: Sequence[str],
        progress: Progress,
    ) -> list[Asked]:
        """Each distinct query with what came back; one that fails has its error.

        Many queries are asked for a run alone: a page that looks at all questions is answered from
        the last run, and sends nothing.

        Raises:
            NothingToMeasure: many queries, none of which was asked before.
            Cancelled: from `progress`; what a run has asked is kept.
        """
        question = self._asked_how(strategy)
        wanted = [q for q in dict.fromkeys(queries) if q.strip()]
        known = self._known_answers(question, searcher, wanted)
        left = [q for q in wanted if q not in known]
        if len(wanted) > 1 and left and not _for_run.get():
            error = _not_asked(strategy, len(known), len(wanted))
            if not known:
                raise error
            known |= {q: Asked(Answer(q, (), error=error.message), error=error) for q in left}
        elif left:
            fresh = {}
            for query, one in ask_all(
                searcher, question, left, len(wanted), progress, self._keep_answers
            ):
                fresh[query] = one
                self._remember_answer(question, searcher, query, one)
            known |= fresh
        return [known[q] for q in wanted]

    # Memory ---------------------------------------------------------------------------------------

    def _known_answers(
        self, question: How, searcher: Searcher, queries: Sequence[str]
    ) -> dict[str, Asked]:
        """What needs not be asked: answers of the last minutes, and of runs."""
        known: dict[str, Asked] = {}
        for_run = _for_run.get()
        if len(queries) > 1:
            kept = self.store.answers.get(question.key, whole=False)
            if not for_run:
                kept = self.store.answers.get(question.key, whole=True) | kept
            known = {q: from_kept(q, kept[q]) for q in queries if q in kept}
        if not for_run:
            now, where = time.monotonic(), question.where(searcher)
            with self._answers_lock:
                for query in queries:
                    found = self._young_answers.get((*where, query))
                    if found is not None and now - found[0] < FRESH_S:
                        known[query] = found[1]
        return known

    def _remember_answer(self, question: How, searcher: Searcher, query: str, one: Asked) -> None:
        """Keep an answer for some minutes; a failure may have passed by then."""
        if one.error is not None:
            return
        with self._answers_lock:
            self._young_answers[*question.where(searcher), query] = (time.monotonic(), one)
            while len(self._young_answers) > MOST_ANSWERS:
                self._young_answers.popitem(last=False)

    def _keep_answers(self, question: How, answers: Mapping[str, Asked]) -> None:
        """Keep answers of a run in the workspace, so that it goes on when it was stopped."""
        if _for_run.get():
            good = {q: as_kept(a) for q, a in answers.items() if a.error is None}
            self.store.answers.put(question.key, good)


def _not_asked(strategy: StrategySettings, known: int, total: int) -> NothingToMeasure:
    return NothingToMeasure(
        f"Of these {total:,} questions {known:,} were asked of {strategy.title}; the others are not"
        " asked only to look.",
        title="Not asked yet",
        hint=f"Evaluate it: ragdebug evaluate --strategy '{strategy}'",
    )
