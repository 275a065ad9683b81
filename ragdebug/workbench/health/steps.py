"""The checks of one corpus and some strategies, each as a step that may be known already."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ragdebug.errors import RagDebugError
from ragdebug.model_files import hub, locate
from ragdebug.model_files import info as model_info
from ragdebug.protocols import Progress
from ragdebug.runs import Run
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    BM25Settings,
    ChunkingSettings,
    StrategySettings,
)
from ragdebug.tokens import counter
from ragdebug.workbench.health import (
    boilerplate,
    duplicates,
    languages,
    minimum,
    models,
    not_placed,
    parses,
    prompts,
    reranker,
    sample,
    uncovered,
    window,
)
from ragdebug.workbench.health.findings import Finding
from ragdebug.workbench.health.run_checks import RunChecks

READ_CHARS = 10_000_000  # characters that are compared, line by line and chunk by chunk
COUNTED_CHARS = 2_000_000  # characters whose tokens are counted

Strategies = tuple[StrategySettings, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One check.

    Attributes:
        code: what a failure of it is told under.
        make: gives the findings.
        key: what they depend on; None where the check is so cheap that it is made anew.
        touches: the strategies that its findings hold for; empty for the corpus itself.
        quick: it costs next to nothing once the chunks are in memory.
    """

    code: str
    make: Callable[[Progress], Sequence[Finding]]
    key: tuple[Hashable, ...] | None = None
    touches: Strategies = ()
    quick: bool = False


