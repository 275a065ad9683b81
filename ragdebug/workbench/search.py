"""Queries through strategies, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragdebug.errors import RagDebugError
from ragdebug.model_files import info as model_info
from ragdebug.pipeline import Resources
from ragdebug.protocols import PairScorer, Progress, Vectors, silent
from ragdebug.records import Place, ResultList, SearchResult
from ragdebug.settings import DEFAULT_WORKSPACE, StrategySettings
from ragdebug.store.pieces import KeptPiece
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
from ragdebug.workbench import filters
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.outside.asking import Asking
from ragdebug.workbench.outside.searching import OutsideLists
from ragdebug.workbench.outside.tables import PieceTable
from ragdebug.workbench.searching import failed_list, result_list

Strategies = Sequence["StrategySettings | str"]


class Search(Asking):
    """Use cases on queries."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._query_vectors: Kept[Vectors] = Kept(200)
        self._lists_kept: Kept[OutsideLists] = Kept(4)
        self._ids_kept: Kept[dict[str, KeptPiece]] = Kept(1)
        self._tables_kept: Kept[PieceTable] = Kept(8)

    def search(
        self,
        query: str,
        strategies: Strategies = ("vector", "bm25", "hybrid", "reranked"),
        *,
        k: int | None = None,
        filter: Sequence[tuple[str, str]] = (),  # noqa: A002 - what everybody calls it
        expect: Sequence[Place] = (),
        build: bool = True,
        allow_download: bool = False,
        progress: Progress = silent,
        remember: bool = True,
    ) -> SearchResult:
        """Run one query through several strategies.

        A strategy that fails gives a list with its error; the others are not affected.

        Args:
            query: any text; blank gives empty lists.
            strategies: settings or text forms such as ``reranked@structure:220/40``.
            k: hits a list, instead of each strategy's own.
            filter: (key, value) pairs added to each strategy's own.
            expect: places of the passage that should be found.
            build: embed what is missing first; otherwise part-built lists say so.
            allow_download: fetch a hub model that is not on this machine.
            progress: called while indexes are built.
            remember: keep the query in the history.
        """
        settings = [_changed(s, k, filter) for s in strategies]
        lists: dict[str, ResultList] = {}
        memos: dict[tuple[Any, ...], Resources] = {}
        if allow_download:
            self.fetch_models(settings)
        for one in settings:
            name = _name(one, lists)
            lists[name] = self._column(name, query, one, expect, build, progress, memos)
        if remember and query.strip():
            self.store.queries.add(query, {"strategies": [str(s) for s in settings]})
        terms = next((r.trace.terms for r in lists.values() if r.trace.terms), ())
        return SearchResult(query, terms, lists, tuple(expect))

    def search_one(
        self,
        query: str,
        strategy: StrategySettings | str,
        *,
        expect: Sequence[Place] = (),
        build: bool = False,
        progress: Progress = silent,
        memos: dict[tuple[Any, ...], Resources] | None = None,
    ) -> ResultList:
        """One column. Pass the same `memos` for the columns of one search to share their lists."""
        settings = _changed(strategy, None, ())
        memos = {} if memos is None else memos
        return self._column(settings.title, query, settings, expect, build, progress, memos)

    def _column(
        self,
        name: str,
        query: str,
        strategy: StrategySettings,
        expect: Sequence[Place],
        build: bool,
        progress: Progress,
        memos: dict[tuple[Any, ...], Resources],
    ) -> ResultList:
        try:
            if build and query.strip() and strategy.uses_vectors and self._active():
                self.build(strategy.chunking, strategy.embedder, progress)
            key = (strategy.chunking, strategy.filter, strategy.k if strategy.is_outside else 0)
            resources = memos.get(key)
            if resources is None:
                resources = memos[key] = self._resources(strategy, progress, [query])
            made = result_list(
                name, query, strategy, resources, expect, self._text, self._window_notes
            )
            note = self._given_note(strategy, resources.table)
            return replace(made, notes=(*made.notes, note)) if note else made
        except RagDebugError as e:
            return failed_list(name, strategy, e)

    def _given_note(self, strategy: StrategySettings, table: ChunkTable) -> str:
        """What to say where chunks came with vectors that this strategy does not use."""
        if not (strategy.uses_vectors and strategy.chunking.is_imported):
            return ""
        own = self.pieces.set(strategy.chunking.name)
        if not own.dimension or self.indexes.given_vectors(table, model_info(strategy.embedder)):
            return ""
        whose = f"of {own.model}" if own.model else "of a model that nobody named"
        return f"embedded here; the given vectors, {whose}, are not used"

    def _resources(
        self, strategy: StrategySettings, progress: Progress, queries: Sequence[str] = ()
    ) -> Resources:
        """What a strategy needs; `queries` are looked at where another system answers them."""
        if strategy.is_outside:
            return self._outside_resources(strategy, queries, progress)
        table = self.chunk_table(strategy.chunking, progress)
        own = None
        if strategy.filter and strategy.chunking.is_imported:
            own = self.pieces.metadata(strategy.chunking.name, table)
        return Resources(
            table=table,
            mask=filters.mask(table, self._active(), strategy.filter, own),
            bm25=lambda s: self.indexes.bm25(table, s, progress),
            dense=lambda name, s: self.indexes.dense(table, name, s, progress),
            embed_query=self._embed_query,
            scorer=self._scorer,
            scores=self.store.scores,
        )

    def _embed_query(self, embedder: str, query: str) -> Vectors:
        from ragdebug.models import load_embedder

        key = (model_info(embedder).fingerprint, query)
        return self._query_vectors.get(key, lambda: load_embedder(embedder).embed_query(query))

    @staticmethod
    def _scorer(name: str) -> PairScorer:
        from ragdebug.models import load_reranker

        return load_reranker(name)

    @staticmethod
    def _window_notes(
        strategy: StrategySettings, texts: Sequence[str]
    ) -> Mapping[int, tuple[str, ...]]:
        if not strategy.uses_vectors:
            return {}
        model = model_info(strategy.embedder)
        if not model.window:
            return {}
        room = model.window - model.special_tokens
        counts = counter(strategy.embedder).count_many(texts)
        return {
            at: (f"longer than the model reads: {n} of {room} tokens",)
            for at, n in enumerate(counts)
            if n > room
        }


def _changed(
    strategy: StrategySettings | str, k: int | None, pairs: Sequence[tuple[str, str]]
) -> StrategySettings:
    one = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
    if k is not None and k != one.k:
        # A pool is never below k: asking for more hits asks for more candidates.
        rerank = replace(one.rerank, pool=max(one.rerank.pool, k))
        one = replace(one, k=k, rerank=rerank)
    if pairs:
        one = replace(one, filter=(*one.filter, *pairs))
    return one


def _name(strategy: StrategySettings, taken: Mapping[str, object]) -> str:
    """The preset, or the whole text form where the preset is already used."""
    return strategy.title if strategy.title not in taken else str(strategy)
