"""Chunks to look at, models to choose from, indexes to build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdebug.embed import EmbedPlan
from ragdebug.errors import DownloadNotAllowed, ModelError
from ragdebug.model_files import hub, locate
from ragdebug.model_files import info as model_info
from ragdebug.model_files import known as known_models
from ragdebug.protocols import ModelInfo, Progress, silent
from ragdebug.records import Chunk
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    BM25Settings,
    ChunkingSettings,
    StrategySettings,
    is_remote,
)
from ragdebug.table import ChunkTable
from ragdebug.web.consent import may_send
from ragdebug.workbench import chunking as chunk_use
from ragdebug.workbench.remote_sending import RemoteSending
from ragdebug.workbench.reports import BuildReport, ChunkOverview


class Building(RemoteSending):
    """Use cases on chunks, models and indexes."""

    def chunk_document(self, document: str, chunking: ChunkingSettings | str) -> list[Chunk]:
        """Chunks of one document, cut now; nothing is stored."""
        return self.indexes.cut(self.document(document), _chunking(chunking))

    def chunk_report(
        self, document: str, chunking: ChunkingSettings | str, embedder: str = DEFAULT_EMBEDDER
    ) -> chunk_use.DocumentReport:
        """Chunks of one document with sizes, counts and warnings."""
        found, settings = self.document(document), _chunking(chunking)
        key = (found.id, found.version, settings, embedder, self.brought(settings))
        return self._reports.get(
            key, lambda: chunk_use.report_of(found, self.indexes.cut(found, settings), embedder)
        )

    def chunk_table(
        self, chunking: ChunkingSettings | str, progress: Progress = silent
    ) -> ChunkTable:
        """All chunks of the corpus."""
        return self.indexes.table(_chunking(chunking), progress)

    def brought(self, chunking: ChunkingSettings | str) -> str:
        """What an imported chunking holds now, as a key; "" for one that is cut here.

        A name stays when the chunks under it are replaced; what was computed from them does not.
        """
        settings = _chunking(chunking)
        return "-".join(self.pieces.set(settings.name).content) if settings.is_imported else ""

    def is_cut(self, chunking: ChunkingSettings | str) -> bool:
        """Whether `chunk_table` has nothing left to cut, and answers at once."""
        return self.indexes.has_table(_chunking(chunking))

    def overview(
        self, chunking: ChunkingSettings | str, progress: Progress = silent
    ) -> ChunkOverview:
        """Number, sizes and duplicates of all chunks of the corpus."""
        return chunk_use.overview_of(self.chunk_table(chunking, progress))

    def check_chunking(
        self, chunking: ChunkingSettings | str, embedder: str = DEFAULT_EMBEDDER
    ) -> list[str]:
        """Warnings about settings before they run; raises InvalidSetting for impossible ones."""
        return chunk_use.warnings_of(_chunking(chunking), embedder)

    def models(self) -> list[ModelInfo]:
        """Models to choose from: those that need no network, then those behind addresses."""
        return [*known_models(), *self.remote_infos()]

    def plan(
        self,
        chunking: ChunkingSettings | str,
        embedder: str = DEFAULT_EMBEDDER,
        progress: Progress = silent,
    ) -> EmbedPlan:
        """How many texts are new to a model, and about how long it needs."""
        table, model = self.chunk_table(chunking, progress), model_info(embedder)
        planned = self.indexes.plan(table, model)
        if model.remote and planned.new:
            planned = replace(planned, sending=self._sending(table, model))
        return planned

    def build(
        self,
        chunking: ChunkingSettings | str,
        embedder: str = DEFAULT_EMBEDDER,
        progress: Progress = silent,
        allow_download: bool = False,
    ) -> BuildReport:
        """Make every index of a chunking and a model; what is there already costs nothing.

        Raises:
            SendingNotAllowed: texts would go to an address; see `sending`.
        """
        from ragdebug.models import load_embedder

        table = self.chunk_table(chunking, progress)
        if is_remote(embedder) and not may_send(embedder):
            self._ask_to_embed(model_info(embedder), self.plan(chunking, embedder))
        self.indexes.bm25(table, BM25Settings(), progress)
        return self.indexes.build(
            table, embedder, lambda name: load_embedder(name, allow_download), progress
        )

    def approximate_missing(self, strategy: StrategySettings) -> int:
        """Vectors of the HNSW index that a strategy searches in and nobody has built; else 0.

        Also 0 where vectors are missing: what is part-built is searched exactly.
        """
        if not strategy.uses_vectors or strategy.dense.index != "hnsw":
            return 0
        table = self.chunk_table(strategy.chunking)
        if self.indexes.has_dense(table, strategy.embedder, strategy.dense):
            return 0
        new = self.indexes.plan(table, model_info(strategy.embedder)).new
        return 0 if new else len(table)

    def build_approximate(self, strategy: StrategySettings, progress: Progress = silent) -> None:
        """Build the HNSW index that a strategy searches in, once; nothing for any other.

        Raises:
            IndexIncomplete: vectors are missing; see `build`.
            Cancelled: from `progress`; nothing is kept of it.
        """
        if strategy.uses_vectors and strategy.dense.index == "hnsw":
            table = self.chunk_table(strategy.chunking, progress)
            self.indexes.complete(table, strategy.embedder, strategy.dense, progress)

    @staticmethod
    def fetch_models(strategies: Sequence[StrategySettings]) -> None:
        """Fetch the hub models of some strategies, which a person agreed to."""
        names = {s.embedder for s in strategies if s.uses_vectors}
        names |= {s.rerank.model for s in strategies if s.preset == "reranked"}
        for name in names - {DEFAULT_RERANKER, "identity"}:
            if not is_remote(name):
                locate(name, allow_download=True)

    @staticmethod
    def fetchable(names: Sequence[str]) -> tuple[str, ...]:
        """Models among these that are not here and may be fetched once a person agrees."""
        return () if hub.is_offline() else tuple(n for n in dict.fromkeys(names) if _is_away(n))

    @staticmethod
    def download_of(name: str) -> hub.Download:
        """What fetching a model would take, as the hub says; asks the network.

        Raises:
            DownloadNotAllowed: RAGDEBUG_OFFLINE=1.
            ModelError: the hub has no such model, or cannot be reached.
        """
        return hub.size_of(name)

    @staticmethod
    def fetch_model(name: str, progress: Progress = silent) -> None:
        """Fetch a hub model that a person agreed to; stopped before it starts, never half way.

        Raises:
            DownloadNotAllowed: RAGDEBUG_OFFLINE=1.
            ModelError: the hub has no such model, or cannot be reached.
        """
        progress(0, 0, "files")
        locate(name, allow_download=True)

    def indexed(self, chunking: ChunkingSettings | str, embedder: str = DEFAULT_EMBEDDER) -> float:
        """Share of chunks a model has vectors for, 0 to 1."""
        table = self.chunk_table(chunking)
        planned = self.indexes.plan(table, model_info(embedder))
        return 1.0 if not planned.distinct else 1 - planned.new / planned.distinct


def _is_away(name: str) -> bool:
    if name in (DEFAULT_RERANKER, "identity"):
        return False
    try:
        locate(name)
    except DownloadNotAllowed:
        return True
    except ModelError:
        return False
    return False


def _chunking(chunking: ChunkingSettings | str) -> ChunkingSettings:
    return ChunkingSettings.parse(chunking) if isinstance(chunking, str) else chunking