class Steps(RunChecks):
    """What has to be checked, along the path of the data."""

    def _corpus_steps(self) -> Iterator[Step]:
        infos, corpus = self._snapshot(), self.corpus().fingerprint
        yield Step("failed_files", lambda _: parses.check(infos))
        yield Step("duplicate_documents", lambda _: duplicates.documents(infos))
        yield Step("boilerplate", self._lines, (corpus,))

    def _strategy_steps(self, strategies: Strategies) -> Iterator[Step]:
        for chunking in dict.fromkeys(s.chunking for s in strategies):
            some = tuple(s for s in strategies if s.chunking == chunking)
            yield from self._chunking_steps(chunking, some)
        dense = [s for s in strategies if s.uses_vectors]
        for name in dict.fromkeys(s.embedder for s in dense):
            touched = tuple(s for s in dense if s.embedder == name)
            yield Step("prompts", partial(_prompts, name), touches=touched)
        yield Step("several_models", lambda _: models.check(strategies))
        for one in strategies:
            yield Step("minimum", partial(_of_settings, one))

    def _run_steps(self, runs: Sequence[Run]) -> Iterator[Step]:
        corpus = self.corpus().fingerprint
        for run in runs:
            key = (run.id, run.state, run.elapsed_s, corpus)
            strategy = _strategy_of(run)
            if strategy is None or strategy.minimum is not None:
                yield Step("minimum", partial(self._run_minimum, run), key)
            if strategy is None or reranker.gives_scores(strategy):
                yield Step("reranker", partial(self._run_reranker, run), key)

    def _chunking_steps(self, chunking: ChunkingSettings, strategies: Strategies) -> Iterator[Step]:
        """Checks on the chunks of one chunking, for the strategies that use it."""
        key = (self.corpus().fingerprint, chunking, self.brought(chunking))
        if strategies[0].is_outside:
            # Of what another system did not return nothing is known, so that little can be checked.
            own = (*key, self._outside_version(strategies[0]))
            lost = partial(self._stands_nowhere, chunking)
            if strategies[0].preset == "list":
                yield Step("not_placed", lost, own, strategies, quick=True)
            return
        if chunking.is_imported:
            lost = partial(self._stands_nowhere, chunking)
            yield Step("not_placed", lost, key, strategies, quick=True)
        yield Step("in_no_chunk", partial(self._gaps, chunking), key, strategies)
        yield Step("duplicate_chunks", partial(self._repeats, chunking), key, strategies)
        dense = [s for s in strategies if s.uses_vectors]
        for name in dict.fromkeys(s.embedder for s in dense):
            touched = tuple(s for s in dense if s.embedder == name)
            long = partial(self._long, chunking, name)
            yield Step("beyond_window", long, (*key, name), touched)
            foreign = partial(self._foreign, chunking, name)
            yield Step("model_language", foreign, (*key, name), touched, quick=True)
        reranked = [s for s in strategies if reranker.gives_scores(s)]
        for name in dict.fromkeys(s.rerank.model for s in reranked):
            touched = tuple(s for s in reranked if s.rerank.model == name)
            long = partial(self._long, chunking, name)
            yield Step("beyond_reranker", long, (*key, name), touched)
        lexical = [s for s in strategies if s.uses_bm25]
        for analyzer in dict.fromkeys(s.bm25.analyzer for s in lexical):
            touched = tuple(s for s in lexical if s.bm25.analyzer == analyzer)
            treated = partial(self._treated, chunking, BM25Settings(analyzer=analyzer))
            yield Step("analyzer_language", treated, (*key, analyzer), touched, quick=True)

    # Checks on the texts themselves ---------------------------------------------------------------

    def _lines(self, progress: Progress) -> list[Finding]:
        return boilerplate.check(self._drawn(READ_CHARS, progress), self._text, progress)

    def _drawn(self, chars: int, progress: Progress) -> sample.Sample:
        """Documents to look at, their texts in memory."""
        drawn = sample.draw(self._active(), chars)
        self._read_ahead(drawn.documents, progress)
        return drawn

    # Checks on the chunks of one chunking ---------------------------------------------------------

    def _stands_nowhere(self, chunking: ChunkingSettings, progress: Progress) -> list[Finding]:
        return not_placed.check(self.chunk_table(chunking, progress))

    def _gaps(self, chunking: ChunkingSettings, progress: Progress) -> list[Finding]:
        table = self.chunk_table(chunking, progress)
        read = self._drawn(READ_CHARS, progress)
        return uncovered.check(table, read, self._text, progress)

    def _repeats(self, chunking: ChunkingSettings, progress: Progress) -> list[Finding]:
        table = self.chunk_table(chunking, progress)
        read = self._drawn(READ_CHARS, progress)
        return duplicates.chunks(table, read, self._text, progress)

    def _long(self, chunking: ChunkingSettings, name: str, progress: Progress) -> list[Finding]:
        # The late interaction reads with the embedded model.
        counts = counter(DEFAULT_EMBEDDER if name == DEFAULT_RERANKER else name)
        table = self.chunk_table(chunking, progress)
        read = self._drawn(COUNTED_CHARS, progress)
        return window.check(table, model_info(name), counts, read, progress)

    def _foreign(self, chunking: ChunkingSettings, name: str, progress: Progress) -> list[Finding]:
        table = self.chunk_table(chunking, progress)
        return languages.of_model(table, self._spoken(), model_info(name))

    def _treated(
        self, chunking: ChunkingSettings, settings: BM25Settings, progress: Progress
    ) -> list[Finding]:
        table = self.chunk_table(chunking, progress)
        used = self.indexes.analyzer(settings).language
        return languages.of_analyzer(table, self._spoken(), used, settings.analyzer.language)

    def _spoken(self) -> dict[str, str]:
        return {d.id: d.language for d in self._active()}


def _strategy_of(run: Run) -> StrategySettings | None:
    """None for a run of a release that had other settings: its checks say so."""
    try:
        return StrategySettings.parse(run.strategy)
    except RagDebugError:
        return None


def _prompts(name: str, _: Progress) -> list[Finding]:
    given = model_info(name)
    if given.embedded or given.remote:
        return []
    return prompts.check(locate(name).folder, hub.split_name(name)[0], given)


def _of_settings(strategy: StrategySettings, _: Progress) -> list[Finding]:
    return [*minimum.of_settings(strategy), *reranker.of_settings(strategy)]
