"""Why a question was missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragdebug.diagnose.stages import earliest, furthest
from ragdebug.errors import RagDebugError
from ragdebug.evaluate.documents import document_needs
from ragdebug.evaluate.masks import needs_of
from ragdebug.evidence import FOUND_SHARE
from ragdebug.model_files import info as model_info
from ragdebug.pipeline import Resources
from ragdebug.protocols import Progress, silent
from ragdebug.questions import NOT_ANSWERABLE, PLACED, Need, Question
from ragdebug.records import Place, Rows
from ragdebug.settings import DEFAULT_WORKSPACE, StrategySettings
from ragdebug.tokens import counter
from ragdebug.workbench import filters
from ragdebug.workbench.evaluation.lists import TokensInContext
from ragdebug.workbench.evaluation.reading import Reading
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.search import Search
from ragdebug.workbench.tracing.chunk_facts import Reads
from ragdebug.workbench.tracing.evidence import Evidence
from ragdebug.workbench.tracing.following import Following
from ragdebug.workbench.tracing.originals import look_again
from ragdebug.workbench.tracing.reports import NeedTrace, WhyReport
from ragdebug.workbench.tracing.resolving import Resolved, by_eye, named_by, resolve
from ragdebug.workbench.tracing.standing import Standing


class Why(Evidence, Search, Reading):
    """Use cases of finding out where an answer was lost."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._looked: Kept[dict[str, Any]] = Kept(500)

    def why(
        self,
        question: Question | str | None = None,
        query: str = "",
        places: Sequence[Place] = (),
        strategy: StrategySettings | str = "hybrid",
        k: int | None = None,
        filter: Sequence[tuple[str, str]] = (),  # noqa: A002 - what everybody calls it
        budget: int | None = None,
        *,
        quote: str = "",
        source: str = "",
        page: int | None = None,
        found_share: float = FOUND_SHARE,
        progress: Progress = silent,
    ) -> WhyReport:
        """Where a strategy lost what answers a question.

        Args:
            question: a question with labels, or its id; else `query` is asked.
            query: any text.
            places: what answers the query; any of them is enough.
            strategy: settings or a text form; what is not indexed yet is embedded first.
            k: instead of the strategy's own.
            filter: (key, value) pairs added to the strategy's own.
            budget: tokens of context, instead of the strategy's own.
            quote: words that answer the query; they may stand nowhere.
            source: document in which the quote is looked for.
            page: a person has looked at this page of `source` and says that the quote is on it;
                without a quote any of the page answers.
            found_share: share of a passage's characters that counts as found.
            progress: called while indexes are built.

        Raises:
            RagDebugError: nothing says what answers the question.
            QuoteNotFound: the quote stands in too many places.
        """
        if isinstance(question, str):
            question = self.question(question)
        if question is None:
            question = self.evidence(query, places, quote, source, page)
        _check(question)
        settings = settings_of(strategy, k, filter, budget)
        following = self._following(question.text, settings, found_share, progress)
        needs = tuple(self._need(need, question, following) for need in question.needs)
        stage = earliest([n.stage for n in needs if n.measured] or [n.stage for n in needs])
        standing = following.standing
        table = standing.resources.table
        rows = _in_context(standing, self._tokens_in_context(standing.resources.table)).tolist()
        report = WhyReport(
            query=question.text,
            strategy=str(settings),
            stage=stage,
            path=(),
            needs=needs,
            question=question.id,
            chunks=len(table),
            allowed=standing.resources.allowed,
            delivered=tuple(table.chunk_id(row) for row in rows),
            rows=tuple(rows),
            notes=standing.trace.notes,
            wanted=self._wanted(needs),
            returned=tuple(dict.fromkeys(table.document(row).id for row in rows)),
        )
        return replace(report, path=report.decides.furthest.path)

    # One question ---------------------------------------------------------------------------------

    def _stage(
        self,
        question: Question,
        settings: StrategySettings,
        resources: Resources,
        found_share: float,
    ) -> str:
        following = self._follow_with(question.text, settings, resources, found_share)
        resources.memo.clear()
        by_document = question.level == "document"
        measured = [need for need in question.needs if self._measured(need, question)]
        return earliest(
            furthest(
                following.stage(one, by_document, "reader" in self._second_look(one))
                for one in self._resolved(need)
            )
            for need in measured or question.needs
        )

    def _need(self, need: Need, question: Question, following: Following) -> NeedTrace:
        by_document = question.level == "document"
        places = tuple(
            following.trace(one, by_document, self._second_look(one))
            for one in self._resolved(need)
        )
        measured = self._measured(need, question)
        return NeedTrace(need.grade, furthest(p.stage for p in places), places, measured)

    def _wanted(self, needs: Sequence[NeedTrace]) -> tuple[str, ...]:
        """Ids of the documents that are to answer."""
        places = [trace.place for need in needs for trace in need.places]
        find = self._place_finder().naming.find
        found = [
            [p.document] if p.document else [d.id for d in find(p.source)] if p.source else []
            for p in places
        ]
        return tuple(dict.fromkeys(id_ for ids in found for id_ in ids))

    def _measured(self, need: Need, question: Question) -> bool:
        """Whether Results can use it."""
        alone = replace(question, needs=(need,))
        usable = document_needs if question.level == "document" else needs_of
        return bool(usable(alone, {}, self._text)[0])

    def _resolved(self, need: Need) -> list[Resolved]:
        """The places of a need: of its placed labels, else of the others."""
        active = self._by_id()
        find = self._place_finder().naming.find
        placed = [x for x in need.labels if x.status == PLACED]
        return [r for x in placed or need.labels for r in resolve(x, active, find, self._text)]

    def _second_look(self, one: Resolved) -> dict[str, Any]:
        """What second readers say of a place that stands nowhere."""
        if one.standing:
            return {}
        place, infos = one.place, self._snapshot()
        if place.document and not any(d.id == place.document for d in infos):
            return {}
        named = named_by(place, infos)
        key = (place.quote, place.document, place.source, self.corpus().fingerprint, one.seen)

        def look() -> dict[str, Any]:
            found = look_again(place.quote, named, self._file_of, self._text)
            return {**by_eye(place), **found} if one.seen else found

        return self._looked.get(key, look)

    def _file_of(self, document: str) -> tuple[str, bytes] | None:
        return self.store.documents.original(document, self.store.uploads)

    # Lists ----------------------------------------------------------------------------------------

    def _following(
        self, query: str, settings: StrategySettings, found_share: float, progress: Progress
    ) -> Following:
        resources = self._ready(settings, [query], progress)
        return self._follow_with(query, settings, resources, found_share)

    def _ready(
        self, settings: StrategySettings, queries: Sequence[str], progress: Progress
    ) -> Resources:
        """Everything a strategy needs for some queries, with whole indexes."""
        if settings.uses_vectors and self._active():
            self.build(settings.chunking, settings.embedder, progress)
        resources = self._resources(settings, progress, queries)
        table = resources.table
        if not settings.is_outside:
            resources.dense = lambda name, s: self.indexes.complete(table, name, s)
        return resources

    def _follow_with(
        self, query: str, settings: StrategySettings, resources: Resources, found_share: float
    ) -> Following:
        standing = Standing(query, settings, resources)
        model = model_info(settings.embedder) if settings.uses_vectors else None
        infos = self._by_id()
        return Following(
            standing,
            self._text,
            Reads(resources.table, model, counter),
            self._tokens_in_context(resources.table),
            lambda document: filters.matches(infos[document], settings.filter),
            found_share,
        )


def _check(question: Question) -> None:
    if question.needs and all(need.labels for need in question.needs):
        return
    if question.state == NOT_ANSWERABLE:
        raise RagDebugError(
            "Nothing in this corpus answers the question, as somebody has said.",
            title="Nothing to trace",
            hint="Mark what answers it, if that has changed.",
        )
    raise RagDebugError(
        "Nobody has said what answers the question.",
        title="Nothing to trace",
        hint="Mark a passage, or give words that answer it.",
    )


def settings_of(
    strategy: StrategySettings | str,
    k: int | None,
    pairs: Sequence[tuple[str, str]],
    budget: int | None,
) -> StrategySettings:
    """A strategy with another k or budget, and more to filter by."""
    one = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
    if k is not None and k != one.k:
        # A pool is never below k: asking for more hits asks for more candidates.
        one = replace(one, k=k, rerank=replace(one.rerank, pool=max(one.rerank.pool, k)))
    if pairs:
        one = replace(one, filter=(*one.filter, *pairs))
    return one if budget is None else replace(one, budget=budget)


def _in_context(standing: Standing, tokens_of: TokensInContext) -> Rows:
    """Rows that are delivered: the first k, whole chunks in order until the next does not fit."""
    rows, budget = standing.whole[: standing.strategy.k], standing.strategy.budget
    if budget is None:
        return rows
    return rows[tokens_of(rows).cumsum() <= budget]
